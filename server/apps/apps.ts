import type pg from 'pg'
import { PlatformKey, type AppKey } from '#contract/platforms/rules.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import type { Tx } from '../db/kysely.ts'
import { asTenant } from '../db/tenant.ts'
import type { Env } from '../env.ts'
import type { AppCredentials } from '../platforms/platform.ts'
import type { SecretKeys } from '../sealing.ts'
import { openApp } from './sealed.ts'

/*
 * Which app signs people in at a platform: the organization's own takes precedence over the installation's. A sign-in
 * can only be renewed with the app that created it, so a channel stores its client id (lane.credentials) and looks its
 * app up by that.
 */

export type Apps = {
  /** The app for a new sign-in, or undefined if none is set up or needed. */
  forSignIn: (orgId: string, platform: PlatformKey, variant?: string) => Promise<AppCredentials | undefined>
  /** The organization's or installation's app with this client id; undefined if it was removed. */
  find: (orgId: string, platform: PlatformKey, clientId: string) => Promise<AppCredentials | undefined>
  /** The app that a channel was connected with: undefined if none was needed, `gone` if it's no longer set up. */
  ofChannel: (orgId: string, channelId: string) => Promise<AppCredentials | 'gone' | undefined>
}

/** The value of `lane.credentials` for sign-ins without an app. */
export const NO_APP = 'own'

/**
 * For simulators. An app besides the platform's first one has its own name, by which the simulator knows its products.
 */
const simulatedApp = (app: AppKey): AppCredentials => ({
  clientId: PlatformKey.safeParse(app).success ? 'simulated' : `simulated-${app}`,
  clientSecret: 'simulated',
})

/** `pool` is one for tenants: each query runs as the organization. */
export function composeApps({ env, pool, keys }: { env: Env; pool: pg.Pool; keys: SecretKeys }): Apps {
  const ofInstallation = (app: AppKey): AppCredentials | undefined => installationApp(env, app)

  async function find(orgId: string, platform: PlatformKey, clientId: string): Promise<AppCredentials | undefined> {
    const apps = appsBehind(platform)
    const own = await asTenant(pool, orgId, (tx) => ownApps(tx, keys, orgId, apps))
    return [...own.values(), ...apps.map(ofInstallation)].find((app) => app?.clientId === clientId)
  }

  return {
    find,
    forSignIn: async (orgId, platform, variant) => {
      if (platformRules[platform].app === null) return undefined
      const from = appOf(platform, variant)
      const own = await asTenant(pool, orgId, (tx) => ownApps(tx, keys, orgId, [from]))
      return own.get(from) ?? ofInstallation(from)
    },
    ofChannel: async (orgId, channelId) => {
      const lane = await asTenant(pool, orgId, (tx) =>
        tx
          .selectFrom('lane')
          .select(['platform', 'credentials'])
          .where('org_id', '=', orgId)
          .where('channel_id', '=', channelId)
          .executeTakeFirst(),
      )
      if (!lane || lane.credentials === NO_APP) return undefined
      return (await find(orgId, PlatformKey.parse(lane.platform), lane.credentials)) ?? 'gone'
    },
  }
}

/** At which platforms people can sign in by which way, as far as an app is needed: one query for all of them. */
export async function readSetUp(
  tx: Tx,
  env: Env,
  orgId: string,
): Promise<(platform: PlatformKey, variant?: string) => boolean> {
  const rows = await tx.selectFrom('app_credentials').select('platform').where('org_id', '=', orgId).execute()
  const own = new Set(rows.map(({ platform }) => platform))
  return (platform, variant) => {
    const from = appOf(platform, variant)
    return platformRules[platform].app === null || own.has(from) || installationApp(env, from) !== undefined
  }
}

/** The installation's apps from the environment or, in development, the simulators'. */
export function installationApp(env: Env, app: AppKey): AppCredentials | undefined {
  return env.apps[app] ?? (env.SIMULATED_PLATFORMS === undefined ? undefined : simulatedApp(app))
}

/** The app for this way to sign in. */
export function appOf(platform: PlatformKey, variant: string | undefined): AppKey {
  const variants = platformRules[platform].app?.variants
  return (variants?.find(({ value }) => value === variant) ?? variants?.[0])?.appOf ?? platform
}

/** Every app that a channel of this platform may have been connected with. */
export function appsBehind(platform: PlatformKey): AppKey[] {
  return [
    ...new Set([platform, ...(platformRules[platform].app?.variants ?? []).flatMap(({ appOf: other }) => other ?? [])]),
  ]
}

async function ownApps(
  tx: Tx,
  keys: SecretKeys,
  orgId: string,
  apps: readonly AppKey[],
): Promise<Map<string, AppCredentials>> {
  const rows = await tx
    .selectFrom('app_credentials')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('platform', '=', (eb) => eb.fn.any(eb.val([...apps])))
    .execute()
  return new Map(
    rows.map((row) => [
      row.platform,
      {
        clientId: row.client_id,
        clientSecret: openApp(keys, { orgId, platform: row.platform }, { keyId: row.key_id, sealed: row.sealed }),
        ...(row.sandbox && { sandbox: true }),
      },
    ]),
  )
}

/** Whether a platform requires a public HTTPS URL that isn't set. Simulators don't. */
export function wantsHttps(env: Env, platform: PlatformKey): boolean {
  return (
    platformRules[platform].app?.publicHttps === true &&
    env.SIMULATED_PLATFORMS === undefined &&
    !env.publicUrl.startsWith('https:')
  )
}
