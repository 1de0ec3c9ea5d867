import { because } from '#contract/failures/catalog.ts'
import type { Read, RecentPost, Refusal } from '../platform.ts'
import { refusalOf } from './refusals.ts'
import { PostRecordRead, RecordPage } from './schemas.ts'
import { withSecret } from './secret.ts'
import { xrpc, type Failed } from './xrpc.ts'

const PAGE = 50
/** How far to look back in an account that mostly replies. */
const PAGES = 4
const TIMEOUT_MS = 10_000

/**
 * Reads the repository, newest key first (com.atproto.repo.listRecords). Reposts aren't included: they are another
 * collection.
 */
export const recentPosts: Read['recentPosts'] = withSecret(async (reach, session, _account, limit) => {
  const { did, pds } = session
  const posts: RecentPost[] = []
  let cursor: string | undefined
  for (let page = 0; page < PAGES && posts.length < limit; page++) {
    const params = {
      repo: did,
      collection: 'app.bsky.feed.post',
      limit: String(PAGE),
      ...(cursor !== undefined && { cursor }),
    }
    const read = await xrpc(reach, {
      service: pds,
      nsid: 'com.atproto.repo.listRecords',
      params,
      reply: RecordPage,
      timeoutMs: TIMEOUT_MS,
    })
    if (read.kind !== 'ok') return hidden(read)
    posts.push(...read.value.records.flatMap(({ value }) => ownPost(value)))
    cursor = read.value.cursor
    if (cursor === undefined) break
  }
  return { kind: 'posts', posts: posts.slice(0, limit) }
})

/** For an account that was taken down or has moved, which is simply not found here. */
function hidden(failed: Failed): Refusal {
  const refusal = refusalOf(failed, { doing: 'show-posts', irreversible: false })
  if (refusal.kind !== 'rejected') return refusal
  return { ...refusal, reason: { ...refusal.reason, ...because('bluesky-posts-hidden') } }
}

function ownPost(value: unknown): RecentPost[] {
  const record = PostRecordRead.safeParse(value)
  if (!record.success || record.data.reply !== undefined || !record.data.text.trim()) return []
  const at = new Date(record.data.createdAt)
  return [{ text: record.data.text, createdAt: Number.isNaN(at.getTime()) ? null : at }]
}
