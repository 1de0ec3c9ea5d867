import type { PostState } from '#contract/postStates.ts'
import type { Tx } from '../db/kysely.ts'
import { draftTexts } from './content.ts'
import { insertDraft } from './drafts.ts'
import { HISTORY_DAYS, momentOf } from './moments.ts'
import { insertPosts, rowsOf, takesPictures, type PostRows } from './postRows.ts'
import { seeded } from './random.ts'
import { planOf } from './rhythm.ts'
import type { SeededProject } from './seededProject.ts'

const DAY = 86_400_000
const COMING_DAYS = 32
/** What else happens to posts, besides the published ones, so that these keep their rhythm: every few days one, until two months ago. */
const mishaps = ['FAILED', 'REJECTED', 'UNCONFIRMED', 'FAILED', 'DELETED'] as const satisfies readonly PostState[]
const MISHAPS = 10
const MISHAP_DAYS = 6
/** What becomes of posts in turn that are still to come. */
const coming: readonly PostState[] = [
  'SCHEDULED',
  'NEEDS_APPROVAL',
  'SCHEDULED',
  'SCHEDULED',
  'QUEUED',
  'SCHEDULED',
  'SCHEDULED',
  'SCHEDULED',
  'APPROVED',
  'SCHEDULED',
  'SCHEDULED',
  'SCHEDULED',
]

/**
 * Two years of published posts, and around `now` posts that failed, wait for approval or their time, and drafts. Written straight into
 * the tables, because a history can't happen in a second.
 */
export async function seedPosts(tx: Tx, project: SeededProject, now: Date): Promise<number> {
  const { zone } = project
  const random = seeded(project.channels.length * 7919)
  const rows: PostRows[] = []
  let toCome = 0
  for (let day = -HISTORY_DAYS; day <= COMING_DAYS; day += 1)
    for (const { channel, moment } of planOf(project.channels, { now, day, zone }, random)) {
      const isPast = moment.dueAt <= now
      const state = isPast ? 'PUBLISHED' : coming[toCome % coming.length]
      if (!isPast) toCome += 1
      rows.push(rowsOf(project, { channel, moment, state: state ?? 'SCHEDULED' }, now, random))
    }
  const open = project.channels.filter((channel) => takesPictures(channel) && !channel.lostAt)
  for (let i = 0; i < MISHAPS; i += 1) {
    const moment = momentOf(now, -1 - i * MISHAP_DAYS, 10 + random.below(8), 15 * random.below(4), zone)
    const state = mishaps[i % mishaps.length] ?? 'FAILED'
    rows.push(rowsOf(project, { channel: random.pick(open), moment, state }, now, random))
  }
  await insertPosts(tx, rows)
  for (const [i, text] of draftTexts.entries())
    await insertDraft(
      tx,
      project,
      { text, channelId: random.pick(open).channelId, at: new Date(now.getTime() - (i + 1) * 0.8 * DAY) },
      random,
    )
  return rows.length + draftTexts.length
}
