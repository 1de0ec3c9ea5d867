import { because } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import { parsable, type FoundPost, type PostsPage } from './ownPosts.ts'
import type { Refusal } from './platform.ts'

/*
 * An account's own posts on Meta's platforms, which are in several lists, newest first. Cursors of the Graph API end with the item that
 * they name and mustn't be stored (Graph API, paginated results), so a page is what was published until a second.
 */

/** An edge whose items may be malformed: `at` says how far back it goes even where it is no post of ours. */
type Listed = { at: Date | null; post: FoundPost | undefined }
export type ListedPage = { kind: 'page'; items: readonly Listed[]; isLast: boolean }
/** Reads what was published until then, the newest without. */
export type ListUntil = (until: Record<string, string>) => Promise<ListedPage | Refusal>

/** A page of an edge that doesn't fail for one item; `next` is only on pages that aren't the last. */
export const edgeWithout = <T>(item: z.ZodType<T>) =>
  z.object({
    data: parsable(item),
    paging: z.object({ next: z.string().nullable().catch(null) }).catch({ next: null }),
  })

const Cursor = z.object({
  /** Seconds since 1970: everything later was listed, and what is named of this second. */
  until: z.int(),
  seen: z.array(z.string()),
})

/** The newest posts of these lists until the cursor, each once. */
export async function timelineOf(
  label: string,
  { cursor, most }: { cursor: string | null; most: number },
  lists: readonly ListUntil[],
): Promise<PostsPage | Refusal> {
  const place = placeIn(cursor)
  // whether the second itself belongs to the range isn't said: what is later is left out below
  const until: Record<string, string> = place ? { until: String(place.until + 1) } : {}
  const pages: ListedPage[] = []
  for (const list of lists) {
    const page = await list(until)
    if (page.kind !== 'page') return page
    pages.push(page)
  }
  const reached = pages.map(reachOf)
  if (reached.includes(null))
    return {
      kind: 'unknown',
      reason: { ...because('unreadable-answer', { platform: label }), platformCode: 'garbled' },
    }
  // further back, some list may have more
  const back = Math.max(...reached.map((second) => second ?? -Infinity))
  const found = [...new Map(pages.flatMap(({ items }) => items.flatMap(namedPost)).toReversed()).values()]
    .filter((post) => isNew(post, place) && secondOf(post.publishedAt) >= back)
    .toSorted((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime())
  const posts = found.slice(0, most)
  const oldest = posts.at(-1)
  const isCut = oldest !== undefined && posts.length < found.length
  const end = isCut ? secondOf(oldest.publishedAt) : back
  if (end === -Infinity) return { kind: 'posts', posts, next: null }
  const seen = posts.map(({ remoteId }) => remoteId)
  // a second that fills a page by itself is left after its first page
  const next: z.infer<typeof Cursor> =
    place && end >= place.until && seen.length === 0
      ? { until: place.until - 1, seen }
      : { until: end, seen: end === place?.until ? [...place.seen, ...seen] : seen }
  return { kind: 'posts', posts, next: JSON.stringify(next) }
}

const secondOf = (at: Date): number => Math.floor(at.getTime() / 1000)
const namedPost = ({ post }: Listed): [string, FoundPost][] => (post ? [[post.remoteId, post]] : [])

/** The second back to which a list is complete: no end if this is its last page, null if none of its items has a time. */
function reachOf({ items, isLast }: ListedPage): number | null {
  if (isLast) return -Infinity
  const times = items.flatMap(({ at }) => (at ? [secondOf(at)] : []))
  return times.length > 0 ? Math.min(...times) : null
}

const isNew = (post: FoundPost, place: z.infer<typeof Cursor> | undefined): boolean =>
  !place || (secondOf(post.publishedAt) <= place.until && !place.seen.includes(post.remoteId))

function placeIn(cursor: string | null): z.infer<typeof Cursor> | undefined {
  if (cursor === null) return undefined
  try {
    return Cursor.safeParse(JSON.parse(cursor)).data
  } catch {
    return undefined
  }
}
