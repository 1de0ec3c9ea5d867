import type { ProjectContext } from '../http/route.ts'
import { sql } from 'kysely'

import { reaches, type ChannelRow } from '../access/channels.ts'
import type { LinkHosts } from '../links/hosts.ts'
import { readLinkSettings, type ProjectLinks } from '../links/settings.ts'

type Named = { id: string; name: string }

/** What rows are checked against: everything the caller can name, as it is now. */
export type ProjectFacts = {
  now: Date
  zone: string
  channels: readonly ChannelRow[]
  labels: readonly (Named & { isArchived: boolean })[]
  campaigns: readonly (Named & { isClosed: boolean })[]
  /** The plan has campaigns. */
  hasCampaigns: boolean
  /** What happens to links. */
  links: { settings: ProjectLinks; hosts: LinkHosts }
}

/**
 * What an import's rows are checked against, read for each check: the caller's channels, labels, campaigns, the plan.
 */
export async function readFacts(c: ProjectContext, hosts: LinkHosts): Promise<ProjectFacts> {
  const { tx, org, project, now } = c
  const channels = await tx
    .selectFrom('channel')
    .selectAll()
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('deleted_at', 'is', null)
    .where('deleting_at', 'is', null)
    .orderBy('id')
    .execute()
  const labels = await tx
    .selectFrom('label')
    .select(['id', 'name', 'state'])
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .execute()
  const campaigns = await tx
    .selectFrom('campaign')
    .select(['id', 'name', 'state', 'completed_at'])
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .execute()
  return {
    now,
    zone: project.zone,
    channels: channels.filter(({ id }) => reaches(project, id)),
    labels: labels.map(({ id, name, state }) => ({ id, name, isArchived: state === 'ARCHIVED' })),
    campaigns: campaigns.map(({ id, name, state, completed_at }) => ({
      id,
      name,
      isClosed: state === 'ARCHIVED' || completed_at !== null,
    })),
    hasCampaigns: !org.entitlements.closed.includes('campaigns'),
    links: { settings: await readLinkSettings(c), hosts },
  }
}

/**
 * What is on the channels at these times already: channel, instant in milliseconds and start of the text, joined by
 * spaces.
 */
export async function readTaken(
  { tx, org }: ProjectContext,
  wanted: readonly { channelId: string; at: Date }[],
): Promise<Set<string>> {
  if (wanted.length === 0) return new Set()
  const { rows } = await sql<{ channel_id: string; due_at: Date; excerpt: string }>`
    select p.channel_id, p.due_at, p.excerpt from post p
    join (select distinct c, d from unnest(${wanted.map(({ channelId }) => channelId)}::uuid[], ${wanted.map(({ at }) => at.toISOString())}::timestamptz[]) as w(c, d)) w on p.channel_id = w.c and p.due_at = w.d
    where p.org_id = ${org.orgId} and p.state in ('SCHEDULED', 'QUEUED', 'NEEDS_APPROVAL', 'APPROVED')`.execute(tx)
  return new Set(rows.map((row) => takenKey(row.channel_id, row.due_at, row.excerpt)))
}

/** The key in `readTaken` for a post on a channel at a time. */
export const takenKey = (channelId: string, at: Date, excerpt: string): string =>
  `${channelId} ${at.getTime()} ${excerpt}`
