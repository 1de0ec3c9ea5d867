import { randomUUIDv7 } from 'node:crypto'
import { because } from '#contract/failures/catalog.ts'
import { instantOf, wallText, type WallTime } from '#contract/time.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import { reasonDetail } from '#contract/timeline.ts'
import type { PlatformKey, PostRules } from '#contract/platforms/rules.ts'
import type { PostState } from '#contract/postStates.ts'
import type { AdditionalDetails, PostContent } from '#contract/content.ts'
import type { Insertable } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import type { Database } from '../db/schema.ts'
import { contentColumns } from '../posts/content.ts'
import { altTexts, draftTexts, failuresAt, texts } from './content.ts'
import { permalinkOf, remoteIdOf } from './permalinks.ts'
import { seeded } from './random.ts'

export type SeededChannel = {
  channelId: string
  platform: PlatformKey
  remoteId: string
  name: string
  handle: string
  details: AdditionalDetails
  /** What the IDs of its posts begin with, if that isn't the account. */
  parent?: string
  /** Only published on until then: it's disconnected. */
  lostAt?: Date
}
export type SeededProject = {
  orgId: string
  projectId: string
  zone: string
  channels: readonly SeededChannel[]
  people: readonly string[]
  images: readonly string[]
}

const DAY = 86_400_000
const hours = [8, 9, 10, 11, 12, 13, 15, 16, 18, 19] as const
const PAST_DAYS = 60
const COMING_DAYS = 32
/** How far published posts go back, at the same pace, for two years of figures. */
export const HISTORY_DAYS = 730
/** Posts of one insert. */
const AT_ONCE = 200

type Moment = { dueAt: Date; wallTime: string }

/**
 * Two years of published posts, and three months around `now` of posts that failed, wait for approval or their time, and drafts.
 * Written straight into the tables, because a history can't happen in a second.
 */
export async function seedPosts(tx: Tx, project: SeededProject, now: Date): Promise<number> {
  const random = seeded(project.channels.length * 7919)
  const rows: PostRows[] = []
  const past = seeded(project.channels.length * 6151)
  for (let day = -HISTORY_DAYS; day < -PAST_DAYS; day += 1) {
    for (let i = isWeekend(now, day) ? past.below(2) : 1 + past.below(2); i > 0; i -= 1) {
      const moment = momentOf(now, day, past.pick(hours), past.pick([0, 15, 30, 45]), project.zone)
      rows.push(rowsOf(project, moment, 'PUBLISHED', now, past))
    }
  }
  for (let day = -PAST_DAYS; day <= COMING_DAYS; day += 1) {
    const posts = isWeekend(now, day) ? random.below(2) : 1 + random.below(3)
    for (let i = 0; i < posts; i += 1) {
      const moment = momentOf(now, day, random.pick(hours), random.pick([0, 15, 30, 45]), project.zone)
      rows.push(rowsOf(project, moment, null, now, random))
    }
  }
  for (let from = 0; from < rows.length; from += AT_ONCE) await insertRows(tx, rows.slice(from, from + AT_ONCE))
  let count = rows.length
  for (const [i, text] of draftTexts.entries()) {
    await insertDraft(tx, project, text, new Date(now.getTime() - (i + 1) * 0.8 * DAY), random)
    count += 1
  }
  return count
}

const isWeekend = (now: Date, day: number): boolean => [0, 6].includes(new Date(now.getTime() + day * DAY).getUTCDay())

/** There are images to post, no videos. */
const takesPictures = ({ platform }: SeededChannel): boolean => (platformRules[platform].posts[0]?.images.most ?? 0) > 0

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

export function momentOf(now: Date, day: number, hour: number, minute: number, zone: string): Moment {
  const date = new Date(now.getTime() + day * DAY)
  const wall: WallTime = {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour,
    minute,
  }
  return { dueAt: instantOf(wall, zone), wallTime: wallText(wall) }
}

function stateAt(dueAt: Date, now: Date, chance: number): PostState {
  if (dueAt <= now) {
    if (chance < 0.03) return 'FAILED'
    if (chance < 0.05) return 'UNCONFIRMED'
    if (chance < 0.07) return 'DELETED'
    return chance < 0.1 ? 'REJECTED' : 'PUBLISHED'
  }
  if (chance < 0.06) return 'NEEDS_APPROVAL'
  if (chance < 0.08) return 'APPROVED'
  return chance < 0.12 ? 'QUEUED' : 'SCHEDULED'
}

type PostRows = {
  batch: Insertable<Database['batch']>
  post: Insertable<Database['post']>
  delivery: Insertable<Database['delivery']> | null
  events: Insertable<Database['post_event']>[]
}

async function insertRows(tx: Tx, rows: readonly PostRows[]): Promise<void> {
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

/** A post's rows; without a given state, a random one that suits its time. */
function rowsOf(
  project: SeededProject,
  { dueAt, wallTime }: Moment,
  given: PostState | null,
  now: Date,
  random: ReturnType<typeof seeded>,
): PostRows {
  const channel = random.pick(
    project.channels.filter((one) => takesPictures(one) && (one.lostAt === undefined || dueAt < one.lostAt)),
  )
  const author = random.pick(project.people)
  const rules = rulesOf(channel)
  const state = given ?? stateAt(dueAt, now, random.next())
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

async function insertDraft(
  tx: Tx,
  project: SeededProject,
  text: string,
  at: Date,
  random: ReturnType<typeof seeded>,
): Promise<void> {
  const postId = randomUUIDv7()
  const author = random.pick(project.people)
  const draft = {
    text,
    media: [],
    channelIds: [random.pick(project.channels.filter((one) => takesPictures(one) && !one.lostAt)).channelId],
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
