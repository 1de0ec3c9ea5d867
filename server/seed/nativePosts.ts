import { randomUUIDv7 } from 'node:crypto'
import { excerptOf } from '#contract/excerpt.ts'
import { insertMany } from '../db/insertMany.ts'
import type { Tx } from '../db/kysely.ts'
import { videoTexts } from './content.ts'
import { permalinkOf, remoteIdOf } from './permalinks.ts'
import { seeded } from './random.ts'
import { planOfElsewhere } from './rhythm.ts'
import type { SeededProject } from './seededProject.ts'

/** Two years of stories, reels and videos that were published elsewhere, as the daily look at each channel's list would have found them. */
export async function seedNativePosts(tx: Tx, project: SeededProject, now: Date): Promise<void> {
  const { orgId, projectId, zone } = project
  const random = seeded(project.channels.length * 5347)
  const rows = planOfElsewhere(project.channels, { now, zone }, random).map(
    ({ channel, moment: { dueAt: at }, postType }) => {
      const postId = randomUUIDv7()
      return {
        org_id: orgId,
        id: postId,
        project_id: projectId,
        channel_id: channel.channelId,
        elsewhere: true,
        remote_id: remoteIdOf(channel, { postId, at }),
        post_type: postType,
        published_at: at,
        shown_at: at,
        excerpt: excerptOf(random.pick(videoTexts)),
        permalink: permalinkOf(channel, { postId, at }),
        hashtags: [],
        found_at: new Date(Math.min(at.getTime() + 6 * 3_600_000, now.getTime())),
      }
    },
  )
  await insertMany(tx, 'measured_post', rows)
}
