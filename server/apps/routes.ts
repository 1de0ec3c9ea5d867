import * as contract from '#contract/apps.ts'
import { handle, type Route } from '../http/route.ts'
import type { Dependencies } from '../dependencies.ts'
import { findApp, findApps } from './queries.ts'
import { removeApp, setApp } from './set.ts'

export function appRoutes(deps: Dependencies): Route[] {
  return [
    handle(contract.listApps, async (c) => ({ apps: await findApps(c.tx, deps, c.org.orgId) })),

    handle(contract.putApp, async (c) => {
      const whose = { tx: c.tx, orgId: c.org.orgId, app: c.params.app }
      const { replaced, sameId } = await setApp(whose, deps.secrets, c.body, c.caller.personId, c.now)
      // the client id is in every sign-in URL; the secret is only stored encrypted
      await c.audit({
        entityId: c.params.app,
        detail: { platform: c.params.app, clientId: c.body.clientId, sandbox: c.body.sandbox, replaced, sameId },
      })
      return {
        app: await findApp(c.tx, deps, c.org.orgId, c.params.app),
        message: 'Saved. New channels are connected with this app.',
      }
    }),

    handle(contract.deleteApp, async (c) => {
      await removeApp({ tx: c.tx, orgId: c.org.orgId, app: c.params.app })
      await c.audit({ entityId: c.params.app, detail: { platform: c.params.app } })
      return { app: await findApp(c.tx, deps, c.org.orgId, c.params.app), message: 'Removed' }
    }),
  ]
}
