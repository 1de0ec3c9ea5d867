import { PRICE_LIST } from '#contract/priceList.ts'
import type { PlanFacts } from '#contract/plans.ts'
import { runTimeline } from '#server/billing/timeline.ts'
import { systemClock } from '#server/clock.ts'
import { quietLog } from '#server/testing/publishing.ts'
import { inDatabase } from './database.ts'
import type { Person } from './people.ts'

type Place = { dataDir: string }

/** Gives the organization a plan as if it had been bought, or had ended, this many days ago. */
export async function setPlan(
  stage: Place,
  { ids }: Pick<Person, 'ids'>,
  { planId, status }: Pick<PlanFacts, 'planId' | 'status'>,
  daysAgo = 1,
): Promise<void> {
  await inDatabase(stage, ({ system }) =>
    system.query(
      "update plan set plan_id = $2, status = $3, trial_ends_at = case when $3 like 'TRIAL%' then $4::timestamptz end where org_id = $1",
      [ids.orgId, planId, status, new Date(Date.now() - daysAgo * 86_400_000)],
    ),
  )
}

/** What subscriptions need within this many days happens now: renewals, retries, ends. */
export async function passBillingDays(stage: Place, days: number): Promise<void> {
  await inDatabase(stage, (databases) =>
    runTimeline(
      { databases, log: quietLog, clock: { ...systemClock, now: () => new Date(Date.now() + days * 86_400_000) } },
      { prices: PRICE_LIST, seller: { lines: ['Rookery'] }, pays: true },
    ),
  )
}

/** Uses up the organization's AI credits, in the month of the run and in the one that may begin during it. */
export async function useCredits(stage: Place, { ids }: Pick<Person, 'ids'>, credits: number): Promise<void> {
  await inDatabase(stage, ({ system }) =>
    system.query(
      "insert into ai_usage (org_id, month, used) select $1, date_trunc('month', now() at time zone 'UTC' + n * interval '1 month')::date, $2 from generate_series(0, 1) n on conflict (org_id, month) do update set used = excluded.used",
      [ids.orgId, credits],
    ),
  )
}

/** Channels as rows: connected, with nothing to send. */
export async function addChannels(stage: Place, { ids }: Pick<Person, 'ids'>, names: readonly string[]): Promise<void> {
  await inDatabase(stage, ({ system }) =>
    system.query(
      `insert into channel (org_id, id, project_id, platform, remote_id, name, handle, check_at, connected_at, connected_by)
       select $1, uuidv7(), $2, 'bluesky', 'did:plc:' || uuidv7(), n, '@' || lower(n) || '.test', now() + interval '1 day', now(), o.created_by from unnest($3::text[]) with ordinality t (n, i), organization o where o.org_id = $1 order by i`,
      [ids.orgId, ids.projectId, [...names]],
    ),
  )
}
