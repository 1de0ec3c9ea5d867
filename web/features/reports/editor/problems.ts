import { saveReport } from '#contract/reports/reports.ts'
import type { EditedReport } from './edited.ts'

/** Messages by field: `reportName`, `days.from`, `b3.names`. */
export type Problems = ReadonlyMap<string, string>

export const fieldOf = (blockId: string, field: string): string => `${blockId}.${field}`

/** What the server would refuse, in the words of the contract. */
export function problemsOf(report: EditedReport): Problems {
  const parsed = saveReport.body.safeParse({ ...report, version: 1 })
  if (parsed.success) return new Map()
  return messagesAt(
    parsed.error.issues.map(({ path, message }) => [path.map(String), message]),
    report,
  )
}

/** The server's messages at the fields of what was sent. */
export const refusedFields = (errors: Readonly<Record<string, readonly string[]>>, sent: EditedReport): Problems =>
  messagesAt(
    Object.entries(errors).flatMap(([path, [message]]) => (message === undefined ? [] : [[path.split('.'), message]])),
    sent,
  )

function messagesAt(
  issues: readonly [path: readonly string[], message: string][],
  { content }: EditedReport,
): Problems {
  const problems = new Map<string, string>()
  for (const [path, message] of issues) {
    const field = fieldAt(path[0] === 'content' ? path.slice(1) : path, content.blocks)
    if (!problems.has(field)) problems.set(field, message)
  }
  return problems
}

function fieldAt(path: readonly string[], blocks: EditedReport['content']['blocks']): string {
  const [first = '', second = '', third = ''] = path
  if (first === 'days') return second === 'to' ? 'days.to' : 'days.from'
  const block = first === 'blocks' ? blocks[Number(second)] : undefined
  return block ? fieldOf(block.blockId, third) : first
}

/** How many of them are of this block. */
export const countOf = (problems: Problems, blockId: string): number =>
  [...problems.keys()].filter((field) => field.startsWith(`${blockId}.`)).length
