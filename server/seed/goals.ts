import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import { todayIn } from '../analytics/scope.ts'
import { addDays } from '../rangeDays.ts'
import type { SeededProject } from './seededProject.ts'

/** Days of the goal before and after today. */
const HALF = 45

/** A goal for the followers on Instagram, halfway through: a tenth more than at its beginning. None if nothing is known of then. */
export async function seedGoals(
  tx: Tx,
  { orgId, projectId, zone, people }: Pick<SeededProject, 'orgId' | 'projectId' | 'zone' | 'people'>,
  now: Date,
): Promise<void> {
  const today = todayIn({ now, project: { zone } })
  const from = addDays(today, -HALF)
  await sql`
    insert into insight_goal (org_id, id, project_id, name, figure, target, from_day, to_day, platform, created_by, created_at)
    select ${orgId}, uuidv7(), ${projectId}, 'More followers this winter', 'followers', round(sum(f.value) * 1.1, -1), ${from}::date, ${addDays(today, HALF)}::date, c.platform, ${people[0] ?? null}, ${now}
    from channel c cross join lateral (
      select value from channel_figure where org_id = c.org_id and channel_id = c.id and name = 'followers' and day between ${from}::date - 5 and ${from}::date - 1 order by day desc limit 1) f
    where c.org_id = ${orgId} and c.project_id = ${projectId} and c.platform = 'instagram' group by c.platform having sum(f.value) >= 10`.execute(
    tx,
  )
}
