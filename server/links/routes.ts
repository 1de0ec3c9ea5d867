import * as contract from '#contract/links/settings.ts'
import { loadStayingChannel, reaches } from '../access/channels.ts'
import type { Dependencies } from '../dependencies.ts'
import { fail } from '../errors.ts'
import { handle, type ProjectContext, type Route } from '../http/route.ts'
import { auditedLinks, readLinkSettings, saveLinkSetting } from './settings.ts'
import { linkHosts } from './hosts.ts'

export function linkRoutes({ env }: Pick<Dependencies, 'env'>): Route[] {
  const { shortUrl, ownHosts } = linkHosts(env)
  return [
    handle(contract.linkSettings, async (c) => {
      const { project, channels } = await readLinkSettings(c)
      const visible = [...channels].filter(([channelId]) => reaches(c.project, channelId))
      return { project, channels: visible.map(([channelId, own]) => ({ channelId, ...own })), shortUrl, ownHosts }
    }),
    handle(contract.setProjectLinks, async (c) => {
      // it applies to channels that such a role can't see
      if (c.project.channelIds !== null)
        throw fail('FORBIDDEN', {
          detail: "Your role doesn't include all channels, so you can only change the links of single channels.",
        })
      await save(c, null, c.body)
      return { message: 'Link settings saved' }
    }),
    handle(contract.setChannelLinks, async (c) => {
      const { id } = await loadStayingChannel(c, c.params.channelId)
      await save(c, id, c.body.own)
      return { message: 'Link settings saved' }
    }),
  ]
}

async function save(c: ProjectContext, channelId: string | null, setting: contract.LinkSetting | null): Promise<void> {
  const before = await saveLinkSetting(c, channelId, setting)
  await c.audit({
    entityId: channelId ?? c.project.projectId,
    detail: { before: auditedLinks(before), after: auditedLinks(setting) },
  })
  await c.emit({ kind: 'project', ref: c.project.projectId })
}
