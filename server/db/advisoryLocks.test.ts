import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { advisoryLocks, namedLocks } from './advisoryLocks.ts'

/*
 * Two purposes with one lock wait for each other without a reason, and may do so in a circle. Every lock of the product is
 * read from its source.
 */

const server = join(import.meta.dirname, '..')
const sources = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter(
  (path) =>
    /\.(?:ts|sql)$/.test(path) &&
    !path.includes('node_modules') &&
    !/\.test\.ts$|^testing\/|^db\/(?:migrations\/|schema\.|advisoryLocks\.ts)/.test(path),
)

/** What a call locks, such as `26, hashtext(…)`, where it is, and in SQL in which function. */
type Call = { place: string; locks: string }
const calls: Call[] = sources.flatMap((path) => {
  const text = readFileSync(join(server, path), 'utf8')
  return [...text.matchAll(/pg_(?:try_)?advisory_(?:xact_)?(?:lock(?:_shared)?)\(([^\n]*)/g)].map((found) => {
    const name = [...text.slice(0, found.index).matchAll(/create or replace function (\w+)/g)].at(-1)?.[1]
    return { place: name === undefined ? path : `${path} ${name}`, locks: found[1] ?? '' }
  })
})
const placesOf = (isIt: (locks: string) => boolean): string[] => [
  ...new Set(calls.flatMap(({ place, locks }) => (isIt(locks) ? [place] : []))),
]
const purposes = Object.entries(advisoryLocks)

describe('advisory locks', () => {
  it('have a number for each purpose', () => {
    expect(new Set(Object.values(advisoryLocks)).size).toBe(purposes.length)
    expect(new Set(namedLocks).size).toBe(namedLocks.length)
  })

  it.each(purposes)('for %s are taken in one place', (name, number) => {
    const places = placesOf((locks) => locks.startsWith(`${number},`) || locks.startsWith(`\${advisoryLocks.${name}}`))
    expect(places).toHaveLength(1)
  })

  it.each(namedLocks)('named "%s …" are taken in one place', (name) => {
    expect(placesOf((locks) => locks.startsWith(`hashtextextended(\${\`${name} \${`))).toHaveLength(1)
  })

  it('are all in the list', () => {
    const isListed = (locks: string): boolean =>
      locks.startsWith("$1)', [MIGRATIONS_LOCK]") ||
      purposes.some(
        ([name, number]) => locks.startsWith(`${number},`) || locks.startsWith(`\${advisoryLocks.${name}}`),
      ) ||
      namedLocks.some((name) => locks.startsWith(`hashtextextended(\${\`${name} \${`))
    expect(calls.length).toBeGreaterThan(purposes.length)
    expect(calls.filter(({ locks }) => !isListed(locks))).toEqual([])
  })
})
