// turns a public page off or on, or lists what visitors reported: link-in-bio block <address> <reason> | unblock <address> | reports [all] | handled <address>
import { command, words } from '../../db/command.ts'
import { openDatabases } from '../../db/pools.ts'
import { withDatabase } from '../../db/withDatabase.ts'
import { blockPage, unblockPage } from '../block.ts'
import { handleReports, listReports, type Report } from '../reports.ts'

const USAGE = 'link-in-bio block <address> <reason> | unblock <address> | reports [all] | handled <address>'
const mistake = () => new Error(`Usage: npm run rookery -- ${USAGE}`)

await command(async ({ env, clock }) => {
  const [verb, given = '', ...rest] = words(Infinity, USAGE)
  const slug = slugOf(given)
  const reason = rest.join(' ').trim()
  const fits =
    verb === 'block'
      ? slug !== '' && reason !== ''
      : verb === 'reports'
        ? (given === '' || given === 'all') && rest.length === 0
        : (verb === 'unblock' || verb === 'handled') && slug !== '' && rest.length === 0
  if (!fits) throw mistake()
  return await withDatabase(env, async ({ settings }) => {
    const databases = openDatabases(settings)
    try {
      if (verb === 'block') {
        const own = orMissing(await blockPage(databases, slug, reason, clock.now()), slug)
        return `The page ${own} is off.${await handled(slug)}`
      }
      if (verb === 'unblock') return `The page ${orMissing(await unblockPage(databases, slug), slug)} is on again.`
      if (verb === 'handled') return `Handled.${await handled(slug)}`
      const reports = await listReports(databases, { all: given === 'all' })
      return reports.length === 0 ? 'There are no reports.' : reports.map(describe).join('\n\n')
    } finally {
      await databases.close()
    }

    async function handled(address: string): Promise<string> {
      const n = await handleReports(databases, address, clock.now())
      return n === 0 ? '' : ` ${n} ${n === 1 ? 'report is' : 'reports are'} marked as handled.`
    }
  })
})

/** The last part of an address, or that alone. */
function slugOf(given: string): string {
  return (/(?:^|\/b\/)([^/?#]+)\/?(?:[?#].*)?$/.exec(given)?.[1] ?? '').toLowerCase()
}

function orMissing(own: string | undefined, slug: string): string {
  if (own === undefined) throw new Error(`There is no page at ${slug}.`)
  return own
}

function describe({
  slug,
  reason,
  words: said,
  email,
  created_at: at,
  handled_at: done,
  blocked_at: off,
}: Report): string {
  const facts = [at.toISOString(), slug, reason, ...(off ? ['the page is off'] : []), ...(done ? ['handled'] : [])]
  const quoted = said === '' ? [] : [`  ${inOneLine(said)}`]
  return [facts.join(', '), ...quoted, ...(email === null ? [] : [`  from ${email}`])].join('\n')
}

/** What a stranger wrote, as one line that commands no terminal and turns no direction, whatever it contains. */
function inOneLine(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
