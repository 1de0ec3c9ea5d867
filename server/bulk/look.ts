import { setImmediate } from 'node:timers/promises'
import type { ProjectContext } from '../http/route.ts'
import type { BulkImport, BulkImportDetail, BulkRow, BulkRowState } from '#contract/bulk.ts'
import { describeBulkProblem } from '#contract/bulkProblems.ts'
import { bulkRowStates } from '#contract/bulk.ts'
import type { ChannelRow } from '../access/channels.ts'
import type { Failure } from '../errors.ts'

import type { LinkHosts } from '../links/hosts.ts'
import { capRefusal } from '../posts/cap.ts'
import { headlineOf } from '../posts/content.ts'
import { nameOf } from '../people/names.ts'
import { rowsOf, type ImportRow, type StoredRow } from './access.ts'
import { checkRow, type CheckedRow } from './checkRow.ts'
import { readFacts, readTaken, takenKey, type ProjectFacts } from './facts.ts'

/** An import's current state, with its open rows checked again. */
export type Looked = {
  found: ImportRow
  rows: StoredRow[]
  checked: ReadonlyMap<number, CheckedRow>
  facts: ProjectFacts
  ready: StoredRow[]
  refusal: Failure | undefined
}

/** Characters of rows, for each of their channels, that are judged before other requests have their turn. */
const AT_ONCE = 50_000

/** Checks every open row against the project as it is now, and the rows against each other. */
export async function look(c: ProjectContext, found: ImportRow, hosts: LinkHosts): Promise<Looked> {
  const [rows, facts] = [await rowsOf(c, found.id), await readFacts(c, hosts)]
  const checked = new Map<number, CheckedRow>()
  let judged = 0
  for (const { row, state, cells } of rows) {
    if (state !== 'open') continue
    const one = checkRow(cells, facts)
    checked.set(row, one)
    judged += cells.text.length * one.channels.length
    if (judged < AT_ONCE) continue
    judged = 0
    await setImmediate()
  }
  await warnOfTwins(c, rows, checked)
  const ready = rows.filter(({ row }) => checked.get(row)?.errors.length === 0)
  return {
    found,
    rows,
    checked,
    facts,
    ready,
    refusal: await wholeRefusal(
      c,
      ready.flatMap(({ row }) => checked.get(row) ?? []),
    ),
  }
}

/** Posts with the same text at the same time, in these rows or on the channel. That may be intended. */
async function warnOfTwins(
  c: ProjectContext,
  rows: readonly StoredRow[],
  checked: ReadonlyMap<number, CheckedRow>,
): Promise<void> {
  const timed = rows.flatMap(({ row, cells }) => {
    const one = checked.get(row)
    const at = one?.at
    return one && at
      ? one.channels.map((channel) => ({
          row,
          one,
          at,
          channelId: channel.id,
          handle: channel.handle,
          key: takenKey(channel.id, at, headlineOf([cells])),
        }))
      : []
  })
  const taken = await readTaken(c, timed)
  const first = new Map<string, number>()
  for (const { row, one, key, handle } of timed) {
    const twin = first.get(key)
    if (twin === undefined) first.set(key, row)
    else one.warnings.push({ column: 'text', message: `Row ${twin} has the same text for ${handle} at the same time.` })
    if (taken.has(key))
      one.warnings.push({ column: 'text', message: `${handle} already has a post with this text at this time.` })
  }
}

/** Why none of it could be scheduled: the plan has ended, or a channel's cap would be exceeded. */
async function wholeRefusal(c: ProjectContext, ready: readonly CheckedRow[]): Promise<Failure | undefined> {
  const wanted = new Map<string, { channel: ChannelRow; posts: number }>()
  for (const { channels, at } of ready) {
    for (const channel of channels) {
      const one = wanted.get(channel.id) ?? { channel, posts: 0 }
      if (at && at > c.now) wanted.set(channel.id, { channel, posts: one.posts + 1 })
    }
  }
  return await capRefusal(
    c,
    [...wanted.values()].map((more) => ({ ...more, at: '' })),
  )
}

/** How many rows are in each state; rows may be counted already (`n`). */
export const countsOf = (rows: readonly { state: BulkRowState; n?: number }[]): Record<BulkRowState, number> => {
  const counts = Object.fromEntries(bulkRowStates.map((state) => [state, 0]))
  for (const { state, n = 1 } of rows) counts[state] = (counts[state] ?? 0) + n
  // every state has its count by the first line
  return counts as Record<BulkRowState, number>
}

function stateOf(counts: Record<BulkRowState, number>): BulkImport['state'] {
  if (counts.waiting > 0) return 'scheduling'
  if (counts.undoing > 0) return 'undoing'
  if (counts.made + counts.failed > 0) return 'done'
  return counts.open > 0 || counts.undone === 0 ? 'open' : 'undone'
}

/** An import in the list, with its state derived from its rows. */
export function presentImport(found: ImportRow, author: string, counts: Record<BulkRowState, number>): BulkImport {
  return {
    importId: found.id,
    name: found.name,
    createdAt: found.created_at.toISOString(),
    author: { userId: found.created_by, name: author },
    version: found.version,
    state: stateOf(counts),
    counts,
  }
}

/** The import for people. */
export async function present(
  c: ProjectContext,
  { found, rows, checked, facts, ready, refusal }: Looked,
): Promise<BulkImportDetail> {
  const channels = refusal?.facts.meta?.['channels']
  const named = Array.isArray(channels)
    ? channels.flatMap((one: unknown) =>
        typeof one === 'object' && one !== null && 'handle' in one ? [String(one.handle)] : [],
      )
    : []
  return {
    ...presentImport(found, await nameOf(c.tx, found.created_by), countsOf(rows)),
    rows: rows.map((row) => presentRow(row, checked.get(row.row), facts)),
    ready: ready.length,
    wrong: [...checked.values()].filter(({ errors }) => errors.length > 0).length,
    unknownColumns: found.unknown_columns,
    refusal: refusal ? { code: refusal.code, message: refusal.message, channels: named } : null,
  }
}

function presentRow(
  { row, state, cells, plan, problems, post_ids }: StoredRow,
  checked: CheckedRow | undefined,
  facts: ProjectFacts,
): BulkRow {
  const told = problems.map(describeBulkProblem)
  const asked = plan?.submit.schedule
  const details = asked?.type === 'ONCE' ? asked.details : undefined
  const ids = new Set(plan?.submit.channels.map(({ channelId }) => channelId))
  const channels = checked?.channels ?? facts.channels.filter(({ id }) => ids.has(id))
  return {
    row,
    state,
    cells,
    errors: checked?.errors ?? (state === 'failed' ? told : []),
    warnings: checked?.warnings ?? (state === 'failed' ? [] : told),
    dueAt: (checked ? checked.at?.toISOString() : details?.utc) ?? null,
    timezone: (checked ? checked.timezone : details?.timezone) ?? null,
    channels: channels.map(({ id, handle, platform }) => ({ channelId: id, handle, platformName: platform })),
    postIds: post_ids,
  }
}
