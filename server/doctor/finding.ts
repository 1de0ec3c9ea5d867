import { plainMessage } from '../db/plainErrors.ts'
import { withoutSecrets } from '../log.ts'

/** What one look found. A problem keeps something from working, a warning will or may. */
export type Finding = {
  /** What was looked at, such as "Mail". */
  about: string
  state: 'ok' | 'warning' | 'problem'
  /** What is so, in a sentence. */
  says: string
  /** What to do about it. */
  todo?: string
}

/** Why something failed, without what opens something. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? withoutSecrets(plainMessage(error)) : 'for an unknown reason'

/** Findings about one thing, without repeating its name, and without what opens something. */
export function about(what: string) {
  const found = (state: Finding['state'], says: string, todo?: string): Finding => ({
    about: what,
    state,
    says: withoutSecrets(says),
    ...(todo !== undefined && { todo: withoutSecrets(todo) }),
  })
  return {
    ok: (says: string): Finding => found('ok', says),
    warning: (says: string, todo: string): Finding => found('warning', says, todo),
    problem: (says: string, todo: string): Finding => found('problem', says, todo),
  }
}

const signs = { ok: 'ok', warning: 'warning', problem: 'PROBLEM' } as const
const WIDE = Math.max(...Object.values(signs).map((sign) => sign.length))

/** The findings as lines for a terminal, what to do below each, and how many there are. */
export function report(findings: readonly Finding[]): string {
  const name = Math.max(...findings.map((finding) => finding.about.length))
  const lines = findings.flatMap(({ about: what, state, says, todo }) => [
    `${signs[state].padEnd(WIDE)}  ${what.padEnd(name)}  ${says}`,
    ...(todo === undefined ? [] : [`${' '.repeat(WIDE + name + 4)}${todo}`]),
  ])
  const [problems, warnings] = (['problem', 'warning'] as const).map(
    (state) => findings.filter((finding) => finding.state === state).length,
  )
  const counted = [
    ...(problems ? [`${problems} ${problems === 1 ? 'problem' : 'problems'}`] : []),
    ...(warnings ? [`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`] : []),
  ]
  return [...lines, '', counted.length > 0 ? `${counted.join(', ')}.` : 'Nothing is wrong.'].join('\n')
}
