import type { z } from 'zod'
import type { ConversationItem, NamedConversations } from '#contract/inbox/conversations.ts'
import type { InboxSorting } from '#contract/inbox/terms.ts'

type Named = z.infer<typeof NamedConversations>
type Joined = { channel: Named['channels'][number]; assignee: Named['members'][number] | null; labels: Named['labels'] }
/** A conversation with the names of what it refers to. */
export type ConversationRow = Omit<ConversationItem, keyof Joined> & Joined

/** The rows of a reply, its names joined to them. */
export const rowsOf = ({ conversations, ...names }: Named): ConversationRow[] =>
  conversations.map((item) => rowOf(item, names))

/** One conversation with its names, from what is given beside it. */
export function rowOf(item: ConversationItem, names: Omit<Named, 'conversations'>): ConversationRow {
  return {
    ...item,
    channel: at(names.channels, item.channel),
    assignee: item.assignee === null ? null : at(names.members, item.assignee),
    labels: item.labels.map((place) => at(names.labels, place)),
  }
}

function at<T>(all: readonly T[], place: number): T {
  const one = all[place]
  if (one === undefined) throw new Error(`A list of conversations names nothing at ${place}`)
  return one
}

/** The beginning of a list, as far as it was read, and where it goes on; `next` is null once all of it is there. */
export type HeldConversations = { rows: readonly ConversationRow[]; next: string | null }
type ConversationPage = { rows: readonly ConversationRow[]; next: string | null }

/** A place in the list, as the server writes it: microseconds and an id. */
export type Cursor = string
type Key = { micros: number; id: string }

/** Where the row is in the list. Instants have milliseconds. */
export const cursorOf = (row: ConversationRow, sort: InboxSorting): Cursor => {
  const { micros, id } = keyOf(row, sort)
  return `${micros}_${id}`
}

/** The place right before the row, after which a list goes on with it: other rows may have its instant. */
export function cursorBefore(row: ConversationRow, sort: InboxSorting): Cursor {
  const { micros, id } = keyOf(row, sort)
  const next = BigInt(`0x${id.replaceAll('-', '')}`) + (sort === 'newest' ? 1n : -1n)
  const digits = next.toString(16).padStart(32, '0')
  return `${micros}_${digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}`
}

/** Whether the row comes after the place; every row comes after null, the beginning. */
export const isAfter = (row: ConversationRow, cursor: Cursor | null, sort: InboxSorting): boolean =>
  cursor === null || compare(keyOf(row, sort), parse(cursor), sort) > 0

/**
 * The list with a page of it read again, or the next page. What the page covers, from `after` to its own end, is replaced;
 * what it names stands nowhere else. `keepId` stays although it's no longer in the page: the conversation that is open.
 */
export function merged(
  held: HeldConversations,
  after: Cursor | null,
  page: ConversationPage,
  sort: InboxSorting,
  keepId?: string,
): HeldConversations {
  const named = new Set(page.rows.map((row) => row.conversationId))
  const [from, to] = [after, page.next].map((cursor) => (cursor === null ? null : parse(cursor)))
  const end = held.rows.at(-1)
  const isNext = after !== null && after === held.next && end !== undefined && !isAfter(end, after, sort)
  // nothing to sort, however many there are
  if (isNext && !held.rows.some((row) => named.has(row.conversationId)))
    return { rows: [...held.rows, ...page.rows], next: page.next }
  const isCovered = (key: Key) => (!from || compare(key, from, sort) > 0) && (!to || compare(key, to, sort) <= 0)
  // the key of each row once: a list may hold many thousands
  const keyed = (row: ConversationRow) => ({ row, key: keyOf(row, sort) })
  const others = held.rows
    .map(keyed)
    .filter(({ row, key }) => !named.has(row.conversationId) && (row.conversationId === keepId || !isCovered(key)))
  const rows = [...others, ...page.rows.map(keyed)].toSorted((a, b) => compare(a.key, b.key, sort))
  return {
    rows: rows.map(({ row }) => row),
    next: endOf(
      held,
      page,
      others.map(({ key }) => key),
      sort,
    ),
  }
}

/** How far the list is known after the page was merged into it. */
function endOf(
  held: HeldConversations,
  page: ConversationPage,
  others: readonly Key[],
  sort: InboxSorting,
): string | null {
  const end = page.next
  if (end === null) return null
  // a complete list stays complete while anything of it comes after the page
  if (held.next === null) return others.some((key) => compare(key, parse(end), sort) > 0) ? null : end
  return compare(parse(held.next), parse(end), sort) > 0 ? held.next : end
}

/** The list without these conversations. */
export const without = (held: HeldConversations, ids: ReadonlySet<string>): HeldConversations => ({
  ...held,
  rows: held.rows.filter((row) => !ids.has(row.conversationId)),
})

function keyOf(row: ConversationRow, sort: InboxSorting): Key {
  // a list of those who wait has no others; one that stopped waiting while it is open keeps to its last moment
  const instant = sort === 'waiting' ? (row.waitingSince ?? row.lastAt) : row.lastAt
  return { micros: Date.parse(instant) * 1000, id: row.conversationId }
}

function parse(cursor: Cursor): Key {
  const [micros = '', id = ''] = cursor.split('_')
  return { micros: Number(micros), id }
}

function compare(a: Key, b: Key, sort: InboxSorting): number {
  const order = a.micros === b.micros ? (a.id < b.id ? -1 : a.id > b.id ? 1 : 0) : a.micros - b.micros
  return sort === 'newest' ? -order : order
}
