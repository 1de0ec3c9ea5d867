import { sql } from 'kysely'
import type { z } from 'zod'
import { Campaign, type campaignFilters, type countCampaigns } from '#contract/campaigns.ts'
import type { ProjectRequest } from '../http/route.ts'
import { visibleTo } from '../access/visiblePosts.ts'

type Asker = Pick<ProjectRequest, 'tx' | 'org' | 'project' | 'caller'>
type Wanted = { campaignId?: string; state?: (typeof campaignFilters)[number]; limit?: number; offset?: number }

/** Campaigns, newest first, with how many of their posts the caller can see; deleted posts don't count. */
export async function findCampaigns(
  c: Asker,
  { campaignId, state = 'all', limit = 1, offset = 0 }: Wanted,
): Promise<Campaign[]> {
  const { rows } = await sql<
    Record<string, unknown> & {
      completed_at: Date | null
      created_at: Date
      all: number
      scheduled: number
      published: number
      failed: number
    }
  >`
    select k.*, n.*
    from (
      select id as "campaignId", name, description, color, state, enabled, completed_at, starts_on as "startsOn", ends_on as "endsOn", created_at, org_id
      from campaign
      where org_id = ${c.org.orgId} and project_id = ${c.project.projectId} and (${campaignId ?? null}::uuid is null or id = ${campaignId ?? null}::uuid)
        and (${state} = 'all' or state = upper(${state}))
      order by created_at desc, id desc limit ${limit} offset ${offset}
    ) k
    cross join lateral (
      select count(*) as all, count(*) filter (where p.state in ('SCHEDULED', 'QUEUED')) as scheduled,
        count(*) filter (where p.state = 'PUBLISHED') as published, count(*) filter (where p.state in ('FAILED', 'UNCONFIRMED')) as failed
      from post_campaign pc join post p on p.org_id = pc.org_id and p.id = pc.post_id
      where pc.org_id = k.org_id and pc.campaign_id = k."campaignId" and p.state <> 'DELETED' and ${visibleTo(c)}
    ) n
    order by k.created_at desc, k."campaignId" desc`.execute(c.tx)
  return rows.map(({ completed_at, created_at, all, scheduled, published, failed, ...row }) =>
    Campaign.parse({
      ...row,
      completedAt: completed_at?.toISOString() ?? null,
      createdAt: created_at.toISOString(),
      posts: { all, scheduled, published, failed },
    }),
  )
}

export async function countOf({
  tx,
  org,
  project,
}: Pick<Asker, 'tx' | 'org' | 'project'>): Promise<z.output<(typeof countCampaigns)['reply']>> {
  const { rows } = await sql<{ all: number; archived: number }>`
    select count(*) as all, count(*) filter (where state = 'ARCHIVED') as archived from campaign where org_id = ${org.orgId} and project_id = ${project.projectId}`.execute(
    tx,
  )
  const { all, archived } = rows[0] ?? { all: 0, archived: 0 }
  return { all, active: all - archived, archived }
}
