import { because } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import { foundPost, type FoundPost, type OwnPosts } from '../ownPosts.ts'
import type { Reach, Refusal } from '../platform.ts'
import { call, isOrganization, withSecret } from './client.ts'
import { fromLittle } from './littleText.ts'
import { madeAt, permalinkOf } from './publish.ts'
import { refusalOf } from './refusals.ts'
import { AuthoredPosts, type AuthoredPost, type LinkedInSecret } from './schemas.ts'

const PAGE = 50
/** How many posts of the page before are read again, to notice that posts before it were deleted. */
const OVERLAP = 5
/** How often the reading goes back where more than those were deleted. */
const MOST_CALLS = 4

const READS_PAGES = ['r_organization_social', 'w_organization_social']
const READS_PROFILES = 'r_member_social'

/** LinkedIn gives that permission to few apps (learn.microsoft.com/linkedin, increasing access), and we don't ask for it. */
const closed: Refusal = {
  kind: 'rejected',
  reason: { ...because('linkedin-profile-posts-closed'), platformCode: READS_PROFILES },
}

/** Pages are places in the list, which moves when posts are added or deleted before them. */
const Cursor = z.object({
  start: z.int().nonnegative(),
  /** When the last post of the page before was created, in milliseconds since 1970, and which posts it had. */
  at: z.number(),
  seen: z.array(z.string()),
})
type Cursor = z.infer<typeof Cursor>

/** The finder by author, newest first (Posts API). Pages only: LinkedIn lets hardly any app list a profile's posts. */
export const ownPosts: OwnPosts = {
  most: PAGE,
  needs: ['r_organization_social'],
  list: withSecret(async (reach, own, _account, { cursor }) => {
    if (!isOrganization(own) && !own.scopes.includes(READS_PROFILES)) return closed
    if (isOrganization(own) && !own.scopes.some((scope) => READS_PAGES.includes(scope)))
      return { kind: 'rights', missing: ['r_organization_social'] }
    const at = cursorIn(cursor)
    const page = await pageAt(reach, own, at)
    if ('kind' in page) return page
    const { start, elements } = page
    const fresh = elements.filter((post) => isNew(post, at))
    const last = elements.at(-1)
    const next: Cursor | null =
      // pages can be shorter than requested: only an empty one is the last
      last === undefined
        ? null
        : {
            start: start + elements.length,
            at: Math.min(timeOf(last), at?.at ?? Infinity),
            seen: elements.map(({ id }) => id),
          }
    return {
      kind: 'posts',
      posts: fresh.flatMap((post) => (isOwn(post, own) ? (postOf(post) ?? []) : [])),
      next: next && JSON.stringify(next),
    }
  }),
}

type Elements = { start: number; elements: AuthoredPost[] }

async function read(reach: Reach, own: LinkedInSecret, start: number): Promise<Elements | Refusal> {
  const list = await call(reach, own, {
    path: '/rest/posts',
    query: { q: 'author', author: own.author, count: String(PAGE), start: String(start), sortBy: 'CREATED' },
    reply: AuthoredPosts,
  })
  return list.kind === 'ok'
    ? { start, elements: list.value.elements }
    : refusalOf(list, { doing: 'show-posts', irreversible: false })
}

/** The page there: from further back until it joins the one before, and then on until there is something new. */
async function pageAt(reach: Reach, own: LinkedInSecret, at: Cursor | undefined): Promise<Elements | Refusal> {
  if (!at) return await read(reach, own, 0)
  let start = Math.max(0, at.start - OVERLAP)
  let page = await read(reach, own, start)
  for (let calls = 2; calls < MOST_CALLS && !('kind' in page) && start > 0 && !joins(page, at); calls++) {
    start = Math.max(0, start - PAGE + OVERLAP)
    page = await read(reach, own, start)
  }
  if ('kind' in page || page.elements.some((post) => isNew(post, at))) return page
  return await read(reach, own, page.start + page.elements.length)
}

/** Whether its first post was listed before, or is newer than those: then nothing is between. */
const joins = ({ elements: [first] }: Elements, { at, seen }: Cursor): boolean =>
  first !== undefined && (seen.includes(first.id) || timeOf(first) > at)

const isNew = (post: AuthoredPost, at: Cursor | undefined): boolean =>
  !at || (timeOf(post) <= at.at && !at.seen.includes(post.id))

const timeOf = ({ id, createdAt, publishedAt }: AuthoredPost): number =>
  (createdAt ?? publishedAt ?? madeAt(id))?.getTime() ?? Infinity

/** Published in the feed by this author: no draft, no ad without a post, and nothing that was only passed on. */
const isOwn = (post: AuthoredPost, { author }: LinkedInSecret): boolean =>
  (post.author === '' || post.author === author) &&
  (post.lifecycleState === '' || post.lifecycleState === 'PUBLISHED') &&
  post.distribution.feedDistribution !== 'NONE' &&
  (post.reshareContext == null || post.commentary !== '')

const postOf = (post: AuthoredPost): FoundPost | undefined =>
  foundPost({
    remoteId: post.id,
    postType: 'post',
    publishedAt: post.publishedAt ?? post.createdAt ?? madeAt(post.id),
    text: fromLittle(post.commentary),
    permalink: permalinkOf(post.id),
    // pictures are URNs, each of which would be another call
    pictureUrl: null,
  })

function cursorIn(cursor: string | null): Cursor | undefined {
  if (cursor === null) return undefined
  try {
    return Cursor.safeParse(JSON.parse(cursor)).data
  } catch {
    return undefined
  }
}
