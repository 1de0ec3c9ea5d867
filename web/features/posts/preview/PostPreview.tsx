import type { ComponentType } from 'react'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { BlueskyCard } from './BlueskyCard.tsx'
import { FacebookCard } from './FacebookCard.tsx'
import { GoogleCard } from './GoogleCard.tsx'
import { InstagramCard } from './InstagramCard.tsx'
import { LinkedInCard } from './LinkedInCard.tsx'
import { MastodonCard } from './MastodonCard.tsx'
import { PinterestCard } from './PinterestCard.tsx'
import type { Previewed } from './previewed.ts'
import { Rest } from './Rest.tsx'
import { ThreadsCard } from './ThreadsCard.tsx'
import { UprightCard } from './UprightCard.tsx'
import { XCard } from './XCard.tsx'
import { YouTubeCard } from './YouTubeCard.tsx'

/** One look per platform. */
const looks: Record<PlatformKey, ComponentType<{ post: Previewed }>> = {
  facebook: FacebookCard,
  instagram: InstagramCard,
  linkedin: LinkedInCard,
  x: XCard,
  youtube: YouTubeCard,
  pinterest: PinterestCard,
  tiktok: TikTokCard,
  threads: ThreadsCard,
  mastodon: MastodonCard,
  bluesky: BlueskyCard,
  googlemybusiness: GoogleCard,
}

function TikTokCard({ post }: { post: Previewed }) {
  const text = [post.title, post.text].filter(Boolean).join('\n')
  return <UprightCard post={{ ...post, text }} missing="Attach a video or images" />
}

/** The post as people will see it on the platform. */
export function PostPreview({ post }: { post: Previewed }) {
  const Look = looks[post.platform]
  if (!post.whole) return <Look post={post} />
  return (
    <div className="grid gap-3">
      <Look post={post} />
      <Rest post={post} />
    </div>
  )
}
