import type { ComponentType } from 'react'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { BlueskyCard } from './BlueskyCard.tsx'
import type { Previewed } from './previewed.ts'

/** One look per platform; a platform without its own borrows the plainest. */
const looks: Partial<Record<PlatformKey, ComponentType<{ post: Previewed }>>> = { bluesky: BlueskyCard }

/** The post as people will see it on the platform. */
export function PostPreview({ post }: { post: Previewed }) {
  const Look = looks[post.platform] ?? BlueskyCard
  return <Look post={post} />
}
