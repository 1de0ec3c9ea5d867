import { platformLabel } from '#contract/platforms/registry.ts'
import { listed } from './missingNotes.ts'
import type { Reading } from './reading.ts'

/** What the report is narrowed down to: channels, platforms, a campaign, a label and a hashtag; null if to nothing. */
export async function readFiltered({ c, content, scope, nameOf }: Reading): Promise<string | null> {
  const { channelIds, platforms, campaignId, labelId, hashtag } = content
  const shown = scope.channels.map(({ channelId }) => channelId)
  const texts = [
    ...(channelIds === null
      ? []
      : [listed(channelIds.filter((id) => shown.includes(id)).map(nameOf)) || 'No channels']),
    ...(platforms === null ? [] : [listed(platforms.map(platformLabel), platforms.length)]),
    ...(campaignId === null ? [] : [`Campaign: ${(await nameIn(c, 'campaign', campaignId)) ?? 'a deleted one'}`]),
    ...(labelId === null ? [] : [`Label: ${(await nameIn(c, 'label', labelId)) ?? 'a deleted one'}`]),
    ...(hashtag === null ? [] : [`#${hashtag.replace(/^#/u, '')}`]),
  ]
  return texts.length === 0 ? null : texts.join(' · ')
}

async function nameIn(
  { tx, org, project }: Reading['c'],
  table: 'campaign' | 'label',
  id: string,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom(table)
    .select('name')
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.name
}
