import { z } from 'zod'
import type { PostMetrics } from '#contract/metrics.ts'
import type { PostType } from '#contract/platforms/rules.ts'
import type { LacksRights } from './account.ts'
import type { AccountRef, Reach, Refusal, Secret } from './calls.ts'

/*
 * The posts that an account published, wherever it did: from here, in the platform's own app, or with another tool. Nothing here
 * changes anything at the platform, so every call may be repeated.
 */

/** A published post as the platform lists it. */
export type FoundPost = {
  /** In the form in which publishing from here stores it, so that our own posts are found again. */
  remoteId: string
  postType: PostType
  publishedAt: Date
  /** As people see it, cut where no platform goes on; empty without one. */
  text: string
  permalink: string | null
  /** Of the post's first picture, or of its video. May expire. */
  pictureUrl: string | null
  /** What the platform reported along with the list. */
  figures?: PostMetrics
}

/** A page of posts, newest first. `next` is the cursor of the page after it; null on the last one. A page may be empty and not the last. */
export type PostsPage = { kind: 'posts'; posts: FoundPost[]; next: string | null }

export type OwnPosts = {
  /** How many posts a page has at most. What a page costs is `ownPosts` in the platform's budgets. */
  most: number
  /**
   * The account's own published posts: no replies to others, no comments, no reposts, of a thread only its first post, and nothing that
   * isn't published or that only its author sees. A post that is added or deleted between two pages makes no page repeat another one
   * or skip an older post.
   */
  list: (
    reach: Reach,
    secret: Secret,
    account: AccountRef,
    ask: {
      /** The newest without one. */
      cursor: string | null
      /** Asks for fewer than a page has, where the platform allows it: what is read may cost money. */
      atMost?: number
    },
  ) => Promise<PostsPage | LacksRights | Refusal>
  /** Permissions that it needs beyond publishing, in the platform's words. */
  needs?: readonly string[]
}

/** As many characters as the longest text of any platform has (YouTube's descriptions). */
const LONGEST_TEXT = 5000
/** No platform is older. */
const EARLIEST = Date.UTC(2000)
/** What PostgreSQL and people take for a date. */
const LATEST = Date.UTC(2100)

/** What a platform says of a post, before it's checked. */
type Told = Omit<FoundPost, 'publishedAt' | 'text' | 'permalink' | 'pictureUrl'> & {
  publishedAt: Date | null | undefined
  text: string | null | undefined
  permalink: string | null | undefined
  pictureUrl: string | null | undefined
}

/** The post, or undefined if it has no ID or no valid time: it's left out alone. */
export function foundPost({ publishedAt, text, permalink, pictureUrl, ...told }: Told): FoundPost | undefined {
  const at = publishedAt?.getTime() ?? Number.NaN
  if (told.remoteId === '' || !(at >= EARLIEST && at < LATEST)) return undefined
  return {
    ...told,
    publishedAt: new Date(at),
    text: (text ?? '').slice(0, LONGEST_TEXT).toWellFormed().trim(),
    permalink: webAddress(permalink),
    pictureUrl: webAddress(pictureUrl),
  }
}

const webAddress = (address: string | null | undefined): string | null =>
  address && URL.canParse(address) && /^https?:$/.test(new URL(address).protocol) ? address : null

/** The items of a list that can be parsed: one that can't is left out alone. */
export const parsable = <T>(item: z.ZodType<T>) =>
  z.array(z.unknown()).transform((list): T[] =>
    list.flatMap((one) => {
      const parsed = item.safeParse(one)
      return parsed.success ? [parsed.data] : []
    }),
  )
