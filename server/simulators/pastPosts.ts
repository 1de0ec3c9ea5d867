import { z } from 'zod'
import { FigureName } from '#contract/analytics/catalog/names.ts'
import { PostType, type PlatformKey } from '#contract/platforms/rules.ts'
import type { World } from './world.ts'

/* What accounts published before the simulators started, as the seed wrote it, with what it said of their figures. */

export const PastPost = z.object({
  remoteId: z.string(),
  postType: PostType,
  text: z.string(),
  at: z.number(),
  permalink: z.string(),
  /** What they come to in the end, by the catalog's names. */
  figures: z.partialRecord(FigureName, z.number().min(0)),
})
export type PastPost = z.infer<typeof PastPost>

type Figures = PastPost['figures']
const less = (figures: Figures, whole: FigureName, part: FigureName): number | undefined =>
  figures[whole] === undefined ? undefined : Math.max(0, figures[whole] - (figures[part] ?? 0))

/** What each platform calls the figures here: adapters add some of them up again. */
const names: Partial<Record<PlatformKey, (figures: Figures) => Record<string, number | undefined>>> = {
  facebook: (told) => ({
    post_media_view: told.views,
    post_total_media_view_unique: told.reach,
    post_clicks: told.clicks,
    post_reactions_by_type_total: told.likes,
    likes: told.likes,
    reactions: told.reactions,
    comments: told.comments,
    shares: told.shares,
  }),
  instagram: (told) => ({
    views: told.views,
    reach: told.reach,
    likes: told.reactions,
    comments: told.comments,
    saved: told.saves,
    shares: told.sends,
    reposts: less(told, 'shares', 'sends'),
    total_interactions: told.interactions,
    follows: told.followersGained,
    profile_visits: told.profileViews,
    navigation: told.navigation,
  }),
  threads: (told) => ({
    views: told.views,
    likes: told.reactions,
    replies: told.comments,
    reposts: told.reposts,
    quotes: told.quotes,
    shares: told.sends,
  }),
  linkedin: (told) => ({
    impressionCount: told.impressions,
    uniqueImpressionsCount: told.reach,
    likeCount: told.reactions,
    commentCount: told.comments,
    shareCount: told.shares,
    clickCount: told.clicks,
  }),
  x: (told) => ({
    impressions: told.impressions,
    likes: told.reactions,
    replies: told.comments,
    retweets: less(told, 'shares', 'quotes'),
    quotes: told.quotes,
    bookmarks: told.saves,
    clicks: told.linkClicks,
    profile: told.profileViews,
    engagements: told.interactions,
  }),
  mastodon: (told) => ({ favourites: told.reactions, reblogs: told.shares, replies: told.comments }),
  pinterest: (told) => ({
    IMPRESSION: told.impressions,
    SAVE: told.saves,
    PIN_CLICK: less(told, 'clicks', 'linkClicks'),
    OUTBOUND_CLICK: told.linkClicks,
    TOTAL_REACTIONS: told.reactions,
  }),
  tiktok: (told) => ({ views: told.views, likes: told.reactions, comments: told.comments, shares: told.shares }),
}

/** Lets a platform remember them: `account` is its ID here. */
export function rememberPosts(world: World, account: string, posts: readonly PastPost[]): void {
  for (const { remoteId, postType, text, at, permalink, figures } of posts) {
    if (world.posts.has(remoteId)) continue
    const made = world.native({ account, text, postType, number: world.numberAt(at), at })
    world.posts.set(remoteId, {
      account,
      media: [],
      parent: null,
      deleted: false,
      ...made,
      id: remoteId,
      text: world.keeps(text),
      createdAt: at,
      permalink,
      more: { ...made.more, ...(Object.keys(figures).length > 0 && { figures: names[world.key]?.(figures) ?? {} }) },
    })
  }
}
