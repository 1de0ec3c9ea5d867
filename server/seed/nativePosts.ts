import { randomUUIDv7 } from 'node:crypto'
import { excerptOf } from '#contract/excerpt.ts'
import type { PlatformKey, PostType } from '#contract/platforms/rules.ts'
import { insertMany } from '../db/insertMany.ts'
import type { Tx } from '../db/kysely.ts'
import { videoTexts } from './content.ts'
import { permalinkOf, remoteIdOf } from './permalinks.ts'
import { HISTORY_DAYS, momentOf, type SeededProject } from './posts.ts'
import { seeded } from './random.ts'

/** What people publish on the platform's own app, and every how many days. */
const published: Partial<Record<PlatformKey, readonly { postType: PostType; every: number }[]>> = {
  youtube: [
    { postType: 'video', every: 12 },
    { postType: 'shorts', every: 10 },
  ],
  instagram: [{ postType: 'reel', every: 14 }],
}

/** Two years of videos that were published elsewhere, as the daily look at each channel's list would have found them. */
export async function seedNativePosts(tx: Tx, project: SeededProject, now: Date): Promise<void> {
  const random = seeded(project.channels.length * 5347)
  const rows = project.channels.flatMap((channel) =>
    (published[channel.platform] ?? []).flatMap(({ postType, every }) =>
      Array.from({ length: Math.floor(HISTORY_DAYS / every) }, (_, i) => {
        const { dueAt: at } = momentOf(now, -1 - i * every - random.below(3), 17 + random.below(3), 20, project.zone)
        const postId = randomUUIDv7()
        return {
          org_id: project.orgId,
          id: postId,
          project_id: project.projectId,
          channel_id: channel.channelId,
          elsewhere: true,
          remote_id: remoteIdOf(channel, { postId, at }),
          post_type: postType,
          published_at: at,
          shown_at: at,
          excerpt: excerptOf(random.pick(videoTexts)),
          permalink: permalinkOf(channel, { postId, at }),
          hashtags: [],
          found_at: new Date(at.getTime() + 6 * 3_600_000),
          isLost: channel.lostAt !== undefined && at >= channel.lostAt,
        }
      }),
    ),
  )
  await insertMany(
    tx,
    'measured_post',
    rows.flatMap(({ isLost, ...row }) => (isLost ? [] : [row])),
  )
}
