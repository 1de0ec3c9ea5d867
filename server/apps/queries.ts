import type { z } from 'zod'
import type { PlatformApp } from '#contract/apps.ts'
import { appNamed } from '#contract/platforms/registry.ts'
import { appKeys, platformKeys, type AppKey, type PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import type { Env } from '../env.ts'
import type { Platform } from '../platforms/platform.ts'
import { redirectAddress } from '../platforms/redirect.ts'
import type { SecretKeys } from '../sealing.ts'
import { appsBehind, installationApp, wantsHttps } from './apps.ts'
import { openApp } from './sealed.ts'
import { verifyTokenOf } from './verifyToken.ts'

export type AppDeps = { env: Env; secrets: SecretKeys; platforms: (key: PlatformKey) => Platform | undefined }
type Shown = z.output<typeof PlatformApp>

/** Every app that can be set up, in the contract's order, with what is set up. */
export async function findApps(tx: Tx, deps: AppDeps, orgId: string): Promise<Shown[]> {
  const own = await tx
    .selectFrom('app_credentials')
    .innerJoin('person', 'person.id', 'app_credentials.set_by')
    .select(['platform', 'client_id', 'key_id', 'sealed', 'sandbox', 'set_at', 'first_name', 'last_name', 'email'])
    .select((eb) =>
      eb
        .selectFrom('lane')
        .innerJoin('channel', (join) =>
          join.onRef('channel.org_id', '=', 'lane.org_id').onRef('channel.id', '=', 'lane.channel_id'),
        )
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('lane.org_id', '=', 'app_credentials.org_id')
        .whereRef('lane.credentials', '=', 'app_credentials.client_id')
        .where('channel.deleted_at', 'is', null)
        .as('channels'),
    )
    .where('app_credentials.org_id', '=', orgId)
    .execute()
  // keeps a platform's apps together
  const apps = platformKeys.flatMap((platform) => appKeys.filter((app) => appNamed(app).platform === platform))
  return apps.map((app) => {
    const { platform, setup } = appNamed(app)
    const row = own.find((one) => one.platform === app)
    const inForce = row ? { clientId: row.client_id, sandbox: row.sandbox } : installationApp(deps.env, app)
    return {
      app,
      platform,
      state: row ? 'organization' : stateWithout(deps, app),
      clientId: setup === null ? null : (inForce?.clientId ?? null),
      setBy: row ? `${row.first_name} ${row.last_name}`.trim() || row.email : null,
      setAt: row?.set_at.toISOString() ?? null,
      redirectUri: redirectAddress(deps.env.publicUrl, platform),
      ...notificationsOf(
        deps,
        app,
        inForce?.clientId,
        row && {
          orgId,
          secret: openApp(deps.secrets, { orgId, platform: app }, { keyId: row.key_id, sealed: row.sealed }),
        },
      ),
      wantsHttps: wantsHttps(deps.env, platform),
      sandbox: inForce?.sandbox ?? false,
      channels: row?.channels ?? 0,
    }
  })
}

/** One app as the page shows it to the organization. */
export async function findApp(tx: Tx, deps: AppDeps, orgId: string, app: AppKey): Promise<Shown> {
  const found = (await findApps(tx, deps, orgId)).find((one) => one.app === app)
  if (!found) throw new Error(`${app} is an app that the contract does not list`)
  return found
}

/**
 * What has to be entered at the platform for it to notify us: an app may belong to several platforms, as Facebook's does. The
 * address of an organization's own app names the organization, since others may have entered the same client ID.
 */
function notificationsOf(
  { env, platforms }: AppDeps,
  app: AppKey,
  clientId: string | undefined,
  own: { orgId: string; secret: string } | undefined,
): Pick<Shown, 'webhooks' | 'verifyToken' | 'deletionUrl'> {
  if (clientId === undefined) return { webhooks: [], verifyToken: null, deletionUrl: null }
  const pushing = platformKeys.flatMap((platform) => {
    const push = appsBehind(platform).includes(app) ? platforms(platform)?.push : undefined
    const url = `${env.publicUrl}/api/public/inbox/${platform}/${encodeURIComponent(clientId)}`
    return push ? [{ platform, push, url }] : []
  })
  const asksForToken = pushing.some(({ push }) => push.asksForToken)
  const asking = pushing.find(({ push }) => push.deletionOf)
  return {
    webhooks: pushing.map(({ platform, url }) => ({ platform, url: own ? `${url}/${own.orgId}` : url })),
    verifyToken: asksForToken && own ? verifyTokenOf(own.secret) : null,
    deletionUrl: asking ? `${asking.url}/data-deletion` : null,
  }
}

/** What applies if the organization has no app of its own. */
function stateWithout({ env, platforms }: AppDeps, app: AppKey): Shown['state'] {
  const { platform, setup } = appNamed(app)
  if (!platforms(platform)) return 'unavailable'
  if (setup === null) return 'unneeded'
  if (env.apps[app]) return 'installation'
  return env.SIMULATED_PLATFORMS === undefined ? 'missing' : 'simulated'
}
