import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { RemoteItem } from './inbox.ts'

/*
 * Meta's platforms give comments and messages no time of their last edit and no list of deletions. So a cursor remembers what
 * was read lately: other words, or another hidden state, are a new version, and what a list no longer shows was deleted.
 */

/** How many items are remembered. */
const MOST = 200
const DAY = 86_400_000

const Known = z.object({
  id: z.string(),
  /** The list that it was read from: a post's comments, or one conversation. */
  list: z.string(),
  at: z.number(),
  text: z.string(),
  rest: z.string(),
  /** When other words were read than before, in ms; 0 where they never were. */
  editedAt: z.number(),
})
type Known = z.infer<typeof Known>
export const Memory = z.array(Known).catch([])
export type Memory = z.infer<typeof Memory>

/** An item as the platform shows it, and the list that it stands in. */
export type Listed = { list: string; item: Omit<RemoteItem, 'version' | 'editedAt'> }

/**
 * Of what a list shows, what isn't known yet or is different now, and the memory after it. `readTo` is when the list was last
 * read to its end (ms; null: never): older items that aren't remembered were reported by then.
 */
export function changesIn(
  memory: Memory,
  shown: readonly Listed[],
  { now, readTo }: { now: Date; readTo: number | null },
): { changes: RemoteItem[]; memory: Memory } {
  const known = new Map(memory.map((one) => [one.id, one]))
  const changes: RemoteItem[] = []
  for (const { list, item } of shown) {
    const before = known.get(item.remoteId)
    const seen = { id: item.remoteId, list, at: item.at.getTime(), ...printsOf(item), editedAt: before?.editedAt ?? 0 }
    if (before && before.text !== seen.text) seen.editedAt = now.getTime()
    known.set(seen.id, seen)
    const isNews = before
      ? before.text !== seen.text || before.rest !== seen.rest
      : readTo === null || seen.at >= readTo - DAY
    if (!isNews) continue
    const editedAt = seen.editedAt > 0 ? new Date(seen.editedAt) : null
    changes.push({ ...item, version: before ? now.getTime() : 0, editedAt })
  }
  return { changes, memory: newest([...known.values()]) }
}

const newest = (all: Known[]): Memory => all.toSorted((a, b) => b.at - a.at).slice(0, MOST)

/** Addresses of files are signed and change with each look. */
function printsOf({ text, hidden, author, media }: Listed['item']): Pick<Known, 'text' | 'rest'> {
  const print = (value: unknown): string =>
    createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 8)
  return {
    text: print([text, media.map(({ kind, name }) => [kind, name])]),
    rest: print([hidden, author?.remoteId ?? null]),
  }
}

/**
 * Ids that a list showed before and shows no longer, as far back as it goes: `isWhole` says that nothing older follows. An
 * empty page that isn't the whole list proves nothing.
 */
export function missingFrom(
  memory: Memory,
  list: string,
  shown: readonly { id: string; at: Date | null }[],
  isWhole: boolean,
): string[] {
  const ids = new Set(shown.map(({ id }) => id))
  const times = shown.flatMap(({ at }) => (at === null ? [] : [at.getTime()]))
  const oldest = isWhole ? 0 : Math.min(Infinity, ...times)
  return memory.filter((one) => one.list === list && one.at > oldest && !ids.has(one.id)).map(({ id }) => id)
}

export const forget = (memory: Memory, ids: readonly string[]): Memory => memory.filter(({ id }) => !ids.includes(id))
