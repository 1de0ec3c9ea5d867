import { randomUUIDv7 } from 'node:crypto'
import { because } from '#contract/failures/catalog.ts'
import type { AdditionalDetails, PostContent } from '#contract/content.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import type { PostRules } from '#contract/platforms/rules.ts'
import type { PostState } from '#contract/postStates.ts'
import { reasonDetail } from '#contract/timeline.ts'
import type { Insertable } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import type { Database } from '../db/schema.ts'
import { contentColumns } from '../posts/content.ts'
import { altTexts, failuresAt, texts } from './content.ts'
import type { Moment } from './moments.ts'
import { permalinkOf, remoteIdOf } from './permalinks.ts'
import type { seeded } from './random.ts'
import type { SeededChannel, SeededProject } from './seededProject.ts'

const DAY = 86_400_000
/** Posts of one insert. */
const AT_ONCE = 200

export type PostRows = {
  batch: Insertable<Database['batch']>
  post: Insertable<Database['post']>
  delivery: Insertable<Database['delivery']> | null
  events: Insertable<Database['post_event']>[]
}

/** Stores posts, so many in one statement. */
export async function insertPosts(tx: Tx, rows: readonly PostRows[]): Promise<void> {
  for (let from = 0; from < rows.length; from += AT_ONCE) await insertSome(tx, rows.slice(from, from + AT_ONCE))
}

async function insertSome(tx: Tx, rows: readonly PostRows[]): Promise<void> {
  const deliveries = rows.flatMap(({ delivery }) => delivery ?? [])
  await tx
    .insertInto('batch')
    .values(rows.map(({ batch }) => batch))
    .execute()
  await tx
    .insertInto('post')
    .values(rows.map(({ post }) => post))
    .execute()
  if (deliveries.length > 0) await tx.insertInto('delivery').values(deliveries).execute()
  await tx
    .insertInto('post_event')
    .values(rows.flatMap(({ events }) => events))
    .execute()
}

/** The rows of a post in this state. */
export function rowsOf(
  project: SeededProject,
  { channel, moment: { dueAt, wallTime }, state }: { channel: SeededChannel; moment: Moment; state: PostState },
  now: Date,
  random: ReturnType<typeof seeded>,
): PostRows {
  const author = random.pick(project.people)
  const rules = rulesOf(channel)
  const [postId, batchId] = [randomUUIDv7(), randomUUIDv7()]
  const createdAt = new Date(Math.min(dueAt.getTime(), now.getTime()) - (1 + random.below(5)) * DAY)
  const media =
    random.next() < 0.35 || rules.mediaRequired
      ? [{ assetId: random.pick(project.images), altText: random.pick(altTexts) }]
      : []
  const utc = dueAt.toISOString()
  const sent = state === 'PUBLISHED' || state === 'DELETED'
  const failure = state === 'FAILED' ? random.pick(failuresAt(platformRules[channel.platform].label)) : null
  // a queued post has no time until its queue gives it a slot (seedQueues)
  const queued = state === 'QUEUED'
  const scheduled = state === 'SCHEDULED'

  const batch = {
    org_id: project.orgId,
    id: batchId,
    project_id: project.projectId,
    author_id: author,
    intent: 'SCHEDULE',
    created_at: createdAt,
  }
  const post = {
    org_id: project.orgId,
    id: postId,
    project_id: project.projectId,
    batch_id: batchId,
    channel_id: channel.channelId,
    author_id: author,
    state,
    post_type: rules.postType,
    ...contentColumns([contentOf(rules, random.pick(texts), media)], { ...channel.details, ...detailsOf(rules) }),
    schedule: JSON.stringify({ type: 'ONCE', details: { utc, timezone: project.zone } }),
    wall_time: wallTime,
    zone: project.zone,
    due_at: dueAt,
    shown_at: dueAt,
    remote_id: sent ? remoteIdOf(channel, { postId, at: dueAt }) : null,
    // as the simulated platforms name theirs: such a page exists on no network
    permalink: sent ? permalinkOf(channel, { postId, at: dueAt }) : null,
    published_at: sent ? dueAt : null,
    failure: failure && JSON.stringify(failure),
    deleted_from: state === 'DELETED' ? 'PUBLISHED' : null,
    created_at: createdAt,
    updated_at: sent ? dueAt : createdAt,
  }
  const delivery =
    scheduled || queued || sent
      ? {
          org_id: project.orgId,
          channel_id: channel.channelId,
          subject: 'post',
          subject_id: postId,
          state: sent ? 'sent' : 'waiting',
          step: sent ? null : media.length > 0 ? 'prepare' : 'send',
          step_at: scheduled ? dueAt : null,
          wanted_at: queued ? null : dueAt,
          sent_at: sent ? dueAt : null,
        }
      : null

  const second = (n: number) => new Date(dueAt.getTime() + n * 1000)
  const told = [
    { kind: 'created', at: createdAt, person_id: author, due_at: null, detail: null },
    { kind: 'scheduled', at: new Date(createdAt.getTime() + 1000), person_id: author, due_at: dueAt, detail: null },
    ...(sent
      ? [
          { kind: 'sent', at: second(1), person_id: null, due_at: null, detail: null },
          { kind: 'confirmed', at: second(2), person_id: null, due_at: null, detail: null },
        ]
      : []),
    ...(failure
      ? [
          {
            kind: 'failed',
            at: second(1),
            person_id: null,
            due_at: null,
            detail: JSON.stringify(reasonDetail(failure)),
          },
        ]
      : []),
    ...(state === 'UNCONFIRMED'
      ? [
          {
            kind: 'unconfirmed',
            at: second(31),
            person_id: null,
            due_at: null,
            detail: JSON.stringify(
              reasonDetail(because('no-answer', { platform: platformRules[channel.platform].label })),
            ),
          },
        ]
      : []),
    ...(state === 'DELETED'
      ? [{ kind: 'deleted', at: second(3600), person_id: author, due_at: null, detail: null }]
      : []),
  ]
  return {
    batch,
    post,
    delivery,
    events: told.map((entry) => ({ ...entry, org_id: project.orgId, post_id: postId, id: randomUUIDv7() })),
  }
}

/** There are images to post, no videos. */
export const takesPictures = ({ platform }: SeededChannel): boolean =>
  (platformRules[platform].posts[0]?.images.most ?? 0) > 0

function rulesOf({ platform }: SeededChannel): PostRules {
  const [rules] = platformRules[platform].posts
  if (!rules) throw new Error(`${platform} takes no posts`)
  return rules
}

/** Alt text where the platform has it, a title where it requires one. */
function contentOf({ title, images }: PostRules, text: string, media: PostContent['media']): PostContent {
  const files = images.altText ? media : media.map(({ assetId }) => ({ assetId }))
  return { text, media: files, ...(title && { title: text.split(/[.:?!,]/)[0]?.slice(0, title.max) ?? '' }) }
}

/** Required choices: the first option of each. */
function detailsOf({ details }: PostRules): AdditionalDetails {
  return Object.fromEntries(
    details.flatMap(({ field, required, options, preset }) =>
      required && options ? [[field, preset ?? options[0]?.value]] : [],
    ),
  )
}
