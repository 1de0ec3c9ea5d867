import { sql } from 'kysely'
import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import { PAID_READINGS_A_DAY } from '#contract/analytics/posts.ts'
import { allows } from '#contract/permissions.ts'
import { asSystem } from '../db/system.ts'
import type { Dependencies } from '../dependencies.ts'
import { fail } from '../errors.ts'
import { count, type Limit } from '../http/attempts.ts'
import type { ProjectContext } from '../http/route.ts'
import { findMeasured } from './postInsights.ts'
import { readChannels } from './scope.ts'

/** A reading on request is at most one a day, since it can cost money and counts against the platform's limits. */
const REQUESTED_AFTER_MS = 24 * 3_600_000
/** Of a project, no matter who asks: the monthly limit is the organization's, and the inbox needs it too. */
const paidReadings = { name: 'paid-post-readings', most: PAID_READINGS_A_DAY, seconds: 86_400 } as const satisfies Limit

type Requester = { now: Date; inTenant: <T>(fn: (t: ProjectContext) => Promise<T>) => Promise<T> }

/**
 * Has a post read again that the reading plan has left, if its last reading is a day old. Returns when it's read next. NOT_FOUND like
 * `readPostInsights`. Where the platform charges for it, FORBIDDEN without `insights: create`, and RATE_LIMITED for more than a day's.
 */
export async function requestReading(
  { databases }: Pick<Dependencies, 'databases'>,
  c: Requester,
  postId: string,
): Promise<Date | null> {
  const { planned, canBeRead, isPaid, projectId } = await c.inTenant(async (t) => {
    const post = await findMeasured(t, postId)
    const [channel] = post ? await readChannels(t, { channelIds: [post.channel_id] }) : []
    if (!post || !channel) throw fail('NOT_FOUND')
    const price = platformFigures[channel.platformName].readPrices?.post
    if (price !== undefined && !allows(t.project.permissions, 'insights', 'create')) throw fail('FORBIDDEN')
    return {
      planned: post.metrics_at,
      canBeRead: await isLeft(t, postId),
      isPaid: price !== undefined,
      projectId: t.project.projectId,
    }
  })
  if (planned !== null || !canBeRead) return planned
  if (isPaid) {
    const counted = await asSystem(databases.system, (tx) => count(tx, paidReadings, projectId, c.now))
    if (!counted.allowed)
      throw fail('RATE_LIMITED', {
        detail: `This project has asked for ${PAID_READINGS_A_DAY} readings that cost money, which is all for one day. Try again tomorrow.`,
        meta: { retryAfterSeconds: counted.retryAfterSeconds },
      })
  }
  return await c.inTenant(async (t) => {
    const { rows } = await sql<{ metrics_at: Date }>`
      update measured_post m set metrics_at = ${t.now} where ${left(t, postId)} returning m.metrics_at`.execute(t.tx)
    // someone else asked in the meantime
    return rows[0]?.metrics_at ?? (await findMeasured(t, postId))?.metrics_at ?? null
  })
}

async function isLeft(t: ProjectContext, postId: string): Promise<boolean> {
  const { rows } = await sql`select from measured_post m where ${left(t, postId)}`.execute(t.tx)
  return rows.length > 0
}

/** Whether the post isn't planned to be read, can be, and wasn't within a day. */
const left = ({ org, now }: ProjectContext, postId: string) => sql`
  m.org_id = ${org.orgId} and m.id = ${postId} and m.metrics_at is null and m.remote_id is not null and m.gone_at is null and m.post_type <> 'story'
  and not exists (select from post_metric r where r.org_id = m.org_id and r.post_id = m.id and r.read_at > ${new Date(now.getTime() - REQUESTED_AFTER_MS)})`
