import { randomUUID } from 'node:crypto'
import { withShownMentions } from '#contract/platforms/fediverse.ts'
import { unsure } from '../jsonCalls.ts'
import { lookBack } from '../lookBack.ts'
import { threadParts } from '../parts.ts'
import type { Outgoing, PartToSend, Publish, Reach, Refusal, Sent, SettleAnswer } from '../platform.ts'
import { sameText } from '../settling.ts'
import { call, hostOf, READ_TIMEOUT_MS, refused, withSecret } from './client.ts'
import { edit, remove } from './change.ts'
import { refusalOfFiles } from './instance.ts'
import { isAttached, isGone } from './refusals.ts'
import { Status, Statuses, type MastodonSecret } from './schemas.ts'
import { bodyOf, filesOf, pieceOf, warningOf, type Item, type StatusBody } from './status.ts'
import { textOfHtml } from './text.ts'
import { idsOf, makeReady } from './uploads.ts'

const SEND_TIMEOUT_MS = 40_000
/** The most that a page holds, and pages that one search may read: servers take 300 calls in five minutes (rack_attack.rb). */
const PAGE = '40'
const PAGES = 30
const taking = 'take the post'

const prepare: Publish['prepare'] = withSecret(async (reach, own, _account, post) => {
  return (await refusalOfFiles(reach, own, post)) ?? (await makeReady(reach, own, filesOf(post), post.progress))
})

/** What is looked for when an answer was lost: a status that shows one of these files, or says these words, and is none of those that are known. */
type Wanted = {
  item: Item
  warning: string
  mediaIds: readonly string[]
  replyTo: string | null
  known: readonly string[]
  since: Date
}
type Found = { kind: 'found'; status: Status } | { kind: 'none' } | Refusal

async function find(reach: Reach, secret: MastodonSecret, wanted: Wanted): Promise<Found> {
  const { mediaIds, known, since } = wanted
  const found = await lookBack({
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
      if (list.kind !== 'ok') return unsure(refused(list, secret, 'show the post'))
      // servers take statuses out after they counted them: only an empty page is the end
      const items = list.value.map((status) => ({ ...status, at: status.created_at }))
      return { kind: 'page', items, next: items.at(-1)?.id ?? null }
    },
    // a file belongs to one status only
    isCertain: (status) =>
      !known.includes(status.id) && status.media_attachments.some(({ id }) => mediaIds.includes(id)),
    isIt: (status) => !known.includes(status.id) && mediaIds.length === 0 && says(status, wanted),
  })
  return found.kind === 'found' ? { kind: 'found', status: found.item } : found
}

const says = (status: Status, { item, warning, replyTo }: Wanted): boolean =>
  status.media_attachments.length === 0 &&
  status.in_reply_to_id === replyTo &&
  sameText(status.spoiler_text, warning) &&
  sameText(withShownMentions(textOfHtml(status.content)), withShownMentions(item.text))

const progressOf = (progress: Record<string, unknown>, { url }: Pick<Status, 'url'>): Record<string, unknown> => ({
  ...progress,
  ...(url !== null && { url }),
})

/** The key makes a repeat within an hour harmless, once the first has come to its end (docs.joinmastodon.org, methods/statuses). */
const publishStatus = (reach: Reach, secret: MastodonSecret, key: string, body: StatusBody) =>
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
  reason: {
    text: 'The files have not been uploaded yet.',
    advice: 'They are uploaded by themselves.',
    platformCode: 'not-prepared',
  },
}

const send: Publish['send'] = withSecret(async (reach, own, _account, post) => {
  const wanted = postWanted(post)
  if (!wanted) return notPrepared
  const made = await publishStatus(reach, own, post.sendKey, bodyOf(wanted.item, post.details, wanted.mediaIds))
  if (made.kind === 'ok')
    return { kind: 'sent', remoteId: made.value.id, progress: progressOf(post.progress, made.value) }
  return (await alreadyThere(isAttached(made), reach, own, wanted, post.progress)) ?? refused(made, own, taking, true)
})

/** Files that belong to a status already belong to this one, if an earlier try was heard. */
async function alreadyThere(
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

const settle: Publish['settle'] = withSecret(async (reach, own, _account, post) => {
  const wanted = postWanted(post)
  return wanted ? settled(await find(reach, own, wanted), post.progress) : { kind: 'absent' }
})

function settled(found: Found, progress: Record<string, unknown>): SettleAnswer {
  if (found.kind === 'found')
    return { kind: 'sent', remoteId: found.status.id, progress: progressOf(progress, found.status) }
  return found.kind === 'none' ? { kind: 'absent' } : found
}

const readBack: Publish['readBack'] = withSecret(async (reach, own, _account, _post, remoteId) => {
  const seen = await call(reach, own, { path: `/api/v1/statuses/${remoteId}`, reply: Status })
  if (seen.kind === 'ok')
    return { kind: 'live', permalink: seen.value.url ?? `${own.origin}/@${own.username}/${remoteId}` }
  return isGone(seen) ? { kind: 'missing' } : unsure(refused(seen, own, 'show the post'))
})

const gone: Refusal = {
  kind: 'rejected',
  reason: { text: 'The post that this follows is not known.', advice: 'Add it on Mastodon.', platformCode: 'no-root' },
}

function partWanted(post: Outgoing, part: PartToSend): Wanted | undefined {
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

const sendPart: NonNullable<Publish['sendPart']> = withSecret(async (reach, own, _account, post, part) => {
  const piece = pieceOf(post, part)
  if (!piece) return gone
  const wanted = partWanted(post, part)
  if (!wanted || part.progress.again === true) {
    // the files went up with the post; what is gone since goes up for this part alone
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
    return {
      kind: 'rejected',
      reason: {
        text: `The post that this follows is no longer on ${hostOf(own)}.`,
        advice: 'Add it on Mastodon, or post again.',
        platformCode: '404',
      },
    }
  const refusal = refused(made, own, taking, true)
  // nothing was posted: the files are looked at, and then it is tried anew
  return refusal.kind === 'retry' && refusal.first === 'prepare'
    ? { kind: 'preparing', progress: { ...part.progress, again: true }, checkAfterSeconds: refusal.afterSeconds ?? 1 }
    : refusal
})

const settlePart: NonNullable<Publish['settlePart']> = withSecret(async (reach, own, _account, post, part) => {
  const wanted = partWanted(post, part)
  return wanted ? settled(await find(reach, own, wanted), part.progress) : { kind: 'absent' }
})

export const publish: Publish = {
  chooseSendKey: () => randomUUID(),
  sendTimeoutSeconds: (SEND_TIMEOUT_MS + READ_TIMEOUT_MS) / 1000 + 5,
  needsPrepare: ({ contents }) => contents.some(({ media }) => media.length > 0),
  prepare,
  send,
  readBack,
  settle,
  // the key is known to the server only when the first call has come to its end, and for an hour: too little to send again unseen
  sendIsRepeatable: false,
  parts: threadParts,
  sendPart,
  settlePart,
  remove,
  edit,
}
