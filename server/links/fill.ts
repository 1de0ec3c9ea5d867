import { sql } from 'kysely'
import type { AdditionalDetails } from '#contract/content.ts'
import { hasLinks, type WithLinks } from '#contract/links/apply.ts'
import { linkFactsOf, namesCampaign, withLinkFacts } from '#contract/links/fill.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import type { ChannelRow } from '../access/channels.ts'
import type { ProjectContext } from '../http/route.ts'
import type { LinkHosts } from './hosts.ts'
import { linkSettingFor, type ProjectLinks } from './settings.ts'

type Asker = Pick<ProjectContext, 'tx' | 'org'>
type Linked = WithLinks & { channel: Pick<ChannelRow, 'id' | 'platform' | 'handle' | 'name'> }

/** Whose campaigns a post gets: the chosen ones, or those that another post has. */
type CampaignsOf = { campaignIds: readonly string[] } | { postId: string } | null

/** Whether a text could contain a link, without looking for it: most posts have none. */
export const mayHaveLinks = ({ contents, firstComment, details }: WithLinks): boolean =>
  [...contents.map(({ text }) => text), firstComment ?? '', JSON.stringify(details)].some((text) =>
    /https?:/i.test(text),
  )

/**
 * A post's details with what happens to its links: what the person chose, otherwise the channel's settings, and the words
 * of its placeholders. A post without links, or to which nothing happens, keeps its details.
 */
export function fillLinks(
  post: Linked,
  { settings, hosts, campaign }: { settings: ProjectLinks; hosts: LinkHosts; campaign: string },
): AdditionalDetails {
  const { linkFacts: _old, ...details } = post.details
  const { channel } = post
  if (!hasLinks(post, platformRules[PlatformKey.parse(channel.platform)])) return details
  return withLinkFacts(details, linkSettingFor(settings, channel.id), linkFactsOf(channel, { campaign, ...hosts }))
}

/** The same for several posts that get the same campaigns. */
export async function fillAll<P extends Linked>(
  c: Asker,
  posts: readonly P[],
  { settings, hosts, campaigns }: { settings: ProjectLinks; hosts: LinkHosts; campaigns: CampaignsOf },
): Promise<P[]> {
  const named = posts.some((post) => namesCampaign(post.details, linkSettingFor(settings, post.channel.id)))
  const campaign = named ? await campaignName(c, campaigns) : ''
  return posts.map((post) => ({ ...post, details: fillLinks(post, { settings, hosts, campaign }) }))
}

/** The name for `{campaign}`: of a post in several campaigns, the first by name; empty for none. */
async function campaignName({ tx, org }: Asker, of: CampaignsOf): Promise<string> {
  if (of === null || ('campaignIds' in of && of.campaignIds.length === 0)) return ''
  const which =
    'postId' in of
      ? sql`(select campaign_id from post_campaign where org_id = ${org.orgId} and post_id = ${of.postId})`
      : sql`(select unnest(${[...of.campaignIds]}::uuid[]))`
  const { rows } = await sql<{ name: string }>`
    select name from campaign where org_id = ${org.orgId} and id in ${which} order by lower(name), name limit 1`.execute(
    tx,
  )
  return rows[0]?.name ?? ''
}
