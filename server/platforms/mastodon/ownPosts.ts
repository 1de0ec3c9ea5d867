import { foundPost, type FoundPost, type OwnPosts } from '../ownPosts.ts'
import { call, refused, withSecret } from './client.ts'
import { metricsIn } from './metrics.ts'
import { Timeline, type ListedStatus } from './schemas.ts'
import { textOfHtml } from './text.ts'

/** The most that a page has (docs.joinmastodon.org, methods/accounts, statuses). */
const PAGE = 40

/** Who may see a status: not those that only followers or those mentioned see. */
const SHOWN = new Set(['public', 'unlisted'])

/**
 * The account's statuses, newest first, below an ID: what is added or deleted meanwhile moves nothing. `exclude_replies` keeps answers to
 * the account itself, which are the rest of a thread or comments.
 */
export const ownPosts: OwnPosts = {
  most: PAGE,
  list: withSecret(async (reach, own, _account, { cursor, atMost = PAGE }) => {
    const list = await call(reach, own, {
      path: `/api/v1/accounts/${own.userId}/statuses`,
      query: {
        limit: String(Math.min(PAGE, atMost)),
        exclude_replies: 'true',
        exclude_reblogs: 'true',
        max_id: cursor ?? undefined,
      },
      reply: Timeline,
    })
    if (list.kind !== 'ok') return refused(list, own, 'show-posts')
    const posts = list.value.flatMap((status) => (isOwn(status, own.userId) ? (postOf(status) ?? []) : []))
    // servers leave some out after counting a page: only an empty one is the last
    return { kind: 'posts', posts, next: list.value.at(-1)?.id ?? null }
  }),
}

const isOwn = (status: ListedStatus, userId: string): boolean =>
  status.in_reply_to_id === null &&
  status.reblog == null &&
  status.account?.id === userId &&
  SHOWN.has(status.visibility)

function postOf(status: ListedStatus): FoundPost | undefined {
  const [picture] = status.media_attachments
  return foundPost({
    remoteId: status.id,
    postType: 'post',
    publishedAt: status.created_at,
    text: [status.spoiler_text, textOfHtml(status.content)].filter(Boolean).join('\n\n'),
    permalink: status.url,
    pictureUrl: picture?.preview_url,
    figures: metricsIn(status),
  })
}
