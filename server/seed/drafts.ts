import { randomUUIDv7 } from 'node:crypto'
import type { Tx } from '../db/kysely.ts'
import { contentColumns } from '../posts/content.ts'
import type { seeded } from './random.ts'
import type { SeededProject } from './seededProject.ts'

/** Stores a draft. */
export async function insertDraft(
  tx: Tx,
  project: SeededProject,
  { text, channelId, at }: { text: string; channelId: string; at: Date },
  random: ReturnType<typeof seeded>,
): Promise<void> {
  const postId = randomUUIDv7()
  const author = random.pick(project.people)
  const draft = {
    text,
    media: [],
    channelIds: [channelId],
    additionalDetails: {},
    schedule: { mode: 'once', date: '', time: '', timezone: project.zone },
  }
  await tx
    .insertInto('post')
    .values({
      org_id: project.orgId,
      id: postId,
      project_id: project.projectId,
      author_id: author,
      state: 'DRAFTS',
      post_type: 'post',
      ...contentColumns([{ text, media: [] }], {}),
      draft: JSON.stringify(draft),
      schedule: JSON.stringify({ type: 'DRAFT' }),
      zone: project.zone,
      shown_at: at,
      created_at: at,
      updated_at: at,
    })
    .execute()
  await tx
    .insertInto('post_event')
    .values({ org_id: project.orgId, post_id: postId, id: randomUUIDv7(), kind: 'created', at, person_id: author })
    .execute()
}
