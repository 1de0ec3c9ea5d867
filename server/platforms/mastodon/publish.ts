import { because } from '#contract/failures/catalog.ts'
import { randomUUID } from 'node:crypto'
import { withoutNames, withShownMentions } from '#contract/platforms/fediverse.ts'
import { unsure } from '../jsonCalls.ts'
import { lookBack, SKEW_MS } from '../lookBack.ts'
import { threadFollowUps } from '../parts.ts'
import type { Outgoing, FollowUpToSend, Publish, Reach, Refusal, Sent, ReconcileAnswer } from '../platform.ts'
import { isText, type Match } from '../alterations.ts'
import { sameText } from '../findSent.ts'
import { APP_NAME } from './app.ts'
import { call, hostOf, READ_TIMEOUT_MS, refused, withSecret } from './client.ts'
import { edit, remove } from './change.ts'
import { refusalOfFiles } from './instance.ts'
import { isAttached, isGone } from './refusals.ts'
import { Status, Statuses, StatusSource, type MastodonSecret } from './schemas.ts'
import { bodyOf, filesOf, pieceOf, warningOf, type Item, type StatusBody } from './status.ts'
import { textOfHtml } from './text.ts'
import { idsOf, makeReady } from './uploads.ts'

const SEND_TIMEOUT_MS = 40_000
/** The maximum per page. A search may read several pages: servers accept 300 calls in five minutes (rack_attack.rb). */
const PAGE = '40'
const PAGES = 30
/** How many statuses' sources one search reads. */
const MOST_SOURCES = 10
/**
 * The calls of the largest search. Budgets count them for every search and get back what it didn't need, because the real number is only known
 * afterwards.
 */
export const SEARCH_CALLS = PAGES + MOST_SOURCES
const taking = 'publish-post'

const prepare: Publish['prepare'] = withSecret(async (reach, own, _account, post) => {
  return (await refusalOfFiles(reach, own, post)) ?? (await makeReady(reach, own, filesOf(post), post.progress))
})

/**
 * What is searched for after a lost response: a status with one of these files, or this text, that isn't one of the
 * known ones.
 */
export type Wanted = {
  item: Item
  warning: string
  mediaIds: readonly string[]
  replyTo: string | null
  known: readonly string[]
  since: Date
}
type Found = { kind: 'found'; status: Status } | { kind: 'none' } | Refusal

export async function find(reach: Reach, secret: MastodonSecret, wanted: Wanted): Promise<Found> {
  const { mediaIds, known, since } = wanted
  let sources = 0
  const found = await lookBack<Listed>({
    label: hostOf(secret),
    things: 'posts',
    since,
    order: 'newest first',
    mostPages: PAGES,
    page: async (below) => {
      const list = await call(reach, secret, {
        path: `/api/v1/accounts/${secret.userId}/statuses`,
        query: { limit: PAGE, exclude_reblogs: 'true', max_id: below ?? undefined },
        reply: Statuses,
      })
      if (list.kind !== 'ok') return unsure(refused(list, secret, 'show-post'))
      const items: Listed[] = []
      for (const status of list.value) {
        const read = mayBe(status, wanted) ? await sourceOf(reach, secret, status, (sources += 1)) : status
        if ('kind' in read) return read
        items.push({ at: status.created_at, ...read })
      }
      // servers filter statuses after counting them: only an empty page is the end
      return { kind: 'page', items, next: items.at(-1)?.id ?? null }
    },
    // a file belongs to only one status
    isCertain: (status) =>
      !known.includes(status.id) && status.media_attachments.some(({ id }) => mediaIds.includes(id)),
    isIt: (status) => isLike(status, wanted) && isIt(status, wanted),
  })
  return found.kind === 'found' ? { kind: 'found', status: found.item } : found
}

/** A status of the list; `source` is the original text if it was read, null if it can't be known. */
type Listed = Status & { at: Date | null; source?: string | null }

/** Whether everything but the text matches the status that is searched for. */
const isLike = (status: Status, { item, warning, replyTo, mediaIds, known }: Wanted): boolean =>
  mediaIds.length === 0 &&
  item.media.length === 0 &&
  !known.includes(status.id) &&
  status.media_attachments.length === 0 &&
  status.in_reply_to_id === replyTo &&
  sameText(status.spoiler_text, warning)

const says = (shown: string, written: string): boolean => sameText(withShownMentions(shown), withShownMentions(written))

const wordsOf = (content: string): string => textOfHtml(content, { marks: false })

/**
 * Whether a status says what is wanted, by what is shown or by its source. That isn't what was written either: a mention
 * is replaced by the name of whom it leads to, in other capitals or another name altogether
 * (app/services/process_mentions_service.rb, app/services/resolve_account_service.rb).
 */
function isIt({ content, source }: Listed, { item: { text } }: Wanted): Match {
  if (says(wordsOf(content), text) || (typeof source === 'string' && says(source, text))) return true
  return source === null || (source !== undefined && isText(source, text) !== false) ? 'maybe' : false
}

/**
 * Whether a status with a different displayed text may still be the one: some servers parse Markdown, which removes
 * marks and URLs and adds no letters or numbers, and mentions may show other names. It was posted by us since the attempt.
 */
const mayBe = (status: Status, wanted: Wanted): boolean =>
  isLike(status, wanted) &&
  (status.application === null || status.application.name === APP_NAME) &&
  (status.created_at === null || status.created_at.getTime() >= wanted.since.getTime() - SKEW_MS) &&
  mayMean(wordsOf(status.content), wanted.item.text)

const mayMean = (shown: string, written: string): boolean =>
  !says(shown, written) && (isPartOf(signsOf(shown), signsOf(written)) || isText(shown, written) !== false)

/** Letters, pictures, and numbers as a whole: what differs by a number alone is another post. */
const signsOf = (text: string): string[] =>
  withoutNames(text.normalize('NFKC').toLowerCase()).match(/@|\p{L}|\p{N}+|\p{Extended_Pictographic}/gu) ?? []

/** Whether the signs of `part` appear in `whole` in this order, possibly with others between them. */
function isPartOf(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0
  for (const sign of whole) if (part[at] === sign) at += 1
  return at === part.length && part.length > 0
}

/**
 * The status with its source, or null where it can't be known, so that a person is asked about it.
 */
async function sourceOf(reach: Reach, secret: MastodonSecret, status: Status, nth: number): Promise<Listed | Refusal> {
  if (nth > MOST_SOURCES) return { ...status, at: status.created_at, source: null }
  const read = await call(reach, secret, { path: `/api/v1/statuses/${status.id}/source`, reply: StatusSource })
  if (read.kind === 'ok') return { ...status, at: status.created_at, source: read.value.text }
  return isGone(read) ? { ...status, at: status.created_at, source: null } : unsure(refused(read, secret, 'show-post'))
}

const progressOf = (progress: Record<string, unknown>, { url }: Pick<Status, 'url'>): Record<string, unknown> => ({
  ...progress,
  ...(url !== null && { url }),
})

/**
 * The key makes a repeat within an hour harmless, once the first request has finished (docs.joinmastodon.org,
 * methods/statuses).
 */
export const publishStatus = (reach: Reach, secret: MastodonSecret, key: string, body: StatusBody) =>
  call(reach, secret, {
    path: '/api/v1/statuses',
    method: 'POST',
    headers: { 'idempotency-key': key },
    json: body,
    reply: Status,
    timeoutMs: SEND_TIMEOUT_MS,
  })

const notPrepared: Refusal = {
  kind: 'retry',
  first: 'prepare',
  reason: { ...because('not-uploaded', { platform: 'Mastodon' }), platformCode: 'not-prepared' },
}

const send: Publish['send'] = withSecret(async (reach, own, _account, post) => {
  const wanted = postWanted(post)
  if (!wanted) return notPrepared
  const made = await publishStatus(reach, own, post.sendKey, bodyOf(wanted.item, post.details, wanted.mediaIds))
  if (made.kind === 'ok')
    return { kind: 'sent', remoteId: made.value.id, progress: progressOf(post.progress, made.value) }
  return (await alreadyThere(isAttached(made), reach, own, wanted, post.progress)) ?? refused(made, own, taking, true)
})

/** Files that already belong to a status belong to this one, if an earlier attempt succeeded. */
export async function alreadyThere(
  isSuspected: boolean,
  reach: Reach,
  secret: MastodonSecret,
  wanted: Wanted,
  progress: Record<string, unknown>,
): Promise<Sent | Refusal | undefined> {
  if (!isSuspected) return undefined
  const found = await find(reach, secret, wanted)
  if (found.kind === 'found')
    return { kind: 'sent', remoteId: found.status.id, progress: progressOf(progress, found.status) }
  return found.kind === 'none' ? undefined : { kind: 'unknown', reason: found.reason }
}

function postWanted(post: Outgoing): Wanted | undefined {
  const [item] = post.contents
  const mediaIds = item && idsOf(item.media, post.progress)
  return (
    item &&
    mediaIds && { item, warning: warningOf(post.details), mediaIds, replyTo: null, known: [], since: post.createdAt }
  )
}

const reconcile: Publish['reconcile'] = withSecret(async (reach, own, _account, post) => {
  const wanted = postWanted(post)
  return wanted ? settled(await find(reach, own, wanted), post.progress) : { kind: 'absent' }
})

export function settled(found: Found, progress: Record<string, unknown>): ReconcileAnswer {
  if (found.kind === 'found')
    return { kind: 'sent', remoteId: found.status.id, progress: progressOf(progress, found.status) }
  return found.kind === 'none' ? { kind: 'absent' } : found
}

const readBack: Publish['readBack'] = withSecret(async (reach, own, _account, _post, remoteId) => {
  const seen = await call(reach, own, { path: `/api/v1/statuses/${remoteId}`, reply: Status })
  if (seen.kind === 'ok')
    return { kind: 'live', permalink: seen.value.url ?? `${own.origin}/@${own.username}/${remoteId}` }
  return isGone(seen) ? { kind: 'missing' } : unsure(refused(seen, own, 'show-post'))
})

const gone: Refusal = {
  kind: 'rejected',
  reason: { ...because('parent-unknown', { platform: 'Mastodon' }), platformCode: 'no-root' },
}

function partWanted(post: Outgoing, part: FollowUpToSend): Wanted | undefined {
  const piece = pieceOf(post, part)
  const mediaIds = piece && idsOf(piece.item.media, post.progress, part.progress)
  return (
    piece &&
    mediaIds && {
      ...piece,
      warning: warningOf(post.details),
      mediaIds,
      known: part.sent.map(({ remoteId }) => remoteId),
      since: post.createdAt,
    }
  )
}

const sendFollowUp: NonNullable<Publish['sendFollowUp']> = withSecret(async (reach, own, _account, post, part) => {
  const piece = pieceOf(post, part)
  if (!piece) return gone
  const wanted = partWanted(post, part)
  if (!wanted || part.progress.again === true) {
    // the files were uploaded with the post; any that are gone by now are uploaded for this follow-up alone
    const start = part.progress.files === undefined ? { files: post.progress.files, wasReady: true } : part.progress
    const ready = await makeReady(reach, own, piece.item.media, start)
    return ready.kind === 'prepared'
      ? { kind: 'preparing', progress: { ...ready.progress, again: false }, checkAfterSeconds: 0 }
      : ready.kind === 'preparing'
        ? { ...ready, progress: { ...ready.progress, again: true } }
        : ready
  }
  const made = await publishStatus(
    reach,
    own,
    part.sendKey,
    bodyOf(wanted.item, post.details, wanted.mediaIds, piece.replyTo),
  )
  if (made.kind === 'ok')
    return { kind: 'sent', remoteId: made.value.id, progress: progressOf(part.progress, made.value) }
  const there = await alreadyThere(isAttached(made), reach, own, wanted, part.progress)
  if (there) return there
  if (isGone(made))
    return { kind: 'rejected', reason: { ...because('parent-gone', { platform: hostOf(own) }), platformCode: '404' } }
  const refusal = refused(made, own, taking, true)
  // nothing was posted: the files are checked, and then it's tried again
  return refusal.kind === 'retry' && refusal.first === 'prepare'
    ? { kind: 'preparing', progress: { ...part.progress, again: true }, checkAfterSeconds: refusal.afterSeconds ?? 1 }
    : refusal
})

const reconcileFollowUp: NonNullable<Publish['reconcileFollowUp']> = withSecret(
  async (reach, own, _account, post, part) => {
    const wanted = partWanted(post, part)
    return wanted ? settled(await find(reach, own, wanted), part.progress) : { kind: 'absent' }
  },
)

export const publish: Publish = {
  chooseSendKey: () => randomUUID(),
  sendTimeoutSeconds: (SEND_TIMEOUT_MS + READ_TIMEOUT_MS) / 1000 + 5,
  needsPrepare: ({ contents }) => contents.some(({ media }) => media.length > 0),
  prepare,
  send,
  readBack,
  reconcile,
  // the servers' rules count calls in five minutes, at any pace (rack_attack.rb), and each status is a transaction of its
  // own without a lock on its account (app/services/post_status_service.rb). A small server answers ten requests at once
  // (config/puma.rb): no account takes half of them
  simultaneousSends: 4,
  findsByText: true,
  // the server remembers the key only after the first request finishes, and for an hour: too little to repeat a send
  // blindly
  sendIsRepeatable: false,
  followUps: threadFollowUps,
  sendFollowUp,
  reconcileFollowUp,
  remove,
  edit,
}
