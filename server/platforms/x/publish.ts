import { because } from '#contract/failures/catalog.ts'
import { randomUUID } from 'node:crypto'
import { answeredBy, threadFollowUps } from '../parts.ts'
import type { Outgoing, FollowUpToSend, Publish, Reach, Refusal, Sent } from '../platform.ts'
import { reconciledAs } from '../findSent.ts'
import { call, READ_TIMEOUT_MS, unclear, withSecret } from './client.ts'
import { isDuplicate, isGone, isMediaGone, refusalOf } from './refusals.ts'
import { remove } from './remove.ts'
import { Made, OnePost, Prepared, type XSecret } from './schemas.ts'
import { addressOf, findPost, type Wanted } from './timeline.ts'
import { filesOf, idsOf, preparing, uploadSome, type Media } from './uploads.ts'

const SEND_TIMEOUT_MS = 30_000
const posting = { doing: 'publish-post', irreversible: true } as const
const notPrepared: Refusal = {
  kind: 'retry',
  first: 'prepare',
  reason: { ...because('not-uploaded', { platform: 'X' }), platformCode: 'not-prepared' },
}

const allFiles = ({ contents }: Pick<Outgoing, 'contents'>) => contents.flatMap((_, item) => filesOf(contents, item))
const mediaIn = (progress: Record<string, unknown>): Media => Prepared.parse(progress).media

/**
 * Uploads the files of the whole thread before its first post: nothing of a thread should be published if a file is
 * refused.
 */
const prepare: Publish['prepare'] = withSecret(async (reach, own, _account, post) => {
  // X drops uploads after a while: then everything is uploaded again
  const { prepared, ...progress } = post.progress
  const media = prepared === true ? {} : mediaIn(progress)
  const answer = await uploadSome(reach, own, allFiles(post), media)
  if (answer.kind === 'whole') return { kind: 'prepared', progress: { ...progress, media, prepared: true } }
  return answer.kind === 'some' ? preparing(progress, answer.media, answer.checkAfterSeconds) : answer
})

/** Creates one post, as a reply to another one if that is named. */
export const create = (reach: Reach, secret: XSecret, text: string, mediaIds: readonly string[], replyTo?: string) =>
  call(reach, secret, {
    path: '/2/tweets',
    method: 'POST',
    json: {
      text,
      ...(mediaIds.length > 0 && { media: { media_ids: mediaIds } }),
      ...(replyTo !== undefined && { reply: { in_reply_to_tweet_id: replyTo } }),
    },
    reply: Made,
    timeoutMs: SEND_TIMEOUT_MS,
  })

const wantedPost = (post: Outgoing): Wanted => ({
  text: post.contents[0]?.text ?? '',
  mediaIds: idsOf(filesOf(post.contents, 0), mediaIn(post.progress)) ?? [],
  since: post.createdAt,
  known: [],
})

const send: Publish['send'] = withSecret(async (reach, own, _account, post) => {
  const mediaIds = idsOf(filesOf(post.contents, 0), mediaIn(post.progress))
  if (!mediaIds) return notPrepared
  // one attempt: X has no idempotency key
  const made = await create(reach, own, post.contents[0]?.text ?? '', mediaIds)
  if (made.kind === 'ok') return { kind: 'sent', remoteId: made.value.data.id, progress: post.progress }
  return (
    (await alreadyThere(isDuplicate(made), reach, own, wantedPost(post), post.progress)) ?? refusalOf(made, posting)
  )
})

/** If a post is refused as a duplicate, an earlier send may have created it: then this finds it. */
async function alreadyThere(
  isRepeat: boolean,
  reach: Reach,
  secret: XSecret,
  wanted: Wanted,
  progress: Record<string, unknown>,
): Promise<Sent | undefined> {
  if (!isRepeat) return undefined
  const found = await findPost(reach, secret, wanted)
  return found.kind === 'found' ? { kind: 'sent', remoteId: found.id, progress } : undefined
}

const reconcile: Publish['reconcile'] = withSecret(async (reach, own, _account, post) =>
  reconciledAs(await findPost(reach, own, wantedPost(post)), post.progress),
)

const readBack: Publish['readBack'] = withSecret(async (reach, own, account, _post, remoteId) => {
  const seen = await call(reach, own, { path: `/2/tweets/${remoteId}`, reply: OnePost })
  if (seen.kind === 'ok')
    return seen.value.data ? { kind: 'live', permalink: addressOf(account, remoteId) } : { kind: 'missing' }
  return isGone(seen) ? { kind: 'missing' } : unclear(seen)
})

const placeOf = (part: FollowUpToSend): number => (part.kind === 'item' ? part.item : -1)
const textOf = (post: Outgoing, part: FollowUpToSend): string =>
  part.kind === 'item' ? (post.contents[part.item]?.text ?? '') : (post.firstComment ?? '')
/** A follow-up's files: those that were uploaded with the post, unless X has dropped them since. */
const mediaOf = (post: Outgoing, part: FollowUpToSend): Media => ({
  ...(part.progress.mediaGone === true ? {} : mediaIn(post.progress)),
  ...mediaIn(part.progress),
})
const wantedPart = (post: Outgoing, part: FollowUpToSend): Wanted => ({
  text: textOf(post, part),
  mediaIds: idsOf(filesOf(post.contents, placeOf(part)), mediaOf(post, part)) ?? [],
  since: post.createdAt,
  ...(part.sent[0] && { conversation: part.sent[0].remoteId }),
  known: part.sent.map(({ remoteId }) => remoteId),
})

const sendFollowUp: Publish['sendFollowUp'] = withSecret(async (reach, own, _account, post, part) => {
  const replyTo = answeredBy(part)
  if (replyTo === undefined) return notPrepared
  const files = filesOf(post.contents, placeOf(part))
  const media = mediaOf(post, part)
  const mediaIds = idsOf(files, media)
  if (!mediaIds) {
    const answer = await uploadSome(reach, own, files, media)
    return answer.kind === 'some'
      ? preparing(part.progress, answer.media, answer.checkAfterSeconds)
      : answer.kind === 'whole'
        ? notPrepared
        : answer
  }
  const made = await create(reach, own, textOf(post, part), mediaIds, replyTo)
  if (made.kind === 'ok') return { kind: 'sent', remoteId: made.value.data.id, progress: part.progress }
  // nothing was posted: its files are uploaded once more
  if (isMediaGone(made) && part.progress.mediaGone !== true)
    return { kind: 'preparing', progress: { mediaGone: true }, checkAfterSeconds: 0 }
  return (
    (await alreadyThere(isDuplicate(made), reach, own, wantedPart(post, part), part.progress)) ??
    refusalOf(made, { doing: 'publish-reply', irreversible: true })
  )
})

const reconcileFollowUp: NonNullable<Publish['reconcileFollowUp']> = withSecret(
  async (reach, own, _account, post, part) =>
    reconciledAs(await findPost(reach, own, wantedPart(post, part)), part.progress),
)

export const publish: Publish = {
  chooseSendKey: () => randomUUID(),
  sendTimeoutSeconds: (SEND_TIMEOUT_MS + READ_TIMEOUT_MS) / 1000 + 5,
  needsPrepare: (post) => allFiles(post).length > 0,
  prepare,
  send,
  readBack,
  reconcile,
  sendIsRepeatable: false,
  followUps: threadFollowUps,
  sendFollowUp,
  reconcileFollowUp,
  remove,
}
