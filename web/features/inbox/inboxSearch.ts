import type { ConversationKind, ConversationStatus, InboxSorting, Sentiment } from '#contract/inbox/terms.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { rangeOf, type Day } from '#web/lib/dates.ts'
import type { InboxView } from './inboxViews.ts'
import type { ListQuery } from './useConversations.ts'

/** The route whose address holds all of this. */
export const INBOX = '/$orgId/project/$projectId/inbox'

/** A link is the current one only with all of its search: the inbox's differ in nothing else. */
export const exactly = { exact: true } as const

/**
 * Opens a conversation, or none, in the same list, at an item that was found. What was open of another one, such as its
 * notes, isn't of this one.
 */
export const opening =
  (conversationId: string | undefined, itemId?: string) =>
  <S extends object>(before: S) => ({ ...before, c: conversationId, at: itemId, notes: undefined })

/** Filters as they stand in the address; an absent one filters nothing. */
export type InboxFilters = {
  channelIds?: string[] | undefined
  platforms?: PlatformKey[] | undefined
  kinds?: ConversationKind[] | undefined
  status?: ConversationStatus[] | undefined
  assignees?: string[] | undefined
  labels?: string[] | undefined
  sentiments?: (Sentiment | 'unknown')[] | undefined
  unread?: 'yes' | undefined
  answered?: 'yes' | 'no' | undefined
  /** Conversations about this post. */
  about?: string | undefined
  from?: Day | undefined
  to?: Day | undefined
  q?: string | undefined
}

/** Every filter off, for taking them out of an address. */
export const noFilters = {
  channelIds: undefined,
  platforms: undefined,
  kinds: undefined,
  status: undefined,
  assignees: undefined,
  labels: undefined,
  sentiments: undefined,
  unread: undefined,
  answered: undefined,
  about: undefined,
  from: undefined,
  to: undefined,
  q: undefined,
} as const satisfies Record<keyof InboxFilters, undefined>

/** Only the filters of an address. */
export const filtersOf = (search: InboxFilters): InboxFilters => ({
  channelIds: search.channelIds,
  platforms: search.platforms,
  kinds: search.kinds,
  status: search.status,
  assignees: search.assignees,
  labels: search.labels,
  sentiments: search.sentiments,
  unread: search.unread,
  answered: search.answered,
  about: search.about,
  from: search.from,
  to: search.to,
  q: search.q,
})

export const isFiltering = (filters: InboxFilters): boolean =>
  Object.values(filtersOf(filters)).some((value) => Boolean(value?.length))

/** What each view asks for. What it fixes can't be filtered by as well. */
const viewQuery: Record<InboxView, Partial<ListQuery>> = {
  open: { status: ['OPEN'] },
  unread: { status: ['OPEN'], unread: 'true' },
  mine: { status: ['OPEN'], assignee: ['me'] },
  unassigned: { status: ['OPEN'], assignee: ['nobody'] },
  waiting: { status: ['OPEN', 'FOLLOWUP'], sort: 'waiting' },
  'follow-up': { status: ['FOLLOWUP'] },
  // wherever they are: a closed one needs someone as well
  'not-sent': { unsent: 'true' },
  closed: { status: ['CLOSED'] },
  all: {},
}

/** A search looks at conversations of any status, unless some are chosen. */
const viewAsks = (view: InboxView, q: string | undefined): Partial<ListQuery> => {
  const { status, ...rest } = viewQuery[view]
  return status === undefined || q ? rest : { ...rest, status }
}

/** Whether a conversation that is in the list stays there with another status. */
export function staysIn(view: InboxView, { q, status: chosen }: InboxFilters, status: ConversationStatus): boolean {
  const shown = chosen?.length ? chosen : viewAsks(view, q).status
  return shown === undefined || [shown].flat().includes(status)
}

export const fixesStatus = (view: InboxView, q: string | undefined): boolean => viewAsks(view, q).status !== undefined
/** Whether a search finds what the view leaves out otherwise. */
export const isWidened = (view: InboxView, { q, status }: InboxFilters): boolean =>
  Boolean(q) && !status?.length && viewQuery[view].status !== undefined
export const fixesAssignee = (view: InboxView): boolean => viewQuery[view].assignee !== undefined
export const fixesUnread = (view: InboxView): boolean => viewQuery[view].unread !== undefined
export const fixesSort = (view: InboxView): boolean => viewQuery[view].sort !== undefined

/** The view and the filters by their names on the wire; days are those of the zone. */
export function queryOf(view: InboxView, sort: InboxSorting, filters: InboxFilters, zone: string): ListQuery {
  const { channelIds, platforms, kinds, status, assignees, labels, sentiments, unread, answered, about, from, to, q } =
    filters
  return {
    sort,
    ...(channelIds?.length ? { channelId: channelIds } : {}),
    ...(platforms?.length ? { platform: platforms } : {}),
    ...(kinds?.length ? { kind: kinds } : {}),
    ...(status?.length ? { status } : {}),
    ...(assignees?.length ? { assignee: assignees } : {}),
    ...(labels?.length ? { labels } : {}),
    ...(sentiments?.length ? { sentiment: sentiments } : {}),
    ...(unread ? { unread: 'true' } : {}),
    ...(answered ? { answered: answered === 'yes' ? 'true' : 'false' } : {}),
    ...(about ? { postId: about } : {}),
    ...(from ? { from: rangeOf(from, from, zone).from.toISOString() } : {}),
    ...(to ? { to: rangeOf(to, to, zone).to.toISOString() } : {}),
    ...(q ? { q } : {}),
    ...viewAsks(view, q),
  }
}
