import type { ProjectContext } from '../http/route.ts'
import { sql } from 'kysely'
import { addTimelineEvent, type NewTimelineEvent } from '../publishing/timeline.ts'
import { loadCampaign, type CampaignRow } from './access.ts'
import { applyCampaignPauses } from './holdPosts.ts'

/** Disables a campaign: its scheduled and queued posts are held. Returns how many. */
export async function disable(c: ProjectContext, campaignId: string): Promise<number> {
  const campaign = await lockWithPosts(c, campaignId)
  await setEnabled(c, campaign, false)
  const posts = await pendingPosts(c, campaignId)
  const { held } = await applyCampaignPauses(c.tx, posts, c.now)
  await tell(
    c,
    held.map((postId) => ({
      postId,
      kind: 'paused',
      dueAt: null,
      detail: { code: 'campaign', name: campaign.name, did: 'paused' },
    })),
  )
  return posts.length
}

export type Enabled = { resumed: number; late: number }

/**
 * Enables a campaign. Its posts continue at their time; the engine leaves those past their channel's lateness limit to
 * a person. A post in another disabled campaign stays held and isn't counted.
 */
export async function enable(c: ProjectContext, campaignId: string): Promise<Enabled> {
  const campaign = await lockWithPosts(c, campaignId)
  await setEnabled(c, campaign, true)
  return await release(c, campaign, await pendingPosts(c, campaignId))
}

/** Deletes a campaign. Its posts stay, and those it held are released. */
export async function remove(c: ProjectContext, campaignId: string): Promise<Enabled> {
  const campaign = await lockWithPosts(c, campaignId)
  const posts = await pendingPosts(c, campaignId)
  await c.tx.deleteFrom('campaign').where('org_id', '=', c.org.orgId).where('id', '=', campaignId).execute()
  return await release(c, campaign, posts)
}

async function release(c: ProjectContext, { name }: CampaignRow, posts: readonly string[]): Promise<Enabled> {
  const { released } = await applyCampaignPauses(c.tx, posts, c.now)
  await tell(
    c,
    released.map(({ postId, dueAt }) => ({
      postId,
      kind: dueAt === null ? 'queued' : 'scheduled',
      dueAt,
      detail: { code: 'campaign', name, did: 'released' },
    })),
  )
  const late = released.filter((post) => post.late).length
  return { resumed: released.length - late, late }
}

/**
 * Posts are locked before their campaign, as in every verb that schedules. Posts that join in between are seen
 * afterwards, because none can join once the campaign is locked.
 */
async function lockWithPosts(c: ProjectContext, campaignId: string): Promise<CampaignRow> {
  await sql`
    select from post p where p.org_id = ${c.org.orgId} and p.state in ('SCHEDULED', 'QUEUED')
      and p.id in (select post_id from post_campaign where org_id = ${c.org.orgId} and campaign_id = ${campaignId})
    order by p.id for update`.execute(c.tx)
  return await loadCampaign(c, campaignId)
}

async function setEnabled(c: ProjectContext, campaign: CampaignRow, enabled: boolean): Promise<void> {
  await c.tx
    .updateTable('campaign')
    .set({ enabled })
    .where('org_id', '=', campaign.org_id)
    .where('id', '=', campaign.id)
    .execute()
}

async function pendingPosts(c: ProjectContext, campaignId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.id from post_campaign pc join post p on p.org_id = pc.org_id and p.id = pc.post_id
    where pc.org_id = ${c.org.orgId} and pc.campaign_id = ${campaignId} and p.state in ('SCHEDULED', 'QUEUED') order by p.id`.execute(
    c.tx,
  )
  return rows.map(({ id }) => id)
}

async function tell(
  c: ProjectContext,
  posts: readonly Pick<NewTimelineEvent, 'postId' | 'kind' | 'dueAt' | 'detail'>[],
): Promise<void> {
  const personId = c.caller.personId
  await addTimelineEvent(
    c.tx,
    c.org.orgId,
    c.now,
    posts.map((post) => ({ ...post, personId })),
  )
}

const posts = (n: number): string => (n === 1 ? '1 post' : `${n} posts`)
const verb = (n: number, one: string, many: string): string => (n === 1 ? one : many)

/** The message for the person who disabled a campaign. */
export function disabledWords(paused: number): string {
  return paused > 0
    ? `Campaign disabled. ${posts(paused)} ${verb(paused, 'waits', 'wait')} until it's enabled.`
    : 'Campaign disabled'
}

/** The message for the person who enabled a campaign. */
export function enabledWords({ resumed, late }: Enabled): string {
  const sentences = [
    resumed > 0 && `${posts(resumed)} ${verb(resumed, 'is', 'are')} active again.`,
    late > 0 && `${posts(late)} ${verb(late, 'is', 'are')} late and ${verb(late, 'needs', 'need')} a new time.`,
  ].filter((sentence) => sentence !== false)
  return sentences.length > 0 ? ['Campaign enabled.', ...sentences].join(' ') : 'Campaign enabled'
}
