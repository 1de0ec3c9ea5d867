import type { Env } from '../env.ts'
import type { ProjectContext } from '../http/route.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { assetsById, type AssetRow } from '../media/access.ts'
import { mediaFile } from '../media/open.ts'
import type { MediaStore } from '../media/store.ts'
import type { Platform } from '../platforms/platform.ts'
import { heldPosts } from '../campaigns/heldPosts.ts'
import { holdOnLane, scheduleNewOnLane, scheduleOnLane, takeOffLane, type LanePost } from '../publishing/lane.ts'
import { outgoingOf } from '../publishing/outgoing.ts'
import { assetIdsOf } from '#contract/content.ts'
import { shiftQueueDown } from '../queues/shiftQueue.ts'

import { platformOf, type Composed } from './checks.ts'
import { imagesOf } from './content.ts'
import { locked } from './locked.ts'

/** What scheduling posts needs from the product. */
export type PostDeps = {
  platforms: (key: PlatformKey) => Platform | undefined
  media: MediaStore
  env: Pick<Env, 'publicUrl' | 'shortUrl'>
}

type Scheduled = Composed & { postId: string; dueAt: Date | null }

/**
 * Schedules accepted posts. They're SCHEDULED, or QUEUED and then without a time until they have a slot, and their
 * rows are in the transaction.
 */
export async function schedule(c: ProjectContext, deps: PostDeps, posts: readonly Scheduled[]): Promise<void> {
  if (posts.length === 0) return
  await shiftQueueDown(
    c,
    posts.map(({ channel, dueAt }) => ({ channelId: channel.id, dueAt })),
  )
  await scheduleOnLane(c.tx, plansOf(c, deps, posts, await assetsById(c, [...new Set(posts.flatMap(assetIdsOf))])))
  await holdOnLane(
    c.tx,
    await heldPosts(
      c.tx,
      posts.map(({ postId }) => postId),
    ),
  )
}

/**
 * The same for new posts that are stored with the transaction's commit, are in no campaign, and are on channels with
 * empty queues. `assets` are their files.
 */
export function scheduleNew(
  c: ProjectContext,
  deps: PostDeps,
  posts: readonly Scheduled[],
  assets: ReadonlyMap<string, AssetRow>,
): void {
  scheduleNewOnLane(
    c.tx,
    plansOf(c, deps, posts, assets).map((plan, i) => ({ ...plan, images: imagesOf(posts[i]?.contents ?? []) })),
  )
}

function plansOf(
  c: ProjectContext,
  deps: PostDeps,
  posts: readonly Scheduled[],
  assets: ReadonlyMap<string, AssetRow>,
): LanePost[] {
  const files = new Map([...assets].map(([id, asset]) => [id, mediaFile(deps.media, asset)]))
  return posts.map(({ postId, channel, dueAt, ...says }) => {
    const outgoing = outgoingOf({ ...says, postId, createdAt: c.now, sendKey: '', progress: {} }, files)
    const publish = deps.platforms(platformOf(channel))?.publish
    return {
      postId,
      channelId: channel.id,
      dueAt,
      // one whose files are gone is refused when its time comes
      needsPrepare: outgoing !== undefined && (publish?.needsPrepare(outgoing) ?? false),
      sendKey: publish?.chooseSendKey(c.now),
    }
  })
}

/** Unschedules a post before it's changed. Throws POST_LOCKED while it's being sent. */
export async function takeBack(c: ProjectContext, postId: string): Promise<void> {
  if (!(await takeOffLane(c.tx, c.org.orgId, postId))) throw locked('edit', 'PROCESSING')
}
