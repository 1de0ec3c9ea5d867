import type { z } from 'zod'
import type { AccessChannel } from '#contract/members.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { reaches } from '../access/channels.ts'
import { pictureAddress } from '../access/channels.ts'
import type { Tx } from '../db/kysely.ts'

type Asker = { tx: Tx; org: { orgId: string }; project: { projectId: string; channelIds: readonly string[] | null } }
export type NamedChannels = {
  /** Null: every channel of the project. */ channels: z.output<typeof AccessChannel>[] | null
  /** Channels the caller can't access: counted, never named. */ moreChannels: number
}

/** Names the channels of assignments as the caller may see them. Returns a function, so that a page takes one query. */
export async function channelNames({
  tx,
  org,
  project,
}: Asker): Promise<(channelIds: readonly string[] | null) => NamedChannels> {
  const rows = await tx
    .selectFrom('channel')
    .select(['id', 'name', 'platform', 'handle', pictureAddress('channel').as('picture')])
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('deleted_at', 'is', null)
    .orderBy('connected_at')
    .orderBy('id')
    .execute()
  return (channelIds) => {
    if (channelIds === null) return { channels: null, moreChannels: 0 }
    const theirs = rows.filter(({ id }) => channelIds.includes(id))
    const seen = theirs.filter(({ id }) => reaches(project, id))
    return {
      channels: seen.map((row) => ({
        channelId: row.id,
        channelName: row.name,
        platformName: PlatformKey.parse(row.platform),
        handle: row.handle,
        profileUrl: row.picture,
      })),
      moreChannels: theirs.length - seen.length,
    }
  }
}
