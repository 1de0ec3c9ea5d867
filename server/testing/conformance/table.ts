import type { Check } from './conformance.ts'

const ended = ({ failed, note }: Check): string => (failed !== null ? ' (failed)' : note === null ? '' : ` (${note})`)

/** How many of them a person has to reconcile. */
function personal(lost: readonly Check[]): string {
  const left = lost.filter(({ note }) => note !== null).length
  return left === 0 ? '' : `, ${left} of them by a person where the platform lets nobody read`
}

/** What was played and how it ended, as a table for the docs: a row for each capability, a column for each platform. */
export function tableOf(results: ReadonlyMap<string, readonly Check[]>): string {
  const names = [...results.keys()]
  const lines = names.map((name) => {
    const checks = results.get(name) ?? []
    const passed = checks.filter(({ failed }) => failed === null).length
    const kinds = checks
      .filter(({ capability }) => capability.includes(': ') && !capability.includes(', whichever'))
      .map((check) => `${check.capability.replace(': ', ' ')}${ended(check)}`)
    const rest = checks
      .filter(({ capability }) => !capability.includes(': '))
      .map((check) => `${check.capability}${ended(check)}`)
    const lost = checks.filter(({ capability }) => capability.includes(', whichever'))
    return `| ${name} | ${kinds.join(', ')} | ${lost.filter(({ failed }) => failed === null).length} of ${lost.length}${personal(lost)} | ${rest.join(', ')} | ${passed} of ${checks.length} |`
  })
  return `# What each platform's adapter was seen to do

Written by \`server/platforms/conformance.test.ts\`, which tests every adapter against the simulated platforms (docs/simulators.md) and fails if this table differs. Bluesky is tested against its real server instead. "Once" counts the post types that existed exactly once after failures at every call in turn: a lost response, a lost response on a busy account without duplicate detection, a request that never arrived, an invalid response, and a rate limit.

| platform | kinds of posts, with what their rules allow | once | besides | passed |
| --- | --- | --- | --- | --- |
${lines.join('\n')}
`
}
