import * as contract from '#contract/lookups.ts'
import { handleDetached, type Route } from '../http/route.ts'
import type { AskDeps } from '../delivery/ask.ts'
import { openLookups } from './lookup.ts'

export function lookupRoutes(deps: AskDeps): Route[] {
  const lookups = openLookups(deps)
  return [
    handleDetached(contract.lookup, (c) =>
      lookups.find(c, { channelId: c.params.channelId, kind: c.params.kind, query: c.query.query }),
    ),
    ...contract.namedLookups.map(({ endpoint, platform, kind }) =>
      handleDetached(endpoint, (c) => lookups.find(c, { channelId: c.params.channelId, platform, kind, query: '' })),
    ),
    ...contract.namedMentions.map(({ endpoint, platform, kind }) =>
      handleDetached(endpoint, (c) =>
        lookups.find(c, { channelId: c.params.channelId, platform, kind, query: c.query.username }),
      ),
    ),
    ...contract.namedAdditions.map(({ endpoint, platform, kind }) =>
      handleDetached(endpoint, async (c) => {
        const { title: name, ...rest } = c.body
        const item = await lookups.add(c, { channelId: c.params.channelId, platform, kind }, { name, ...rest })
        await c.inTenant((t) =>
          t.audit({ entityId: item.id, detail: { channelId: c.params.channelId, name: item.name } }),
        )
        return { item, message: 'Playlist added' }
      }),
    ),
    ...contract.namedChanges.map(({ endpoint, platform, kind }) =>
      handleDetached(endpoint, async (c) => {
        const { channelId, boardId: id } = c.params
        const item = await lookups.change(c, { channelId, platform, kind, id }, c.body)
        await c.inTenant((t) =>
          t.audit({ entityId: id, detail: { channelId, name: item.name, changed: Object.keys(c.body) } }),
        )
        return { item, message: 'Board changed' }
      }),
    ),
  ]
}
