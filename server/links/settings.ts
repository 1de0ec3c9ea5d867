import { randomUUIDv7 } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { LinkSetting } from '#contract/links/settings.ts'
import { linkTagNames } from '#contract/links/details.ts'
import { LinkTags } from '#contract/links/tags.ts'
import type { Database } from '../db/schema.ts'
import type { ProjectContext } from '../http/route.ts'

type Row = Selectable<Database['link_setting']>
type Asker = Pick<ProjectContext, 'tx' | 'org' | 'project'>

/** Without tags, and links stay as people wrote them. */
const noLinkSetting: LinkSetting = { tags: {}, shorten: false }

/** The settings of a project and of the channels that differ, including those that the caller's role doesn't show. */
export type ProjectLinks = { project: LinkSetting; channels: ReadonlyMap<string, LinkSetting> }

/** Those of a project that chose none. */
export const noLinkSettings: ProjectLinks = { project: noLinkSetting, channels: new Map() }

/** What applies to links of the project's posts. One statement. */
export async function readLinkSettings({ tx, org, project }: Asker): Promise<ProjectLinks> {
  const rows = await tx
    .selectFrom('link_setting as s')
    .leftJoin('channel as c', (join) => join.onRef('c.org_id', '=', 's.org_id').onRef('c.id', '=', 's.channel_id'))
    .selectAll('s')
    .where('s.org_id', '=', org.orgId)
    .where('s.project_id', '=', project.projectId)
    // an account that is connected again finds its own
    .where('c.deleted_at', 'is', null)
    .execute()
  const ofProject = rows.find((row) => row.channel_id === null)
  return {
    project: ofProject ? settingOf(ofProject) : noLinkSetting,
    channels: new Map(rows.flatMap((row) => (row.channel_id === null ? [] : [[row.channel_id, settingOf(row)]]))),
  }
}

/** What applies to a channel: its own settings, otherwise the project's. */
export const linkSettingFor = ({ project, channels }: ProjectLinks, channelId: string): LinkSetting =>
  channels.get(channelId) ?? project

const settingOf = ({ tags, shorten }: Row): LinkSetting => ({ tags: LinkTags.parse(tags), shorten })

/** Stores the settings of the project, or of a channel; null removes those of a channel. Returns what was stored before. */
export async function saveLinkSetting(
  c: ProjectContext,
  channelId: string | null,
  setting: LinkSetting | null,
): Promise<LinkSetting | null> {
  const ofOne = c.tx
    .selectFrom('link_setting')
    .selectAll()
    .where('org_id', '=', c.org.orgId)
    .where('project_id', '=', c.project.projectId)
  const row = await (
    channelId === null ? ofOne.where('channel_id', 'is', null) : ofOne.where('channel_id', '=', channelId)
  ).executeTakeFirst()
  const columns = setting && {
    tags: JSON.stringify(tidied(setting.tags)),
    shorten: setting.shorten,
    updated_at: c.now,
  }
  if (columns)
    await c.tx
      .insertInto('link_setting')
      .values({
        org_id: c.org.orgId,
        id: randomUUIDv7(),
        project_id: c.project.projectId,
        channel_id: channelId,
        ...columns,
      })
      .onConflict((oc) => oc.columns(['org_id', 'project_id', 'channel_id']).doUpdateSet(columns))
      .execute()
  else if (row)
    await c.tx.deleteFrom('link_setting').where('org_id', '=', c.org.orgId).where('id', '=', row.id).execute()
  return row ? settingOf(row) : null
}

/** Empty tags are none. */
const tidied = (tags: LinkTags): LinkTags =>
  Object.fromEntries(linkTagNames.flatMap((name) => (tags[name] ? [[name, tags[name]]] : [])))

/** The settings as an audit entry compares them, field by field. */
export const auditedLinks = (setting: LinkSetting | null): Record<string, unknown> | null =>
  setting && { ...tidied(setting.tags), shorten: setting.shorten }
