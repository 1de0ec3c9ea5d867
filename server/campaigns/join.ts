import { sql } from 'kysely'
import { problem } from '#contract/postProblems.ts'
import { fail } from '../errors.ts'
import type { ProjectContext } from '../http/route.ts'
import { mustHaveGate } from '../plans/gates.ts'
import { applyCampaignPauses } from './holdPosts.ts'

type Joiner = Pick<ProjectContext, 'tx' | 'org' | 'project' | 'now'>

/**
 * Puts posts into exactly these campaigns. The caller has locked the posts and emits their events. An archived or
 * completed campaign keeps its posts and takes no others: BAD_INPUT. A campaign of another project: NOT_FOUND. Both at
 * the field `at`. PLAN_LIMIT if posts join one and the plan lacks campaigns. Scheduled posts that are in a disabled
 * campaign now are held, those that left it are released; for posts passed to their lanes afterwards, `scheduleOnLane`
 * does this.
 */
export async function setCampaigns(
  c: Joiner,
  postIds: readonly string[],
  campaignIds: readonly string[],
  at: string,
): Promise<void> {
  if (postIds.length === 0) return
  const { tx, org } = c
  const posts = [...new Set(postIds)]
  const wanted = [...new Set(campaignIds)]
  await mustTake(c, posts, wanted, at)
  const left =
    await sql`delete from post_campaign where org_id = ${org.orgId} and post_id = any(${posts}::uuid[]) and not (campaign_id = any(${wanted}::uuid[])) returning post_id`.execute(
      tx,
    )
  if (wanted.length > 0) {
    await sql`
      insert into post_campaign (org_id, post_id, campaign_id)
      select ${org.orgId}, p.id, k.id from unnest(${posts}::uuid[]) p(id) cross join unnest(${wanted}::uuid[]) k(id)
      on conflict do nothing`.execute(tx)
  }
  if (wanted.length > 0 || left.rows.length > 0) await applyCampaignPauses(tx, posts, c.now)
}

type Row = { id: string; name: string; state: string; completed: boolean; joined: number }

async function mustTake(
  { tx, org, project }: Joiner,
  posts: readonly string[],
  wanted: readonly string[],
  at: string,
): Promise<void> {
  if (wanted.length === 0) return
  const { rows } = await sql<Row>`
    select k.id, k.name, k.state, k.completed_at is not null as completed,
      (select count(*) from post_campaign pc where pc.org_id = k.org_id and pc.campaign_id = k.id and pc.post_id = any(${[...posts]}::uuid[])) as joined
    from campaign k where k.org_id = ${org.orgId} and k.project_id = ${project.projectId} and k.id = any(${[...wanted]}::uuid[])
    order by k.id for share of k`.execute(tx)
  if (rows.length < wanted.length)
    throw fail('NOT_FOUND', { problem: problem('campaign-gone'), problems: { [at]: [problem('campaign-gone')] } })
  const joining = rows.filter(({ joined }) => joined < posts.length)
  if (joining.length === 0) return
  mustHaveGate({ org }, 'campaigns')
  const closed = joining.find(({ state, completed }) => completed || state === 'ARCHIVED')
  if (closed) {
    const { name, completed } = closed
    const refused = problem('campaign-closed', { name, because: completed ? 'completed' : 'archived' })
    throw fail('BAD_INPUT', { problems: { [at]: [refused] } })
  }
}
