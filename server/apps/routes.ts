import * as contract from '#contract/apps.ts'
import { handle, type Route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { findApp, findApps } from './queries.ts'
import { removeApp, setApp } from './set.ts'

export function appRoutes(parts: Parts): Route[] {
  return [
    handle(contract.listApps, async (c) => ({ apps: await findApps(c.tx, parts, c.org.orgId) })),

    handle(contract.putApp, async (c) => {
      const whose = { tx: c.tx, orgId: c.org.orgId, platform: c.params.platform }
      const { replaced, sameId } = await setApp(whose, parts.secrets, c.body, c.caller.personId, c.now)
      // the client id stands in every address of a sign-in; the secret is written nowhere but sealed
      await c.audit({
        entityId: c.params.platform,
        detail: { platform: c.params.platform, clientId: c.body.clientId, replaced, sameId },
      })
      return {
        app: await findApp(c.tx, parts, c.org.orgId, c.params.platform),
        message: 'Saved. New channels are connected with this app.',
      }
    }),

    handle(contract.deleteApp, async (c) => {
      await removeApp({ tx: c.tx, orgId: c.org.orgId, platform: c.params.platform })
      await c.audit({ entityId: c.params.platform, detail: { platform: c.params.platform } })
      return { app: await findApp(c.tx, parts, c.org.orgId, c.params.platform), message: 'Removed' }
    }),
  ]
}
