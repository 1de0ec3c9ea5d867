import { z } from 'zod'
import { Done, Id, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { LinkTags } from './tags.ts'

/** What is added to links in posts, and whether they're shortened. */
export const LinkSetting = z.object({ tags: LinkTags, shorten: z.boolean() })
export type LinkSetting = z.infer<typeof LinkSetting>

export const LinkSettings = z.object({
  /** Of the project: all channels that don't differ. */
  project: LinkSetting,
  /** Channels that differ, among those that the caller's role includes. One without tags that doesn't shorten has none. */
  channels: z.array(LinkSetting.extend({ channelId: Id })),
  /** What short links begin with, such as https://go.example. */
  shortUrl: z.string(),
  /** The hosts of this installation: links to them stay as they are. */
  ownHosts: z.array(z.string()),
})
export type LinkSettings = z.infer<typeof LinkSettings>

const path = '/api/:orgId/project/:projectId/link-settings'
export const linkSettings = endpoint({
  method: 'GET',
  path,
  summary: 'Get the UTM tags and short links of the project and its channels',
  access: can('post', 'view'),
  cost: 'light',
  reads: ['project', 'channel'],
  params: ProjectParams,
  reply: LinkSettings,
  audit: null,
})
/** For roles with all channels: it applies to every channel without settings of its own. */
export const setProjectLinks = endpoint({
  method: 'PUT',
  path,
  summary: "Set the UTM tags and short links of the project's posts. Posts that are already submitted keep theirs",
  access: can('channel', 'edit'),
  cost: 'light',
  changes: ['project'],
  params: ProjectParams,
  body: LinkSetting,
  reply: Done,
  errors: ['BAD_INPUT', 'FORBIDDEN'],
  audit: { action: 'updated', entity: 'link_settings' },
})
export const setChannelLinks = endpoint({
  method: 'PUT',
  path: `${path}/:channelId`,
  summary: "Set the UTM tags and short links of one channel's posts",
  access: can('channel', 'edit'),
  cost: 'light',
  changes: ['project'],
  params: ProjectParams.extend({ channelId: Id }),
  /** Null: as the project. */
  body: z.object({ own: LinkSetting.nullable() }),
  reply: Done,
  errors: ['NOT_FOUND', 'BAD_INPUT'],
  audit: { action: 'updated', entity: 'channel_links' },
})
