import { because } from '#contract/failures/catalog.ts'
import { randomUUID } from 'node:crypto'
import { withLink } from '#contract/platforms/sentText.ts'
import { isGone, pageQuery } from '../graph.ts'
import {
  notPrepared,
  prepareContainer,
  publishContainer,
  savedIn,
  settleContainer,
  type Form,
  type Planned,
} from '../graphContainers.ts'
import { unclear } from '../graphRefusals.ts'
import { foundAs, lookBack } from '../lookBack.ts'
import { answeredBy, itemOf, threadFollowUps } from '../parts.ts'
import type { MediaFile, Outgoing, FollowUpAnswer, FollowUpToSend, Publish, Reach, Refusal } from '../platform.ts'
import { isText } from '../alterations.ts'
import type { Found } from '../findSent.ts'
import { change, containersOf, read, READ_TIMEOUT_MS, withSecret } from './client.ts'
import { LABEL, refusalOf } from './refusals.ts'
import { Made, Media, MediaList, type ThreadsSecret } from './schemas.ts'
import { remove } from './remove.ts'

const PUBLISH_TIMEOUT_MS = 40_000
const posting = { doing: 'publish-post', irreversible: true } as const
/**
 * The maximum per page. A search may read several pages: an account publishes up to 250 posts and 1,000 replies a day.
 */
const PAGE = '100'
const PAGES = 12

type Item = Outgoing['contents'][number]

const needsUrl: Refusal = {
  kind: 'rejected',
  reason: { ...because('threads-no-public-address'), platformCode: 'no-public-address' },
}

/** The containers of one item, or a refusal if the platform couldn't fetch its files. */
export function planOf(item: Item, { link, replyTo }: { link?: string; replyTo?: string }): Planned {
  const urls = item.media.map((file) => file.url())
  if (urls.includes(null)) return needsUrl
  const files = item.media.map((file, index) => fileForm(file, urls[index] ?? ''))
  const common = { reply_to_id: replyTo }
  const [only] = files
  // only text posts have a link card; with files, the link is part of the text
  if (!only)
    return {
      kind: 'plan',
      plan: {
        children: [],
        post: () => ({ media_type: 'TEXT', text: item.text, link_attachment: link || undefined, ...common }),
      },
    }
  const text = withLink(item.text, link) || undefined
  if (files.length === 1) return { kind: 'plan', plan: { children: [], post: () => ({ ...only, text, ...common }) } }
  return {
    kind: 'plan',
    plan: {
      children: files.map((form) => ({ ...form, is_carousel_item: 'true' })),
      post: (children) => ({ media_type: 'CAROUSEL', children: children.join(','), text, ...common }),
    },
  }
}

function fileForm(file: MediaFile, url: string): Form {
  const alt_text = file.altText || undefined
  return file.contentType.startsWith('video/')
    ? { media_type: 'VIDEO', video_url: url, alt_text }
    : { media_type: 'IMAGE', image_url: url, alt_text }
}

const linkOf = ({ details }: Pick<Outgoing, 'details'>): string =>
  typeof details.link === 'string' ? details.link : ''
/** The text as the platform shows it. */
const textOf = (item: Item, link: string): string => (item.media.length > 0 ? withLink(item.text, link) : item.text)

const prepare: Publish['prepare'] = withSecret(async (reach, own, _account, post) => {
  const [item] = post.contents
  const planned = item ? planOf(item, { link: linkOf(post) }) : notPrepared
  return await prepareContainer(containersOf(reach, own), planned, post.progress)
})

const send: Publish['send'] = withSecret(async (reach, own, account, post) => {
  return await publishContainer(
    LABEL,
    post.progress,
    () => reconcile(reach, own, account, post),
    async (container) => {
      // one attempt: what a failure means is found out by reading the container
      const published = await makePublic(reach, own, container)
      return published.kind === 'ok'
        ? { kind: 'sent', remoteId: published.value.id, progress: post.progress }
        : refusalOf(published, posting)
    },
  )
})

export const makePublic = (
  reach: Reach,
  secret: ThreadsSecret,
  container: string,
  timeoutMs: number = PUBLISH_TIMEOUT_MS,
) =>
  change(reach, secret, {
    path: `/${secret.userId}/threads_publish`,
    method: 'POST',
    form: { creation_id: container },
    reply: Made,
    timeoutMs,
  })

/** The account's own post or reply with this text since then that isn't one of the known others. */
export async function find(
  reach: Reach,
  secret: ThreadsSecret,
  edge: 'threads' | 'replies',
  text: string,
  since: Date,
  known: readonly string[] = [],
): Promise<Found> {
  const found = await lookBack({
    label: LABEL,
    things: edge === 'threads' ? 'posts' : 'replies',
    since,
    order: 'newest first',
    mostPages: PAGES,
    page: async (next) => {
      const query = { limit: PAGE, ...pageQuery(next) }
      const list = await read(reach, secret, `/${secret.userId}/${edge}`, 'id,text,timestamp', MediaList, query)
      return list.kind === 'ok'
        ? {
            kind: 'page',
            items: list.value.data.map((one) => ({ ...one, at: one.timestamp })),
            next: list.value.paging.next,
          }
        : unclear(list, LABEL)
    },
    isIt: (media) => !known.includes(media.id) && isText(media.text, text),
  })
  return foundAs(found)
}

const reconcile: Publish['reconcile'] = withSecret(async (reach, own, _account, post) => {
  const [item] = post.contents
  return await settleContainer(containersOf(reach, own), post.progress, () =>
    find(reach, own, 'threads', item ? textOf(item, linkOf(post)) : '', post.createdAt),
  )
})

const readBack: Publish['readBack'] = withSecret(async (reach, own, _account, _post, remoteId) => {
  const found = await read(reach, own, `/${remoteId}`, 'id,permalink', Media)
  if (found.kind === 'ok')
    return found.value.permalink ? { kind: 'live', permalink: found.value.permalink } : { kind: 'missing' }
  return isGone(found) ? { kind: 'missing' } : unclear(found, LABEL)
})

/** The content of a follow-up, and what it replies to. */
function partOf(post: Outgoing, part: FollowUpToSend): { item: Item; replyTo: string } | undefined {
  const [item, replyTo] = [itemOf(post, part), answeredBy(part)]
  return item && replyTo !== undefined ? { item, replyTo } : undefined
}

/**
 * The container is stored before it's published, so that a lost response can be reconciled: hence never both in one
 * call.
 */
const sendFollowUp: Publish['sendFollowUp'] = withSecret(async (reach, own, account, post, part) => {
  const saved = savedIn(part.progress)
  if (saved.published) {
    const settled = await reconcileFollowUp(reach, own, account, post, part)
    return settled.kind === 'absent'
      ? {
          kind: 'unknown',
          reason: { ...because('published-not-shown', { platform: 'Threads' }), platformCode: 'PUBLISHED' },
        }
      : settled
  }
  if (saved.container === null || part.progress.ready !== true) return await preparePart(reach, own, post, part)
  const published = await makePublic(reach, own, saved.container)
  if (published.kind === 'ok') return { kind: 'sent', remoteId: published.value.id, progress: part.progress }
  const refusal = refusalOf(published, posting)
  // the container's state is checked first
  return refusal.kind === 'retry' && refusal.first === 'prepare'
    ? { kind: 'preparing', progress: { ...part.progress, ready: false }, checkAfterSeconds: 30 }
    : refusal
})

async function preparePart(
  reach: Reach,
  secret: ThreadsSecret,
  post: Outgoing,
  part: FollowUpToSend,
): Promise<FollowUpAnswer> {
  const what = partOf(post, part)
  const planned = what ? planOf(what.item, { replyTo: what.replyTo }) : notPrepared
  const answer = await prepareContainer(containersOf(reach, secret), planned, part.progress)
  return answer.kind === 'prepared'
    ? { kind: 'preparing', progress: { ...answer.progress, ready: true }, checkAfterSeconds: 0 }
    : answer
}

const reconcileFollowUp: NonNullable<Publish['reconcileFollowUp']> = withSecret(
  async (reach, own, _account, post, part) => {
    const what = partOf(post, part)
    return await settleContainer(containersOf(reach, own), part.progress, () =>
      find(
        reach,
        own,
        'replies',
        what?.item.text ?? '',
        post.createdAt,
        part.sent.map(({ remoteId }) => remoteId),
      ),
    )
  },
)

export const publish: Publish = {
  chooseSendKey: () => randomUUID(),
  sendTimeoutSeconds: (PUBLISH_TIMEOUT_MS + 2 * READ_TIMEOUT_MS) / 1000 + 5,
  needsPrepare: () => true,
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
