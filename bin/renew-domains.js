import { readFileSync, writeFileSync } from 'node:fs'
import { domainToUnicode } from 'node:url'
import { at, main, Problem } from './lib/places.js'

// Regenerates contract/platforms/topLevelDomains.ts: `node bin/renew-domains.js` downloads IANA's list of top-level
// domains, `node bin/renew-domains.js tlds.txt` reads a downloaded list with one name per line.
const SOURCE = 'https://data.iana.org/TLD/tlds-alpha-by-domain.txt'
/** A shorter list can't be complete. */
const LEAST = 1000
/** A shared beginning is encoded as one digit. */
const MOST_SHARED = 9

const sorted = (names) => [...new Set(names)].toSorted((a, b) => (a < b ? -1 : 1))

await main(async () => {
  const [file] = process.argv.slice(2)
  const text = file === undefined ? await download() : readFileSync(file, 'utf8')
  const names = text.split('\n').map((line) => line.trim().toLowerCase())
  const all = sorted(names.filter((line) => /^[a-z]{2,63}$/.test(line)))
  const others = sorted(
    names
      .filter((line) => line.startsWith('xn--'))
      .map(domainToUnicode)
      .filter(Boolean),
  )
  if (all.length < LEAST) throw new Problem(`Only ${all.length} top-level domains were found: nothing was written.`)
  writeFileSync(at('contract/platforms/topLevelDomains.ts'), moduleOf(all, others))
  process.stdout.write(`${all.length + others.length} top-level domains were written.\n`)
})

async function download() {
  const answer = await fetch(SOURCE).catch((error) => {
    throw new Problem(`${SOURCE} could not be reached: ${error.cause?.code ?? error.message}`)
  })
  if (!answer.ok) throw new Problem(`${SOURCE} answered ${answer.status}.`)
  return await answer.text()
}

function moduleOf(names, others) {
  let last = ''
  const list = names.map((name) => {
    let shared = 0
    while (shared < MOST_SHARED && shared < name.length && name[shared] === last[shared]) shared += 1
    last = name
    return `${shared}${name.slice(shared)}`
  })
  return `/**
 * All ${names.length} top-level domains in Latin letters, in order: of each, how many letters it shares with the one before, and the
 * others. Source: IANA, ${SOURCE}. Written by \`node bin/renew-domains.js\`.
 */
export const topLevelDomains =
  '${list.join('')}'

/** All ${others.length} in other scripts, as people write them. */
export const otherTopLevelDomains =
  '${others.join(' ')}'
`
}
