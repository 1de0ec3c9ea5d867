import { z } from 'zod'
import type { Inbox, InboxChange, ReadAnswer, RemoteItem, RemoteMedia, RemotePerson } from '../inbox.ts'
import type { Reach, Refusal } from '../platform.ts'
import { placeInChain } from '../replyChain.ts'
import { call, refused, withSecret } from './client.ts'
import { isGone } from './refusals.ts'
import { Ancestors, Anything, Notifications, SpokenList, type MastodonSecret, type Spoken } from './schemas.ts'
import { actions, replies } from './replies.ts'
import { textOfHtml } from './text.ts'

/*
 * What people write to a Mastodon account: notifications of mentions, which replies and private mentions are too, and of
 * quotes; and the account's own statuses, so that answers that were written there are known. Where a status belongs follows
 * from what it answers, not from the kind of its notification.
 */

const PAGE = 10
/** Statuses that were read lately, looked at again for edits and deletions, which servers tell nobody of: as many as they show at once (DEFAULT_STATUSES_LIMIT). */
const WATCHED = 20
/** What one page may take: notifications, own statuses, those watched, each of them that isn't shown, and the ancestors of each reply. */
export const INBOX_CALLS = 3 + WATCHED + 2 * PAGE

const Cursor = z.object({
  /** The newest notification that was read, and while the first reading goes back, the oldest. */
  newest: z.string().nullable().catch(null),
  back: z.string().nullable().catch(null),
  /** The newest own status that was read. */
  own: z.string().nullable().catch(null),
  watched: z.array(z.string()).catch([]),
})
type Cursor = z.infer<typeof Cursor>

/** Also what the account's settings keep from its owner's list, such as private mentions of strangers (since 4.3). */
const ASKED = [
  ['types[]', 'mention'],
  ['types[]', 'quote'],
  ['include_filtered', 'true'],
] as const

/** What a status answers, up to where it began. */
type Chain = readonly Spoken[]

const read: Inbox['read'] = withSecret(
  async (reach, own, _account, { cursor, since }): Promise<ReadAnswer | Refusal> => {
    const at = Cursor.parse(cursor ?? {})
    const isFirst = at.newest === null || at.back !== null
    const page = isFirst ? { max_id: at.back } : { min_id: at.newest }
    const told = await call(reach, own, {
      path: `/api/v1/notifications?${queryOf([...ASKED, ['limit', String(PAGE)], ...Object.entries(page)])}`,
      reply: Notifications,
    })
    if (told.kind !== 'ok') return refused(told, own, 'show-inbox')
    const ours = await ownStatuses(reach, own, at)
    if ('kind' in ours) return ours
    const watched = await lookAgain(reach, own, at.back === null ? at.watched : [])
    if ('kind' in watched) return watched
    const statuses = [...told.value.flatMap(({ status }) => (status ? [status] : [])), ...ours, ...watched.seen]
    const chains = new Chains(reach, own)
    const changes: InboxChange[] = watched.gone.map((remoteId) => ({ change: 'deleted', remoteId, at: watched.at }))
    for (const status of statuses) {
      const chain = await chains.of(status)
      if ('kind' in chain) return chain
      const item = itemOf(status, chain, own)
      if (item) changes.push(item)
    }
    // the newest come first, whichever way the page was asked for
    const ids = told.value.map(({ id }) => id)
    const reachesBack = told.value.some(({ created_at: createdAt }) => createdAt !== null && createdAt < since)
    // servers leave some out after counting a page: going back, only an empty one is the last
    const goesOn = isFirst ? ids.length > 0 && !reachesBack : ids.length >= PAGE
    const heard = changes.flatMap((change) => (change.change === 'item' && !change.isOurs ? [change.remoteId] : []))
    const unwatched = new Set([...watched.gone, ...watched.hidden])
    const next: Cursor = {
      newest: isFirst ? (at.newest ?? newestOf(ids) ?? '0') : (newestOf(ids) ?? at.newest),
      back: isFirst && goesOn ? (ids.at(-1) ?? null) : null,
      own: newestOf(ours.map(({ id }) => id)) ?? at.own,
      // the newest stay: going back, they are those of the pages before
      watched: [...new Set(at.back === null ? [...heard, ...at.watched] : [...at.watched, ...heard])]
        .filter((id) => !unwatched.has(id))
        .slice(0, WATCHED),
    }
    return { kind: 'read', changes, cursor: next, more: goesOn }
  },
)

/** A query in which a name may come more than once; what is null is left out. */
const queryOf = (entries: readonly (readonly [string, string | null])[]): string =>
  new URLSearchParams(
    entries.flatMap(([name, value]): [string, string][] => (value === null ? [] : [[name, value]])),
  ).toString()

/** Ids are numbers, as text: longer ones are newer. */
const newestOf = (ids: readonly string[]): string | undefined =>
  ids.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1)).at(-1)

/** What the account wrote since, that answers something or someone. */
async function ownStatuses(reach: Reach, own: MastodonSecret, { own: newest }: Cursor): Promise<Spoken[] | Refusal> {
  const list = await call(reach, own, {
    path: `/api/v1/accounts/${own.userId}/statuses`,
    // at first, to know what was answered already
    query: { limit: newest === null ? '40' : String(PAGE), exclude_reblogs: 'true', min_id: newest ?? undefined },
    reply: SpokenList,
  })
  return list.kind === 'ok' ? list.value : refused(list, own, 'show-inbox')
}

type Again = {
  seen: Spoken[]
  gone: string[]
  /** Still there, and not worth looking at any more. */
  hidden: string[]
  at: Date
}

/**
 * Statuses that were read before, as they are now. Only servers since 4.3 show several at once, and they leave out those of
 * people whom the server limits (StatusFilter): what is missing is asked for by itself.
 */
async function lookAgain(reach: Reach, own: MastodonSecret, ids: readonly string[]): Promise<Again | Refusal> {
  const again: Again = { seen: [], gone: [], hidden: [], at: new Date(0) }
  if (ids.length === 0) return again
  const query = queryOf(ids.map((id) => ['id[]', id] as const))
  const list = await call(reach, own, { path: `/api/v1/statuses?${query}`, reply: SpokenList })
  if (list.kind !== 'ok') return isGone(list) ? again : refused(list, own, 'show-inbox')
  again.seen = list.value
  again.at = atOf(list.headers)
  const shown = new Set(list.value.map(({ id }) => id))
  for (const id of ids.filter((one) => !shown.has(one))) {
    const one = await call(reach, own, { path: `/api/v1/statuses/${id}`, reply: Anything })
    if (one.kind === 'ok') again.hidden.push(id)
    else if (isGone(one)) again.gone.push(id)
    else return refused(one, own, 'show-inbox')
  }
  return again
}

const atOf = (headers: Record<string, string>): Date => {
  const at = new Date(headers['date'] ?? '')
  return Number.isNaN(at.getTime()) ? new Date(0) : at
}

/** Reads what statuses answer, each only once. */
class Chains {
  readonly #reach: Reach
  readonly #own: MastodonSecret
  readonly #known = new Map<string, Chain>()

  constructor(reach: Reach, own: MastodonSecret) {
    this.#reach = reach
    this.#own = own
  }

  async of(status: Spoken): Promise<Chain | Refusal> {
    const { in_reply_to_id: parent } = status
    // private mentions belong to those who take part, whatever they answer
    if (parent === null || status.visibility === 'direct') return [status]
    const before = this.#known.get(parent)
    if (before) return this.#keep([...before, status])
    const seen = await call(this.#reach, this.#own, { path: `/api/v1/statuses/${status.id}/context`, reply: Ancestors })
    if (seen.kind !== 'ok') return isGone(seen) ? [status] : refused(seen, this.#own, 'show-inbox')
    return this.#keep([...seen.value.ancestors, status])
  }

  #keep(chain: Chain): Chain {
    for (const [place, { id }] of chain.entries()) this.#known.set(id, chain.slice(0, place + 1))
    return chain
  }
}

/** The item that a status is, or undefined where it is none of ours: what the account wrote unasked. */
function itemOf(
  status: Spoken & { quoted?: Spoken | null },
  chain: Chain,
  own: MastodonSecret,
): RemoteItem | undefined {
  const isOurs = status.account.id === own.userId
  const place = status.visibility === 'direct' ? messageIn(status, own) : postIn(status, chain, own)
  if (!place) return undefined
  return {
    change: 'item',
    remoteId: status.id,
    parentRemoteId: status.in_reply_to_id,
    author: isOurs ? null : personOf(status.account, own),
    isOurs,
    text: [status.spoiler_text, textOfHtml(status.content)].filter(Boolean).join('\n\n'),
    ...(status.spoiler_text && { warning: status.spoiler_text }),
    media: status.media_attachments.map(mediaOf),
    at: status.created_at ?? new Date(0),
    version: status.edited_at?.getTime() ?? 0,
    editedAt: status.edited_at,
    hidden: false,
    url: status.url,
    rating: null,
    ...place,
  }
}

type Place = Pick<RemoteItem, 'conversation' | 'type' | 'threadKey' | 'counterpart' | 'subject'>

/** A private mention: the same people, the same conversation. */
function messageIn(status: Spoken, own: MastodonSecret): Place | undefined {
  const others = new Map(
    [{ ...status.account, username: '' }, ...status.mentions]
      .filter(({ id }) => id !== own.userId)
      .map((person) => [person.id, person]),
  )
  const [only] = others.values()
  if (!only) return undefined
  const isAuthor = only.id === status.account.id
  const counterpart: RemotePerson = isAuthor
    ? personOf(status.account, own)
    : // a mention has no name and no picture, which replace nothing
      { remoteId: only.id, name: '', handle: handleOf(only.acct, own), pictureUrl: null, url: only.url }
  return {
    conversation: 'message',
    type: 'DIRECT_MESSAGE',
    threadKey: [...others.keys()].toSorted().join(','),
    counterpart: others.size === 1 ? counterpart : null,
    subject: null,
  }
}

function postIn(status: Spoken & { quoted?: Spoken | null }, chain: Chain, own: MastodonSecret): Place | undefined {
  const isMine = (one: Spoken | null | undefined): boolean => one?.account.id === own.userId
  const isAnswer = status.in_reply_to_account_id === own.userId && !chain.some(({ id }) => id === status.in_reply_to_id)
  const links = chain.map((one) => ({
    id: one.id,
    isOurs: isMine(one),
    // what it answers may be gone, and was the account's own all the same
    mentionsUs: one.mentions.some(({ id }) => id === own.userId) || (one === status && isAnswer),
  }))
  const quoted = isMine(status.quoted) ? status.quoted : null
  const place = placeInChain(links, quoted !== null && quoted !== undefined)
  if (!place) return undefined
  const { about, ...rest } = place
  const subject = rest.type === 'FOREIGN_POST' ? quoted : about === null ? null : chain[about]
  return { ...rest, counterpart: null, subject: subject ? subjectOf(subject, own) : null }
}

const subjectOf = (status: Spoken, own: MastodonSecret): RemoteItem['subject'] => {
  const isOurs = status.account.id === own.userId
  return {
    remoteId: status.id,
    text: textOfHtml(status.content),
    at: status.created_at,
    url: status.url,
    isOurs,
    person: isOurs ? null : personOf(status.account, own),
  }
}

const personOf = (
  { id, acct, display_name: name, avatar, url }: Spoken['account'],
  own: MastodonSecret,
): RemotePerson => ({
  remoteId: id,
  name: name || acct.replace(/@.*$/, ''),
  handle: handleOf(acct, own),
  pictureUrl: avatar,
  url,
})

/** People of the account's own server come without it. */
const handleOf = (acct: string, { domain }: MastodonSecret): string =>
  `@${acct.includes('@') ? acct : `${acct}@${domain}`}`

const kinds: Partial<Record<string, RemoteMedia['kind']>> = {
  image: 'image',
  video: 'video',
  gifv: 'video',
  audio: 'audio',
}
const mediaOf = ({ type, url, description }: Spoken['media_attachments'][number]): RemoteMedia => ({
  kind: kinds[type] ?? 'file',
  url: url ?? null,
  name: null,
  altText: description,
})

export const inbox: Inbox = { reads: [['mention', 'comment', 'message']], read, replies, actions }
