import { because } from '#contract/failures/catalog.ts'
import { randomUUID } from 'node:crypto'
import { isGone, pageQuery } from '../graph.ts'
import { prepareContainer, publishContainer, settleContainer } from '../graphContainers.ts'
import { unclear } from '../graphRefusals.ts'
import { foundAs, lookBack } from '../lookBack.ts'
import { commentFollowUp } from '../parts.ts'
import type { Outgoing, FollowUp, Publish, Reach, Refusal } from '../platform.ts'
import { isText } from '../alterations.ts'
import { EARLY_MS, reconciledAs, type Found } from '../findSent.ts'
import { change, containersOf, read, READ_TIMEOUT_MS, withSecret } from './client.ts'
import { planOf } from './plan.ts'
import { dailyLimit, LABEL, refusalOf } from './refusals.ts'
import { CommentList, Made, Media, MediaList, PublishingLimit, Success, type InstagramSecret } from './schemas.ts'

const PUBLISH_TIMEOUT_MS = 60_000
const posting = { doing: 'publish-post', irreversible: true } as const
/**
 * The maximum number of comments per page (IG Media, comments). A search may read several pages: an account publishes
 * up to 100 posts a day.
 */
const PAGE = '50'
const PAGES = 10

const prepare: Publish['prepare'] = withSecret(
  async (reach, own, _account, post) => await prepareContainer(containersOf(reach, own), planOf(post), post.progress),
)

const send: Publish['send'] = withSecret(async (reach, own, account, post) => {
  return await publishContainer(
    LABEL,
    post.progress,
    () => reconcile(reach, own, account, post),
    async (container) => {
      const full = await limitReached(reach, own)
      if (full) return full
      // one attempt: what a failure means is found out by reading the container
      const published = await change(reach, own, {
        path: `/${own.userId}/media_publish`,
        method: 'POST',
        form: { creation_id: container },
        reply: Made,
        timeoutMs: PUBLISH_TIMEOUT_MS,
      })
      return published.kind === 'ok'
        ? { kind: 'sent', remoteId: published.value.id, progress: post.progress }
        : refusalOf(published, posting)
    },
  )
})

/** The guide names another daily limit than the reference, so the account itself is asked. */
async function limitReached(reach: Reach, secret: InstagramSecret): Promise<Refusal | undefined> {
  const limit = await read(
    reach,
    secret,
    `/${secret.userId}/content_publishing_limit`,
    { fields: 'quota_usage,config' },
    PublishingLimit,
  )
  if (limit.kind !== 'ok') {
    const refusal = refusalOf(limit, { doing: 'show-quota', irreversible: false })
    // if the account's limit can't be read, try to publish: Instagram refuses it if it's reached
    return refusal.kind === 'rejected' ? undefined : refusal
  }
  const [today] = limit.value.data
  return today?.config && today.quota_usage >= today.config.quota_total
    ? dailyLimit('content_publishing_limit')
    : undefined
}

/**
 * The account's own post with this text since then. A story has no text: it's the only one since then, or can't be
 * identified.
 */
async function find(reach: Reach, secret: InstagramSecret, post: Outgoing): Promise<Found> {
  if (post.postType === 'story') return await findStory(reach, secret, post.createdAt)
  const found = await lookBack({
    label: LABEL,
    things: 'posts',
    since: post.createdAt,
    order: 'newest first',
    mostPages: PAGES,
    page: async (next) => await mediaAt(reach, secret, 'media', next),
    isIt: ({ caption }) => isText(caption, post.contents[0]?.text),
  })
  return foundAs(found)
}

async function findStory(reach: Reach, secret: InstagramSecret, since: Date): Promise<Found> {
  const stories = new Set<string>()
  const all = await lookBack({
    label: LABEL,
    things: 'stories',
    since,
    order: 'not promised',
    mostPages: PAGES,
    page: async (next) => {
      const list = await mediaAt(reach, secret, 'stories', next)
      if (list.kind === 'page')
        for (const { id, at } of list.items)
          if (at !== null && at.getTime() >= since.getTime() - EARLY_MS) stories.add(id)
      return list
    },
    isIt: () => true,
  })
  return all.kind === 'found' && stories.size > 1 ? severalStories : foundAs(all)
}

const severalStories: Refusal = {
  kind: 'rejected',
  reason: { ...because('instagram-several-stories'), platformCode: 'several-stories' },
}

async function mediaAt(reach: Reach, secret: InstagramSecret, edge: 'media' | 'stories', next: string | null) {
  const query = { fields: 'id,caption,timestamp', limit: PAGE, ...pageQuery(next) }
  const list = await read(reach, secret, `/${secret.userId}/${edge}`, query, MediaList)
  if (list.kind !== 'ok') return unclear(list, LABEL)
  const items = list.value.data.map((media) => ({ ...media, at: media.timestamp }))
  return { kind: 'page' as const, items, next: list.value.paging.next }
}

const reconcile: Publish['reconcile'] = withSecret(async (reach, own, _account, post) => {
  return await settleContainer(containersOf(reach, own), post.progress, () => find(reach, own, post))
})

const readBack: Publish['readBack'] = withSecret(async (reach, own, _account, _post, remoteId) => {
  const found = await read(reach, own, `/${remoteId}`, { fields: 'id,permalink' }, Media)
  if (found.kind === 'ok')
    return found.value.permalink ? { kind: 'live', permalink: found.value.permalink } : { kind: 'missing' }
  return isGone(found) ? { kind: 'missing' } : unclear(found, LABEL)
})

/** Only for accounts that are connected through Facebook: the other sign-in has no such call. */
const remove: Publish['remove'] = withSecret(async (reach, own, _account, remoteId) => {
  if (own.login === 'instagram')
    return { kind: 'rejected', reason: { ...because('instagram-no-delete'), platformCode: 'no-delete' } }
  const gone = await change(reach, own, {
    path: `/${remoteId}`,
    method: 'DELETE',
    reply: Success,
    timeoutMs: READ_TIMEOUT_MS,
  })
  return gone.kind === 'ok' || isGone(gone)
    ? { kind: 'removed' }
    : refusalOf(gone, { doing: 'delete-post', irreversible: false })
})

const followUps = ({ postType, firstComment }: Pick<Outgoing, 'postType' | 'firstComment'>): FollowUp[] =>
  postType === 'story' ? [] : commentFollowUp({ firstComment })

const sendFollowUp: NonNullable<Publish['sendFollowUp']> = withSecret(async (reach, own, _account, post, part) => {
  const made = await change(reach, own, {
    path: `/${part.sent[0]?.remoteId ?? ''}/comments`,
    method: 'POST',
    form: { message: post.firstComment ?? '' },
    reply: Made,
    timeoutMs: PUBLISH_TIMEOUT_MS,
  })
  return made.kind === 'ok'
    ? { kind: 'sent', remoteId: made.value.id, progress: part.progress }
    : refusalOf(made, { doing: 'publish-comment', irreversible: true })
})

const reconcileFollowUp: NonNullable<Publish['reconcileFollowUp']> = withSecret(
  async (reach, own, account, post, part) => {
    const found = await lookBack({
      label: LABEL,
      things: 'comments',
      since: post.createdAt,
      order: 'newest first',
      mostPages: PAGES,
      page: async (next) => {
        const query = { fields: 'id,text,username,timestamp', limit: PAGE, ...pageQuery(next) }
        const list = await read(reach, own, `/${part.sent[0]?.remoteId ?? ''}/comments`, query, CommentList)
        return list.kind === 'ok'
          ? {
              kind: 'page',
              items: list.value.data.map((one) => ({ ...one, at: one.timestamp })),
              next: list.value.paging.next,
            }
          : unclear(list, LABEL)
      },
      isIt: ({ text, username }) =>
        (username === '' || `@${username}` === account.handle) && isText(text, post.firstComment),
    })
    return reconciledAs(foundAs(found), part.progress)
  },
)

export const publish: Publish = {
  chooseSendKey: () => randomUUID(),
  sendTimeoutSeconds: (PUBLISH_TIMEOUT_MS + READ_TIMEOUT_MS) / 1000 + 5,
  needsPrepare: () => true,
  prepare,
  send,
  readBack,
  reconcile,
  sendIsRepeatable: false,
  followUps,
  sendFollowUp,
  reconcileFollowUp,
  remove,
}
