import type { PostTableRow } from '#contract/analytics/posts.ts'
import type { PostType } from '#contract/platforms/rules.ts'

/** What a post is to the eye, as the mark of one without a picture says it. */
export type KindOfPost = 'text' | 'picture' | 'pictures' | 'video' | 'document' | 'story' | 'offer' | 'event' | 'post'

/** Types of posts that say it on their own; a story is one whatever it shows. */
const ofType: Partial<Record<PostType, KindOfPost>> = {
  reel: 'video',
  video: 'video',
  shorts: 'video',
  story: 'story',
  pin: 'picture',
  offers: 'offer',
  events: 'event',
}

/** The kind of a post by its type, else by its media; `post` where neither is known, such as of posts published elsewhere. */
export function kindOfPost({ postType, media }: Pick<PostTableRow, 'postType' | 'media'>): KindOfPost {
  if (postType === 'pin' && media === 'video') return 'video'
  return ofType[postType] ?? (media === 'mixed' ? 'pictures' : (media ?? 'post'))
}
