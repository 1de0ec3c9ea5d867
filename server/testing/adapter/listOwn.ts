import type { PostType } from '#contract/platforms/rules.ts'
import type { FoundPost } from '../../platforms/ownPosts.ts'
import { worldIdOf } from '../../simulators/past.ts'
import { deletePost, publishNatives } from '../../simulators/natives.ts'
import type { Visitor } from '../visitor.ts'
import type { Channel } from './channel.ts'

/* Lists an account's own posts with its adapter, page by page, as the import does, among posts from elsewhere. */

/** More pages than any test needs. */
const MOST_PAGES = 60

/** One page, or what the platform refused with. */
export async function listPage({ platform, reach, secret, account }: Channel, cursor: string | null) {
  if (!platform.ownPosts) throw new Error(`${platform.key} lists no posts`)
  return await platform.ownPosts.list(reach, secret, account, { cursor })
}

/** Everything, newest first. `between` happens after each page but the last. Throws what isn't a page. */
export async function listOwn(
  channel: Channel,
  between: (seen: readonly FoundPost[], page: number) => void = () => undefined,
): Promise<{ posts: FoundPost[]; pages: FoundPost[][] }> {
  const pages: FoundPost[][] = []
  let cursor: string | null = null
  do {
    const page = await listPage(channel, cursor)
    if (page.kind !== 'posts') throw new Error(JSON.stringify(page))
    pages.push(page.posts)
    cursor = page.next
    if (cursor !== null) between(page.posts, pages.length)
  } while (cursor !== null && pages.length < MOST_PAGES)
  if (cursor !== null) throw new Error(`it goes on after ${MOST_PAGES} pages`)
  return { posts: pages.flat(), pages }
}

/** Posts of the channel's account from elsewhere, oldest first: `days` back, or now. Returns their IDs. */
export function addNatives(
  visit: Visitor,
  { key, account }: Channel,
  {
    count = 1,
    days = 0,
    text = 'Another tool wrote this',
    postType,
  }: { count?: number; days?: number; text?: string; postType?: PostType } = {},
): string[] {
  const { state } = visit.platform(key)
  const from = worldIdOf(account.remoteId)
  return publishNatives(state, { from, text, count, days, postType }, visit.clock.now).map(({ id }) => id)
}

/** Someone deletes a post there. */
export const deleteThere = (visit: Visitor, { key }: Channel, id: string): void =>
  void deletePost(visit.platform(key).state, id)
