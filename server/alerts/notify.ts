import { sql } from 'kysely'
import { ALERT_SHOWN, alertFigures } from '#contract/notifications/insights.ts'
import { memberMay } from '../access/memberMay.ts'
import { apartOf, readChannels, todayIn } from '../analytics/scope.ts'
import { readLines } from '../analytics/wholeDays.ts'
import type { Tx } from '../db/kysely.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { createNotification } from '../notifications/create.ts'
import { readAllowance } from '../plans/allowance.ts'
import { addDays } from '../rangeDays.ts'
import { READ_DAYS, unusualOf } from './unusual.ts'

export type AlertedProject = { org_id: string; id: string; zone: string }

/**
 * Notifies people of what was unusual on the project's last final day, once, each of the channels that their role includes. Platforms
 * whose terms forbid working something out of their figures are left out.
 */
export async function notifyUnusual(
  tx: Tx,
  { org_id: orgId, id: projectId, zone }: AlertedProject,
  { now, accepted }: { now: Date; accepted: readonly PlatformKey[] },
): Promise<void> {
  const allowance = await readAllowance(tx, orgId, now)
  const { entitlements } = allowance
  const org = { orgId, isAdmin: false, ...allowance }
  const c = { tx, org, project: { projectId, channelIds: null, zone }, now }
  if (entitlements.closed.includes('analytics') || !entitlements.valid) return
  const apart = apartOf(accepted)
  const channels = (await readChannels(c, {})).filter(
    ({ deleted, status, platformName }) => !deleted && status === 'CONNECTED' && !apart.includes(platformName),
  )
  if (channels.length === 0) return
  const yesterday = addDays(todayIn(c), -1)
  const range = { from: addDays(yesterday, 1 - READ_DAYS), to: yesterday, compare: null }
  const scope = { range, today: todayIn(c), channels, apart, accepted, projectIds: [projectId], posts: null }
  const linesOf = await readLines(c, scope, alertFigures, { final: true })
  const unusual = unusualOf(
    channels.map((channel) => ({
      channelId: channel.channelId,
      days: {
        followersLost: linesOf([channel], 'followersLost'),
        viewsAndImpressions: linesOf([channel], 'viewsAndImpressions'),
        engagements: linesOf([channel], 'engagements'),
      },
    })),
  )
  if (!unusual || unusual.found.length === 0) return
  const day = addDays(yesterday, -unusual.daysAgo)
  for (const { people, channelIds } of await readersOf(tx, { orgId, projectId })) {
    const own = unusual.found.filter(({ channelId }) => channelIds?.includes(channelId) ?? true)
    if (own.length === 0) continue
    const shown = own.slice(0, ALERT_SHOWN).flatMap(({ channelId, ...one }) => {
      const channel = channels.find((known) => known.channelId === channelId)
      return channel ? [{ ...one, handle: channel.handle, platform: channel.platformName }] : []
    })
    await createNotification(
      tx,
      {
        orgId,
        projectId,
        kind: 'figures-unusual',
        params: { day, count: own.length, figures: shown },
        dedupeKey: `figures:${projectId}:${day}`,
        people,
        channelIds: [...new Set(own.map(({ channelId }) => channelId))],
        once: true,
      },
      now,
    )
  }
}

/** Who may see the project's insights, by the channels of their role. */
async function readersOf(tx: Tx, { orgId, projectId }: { orgId: string; projectId: string }) {
  const { rows } = await sql<{ people: string[]; channelIds: string[] | null }>`
    select array_agg(m.person_id order by m.person_id) as people, case when m.is_admin then null else pm.channel_ids end as "channelIds"
    from member m left join project_member pm on pm.org_id = m.org_id and pm.project_id = ${projectId} and pm.person_id = m.person_id
      left join role r on r.org_id = pm.org_id and r.id = pm.role_id
    where m.org_id = ${orgId} and m.removed_at is null and ${memberMay('insights', 'view')} group by 2`.execute(tx)
  return rows
}
