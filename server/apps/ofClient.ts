import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import type { Env } from '../env.ts'
import { appKeys, type AppKey, type PlatformKey } from '#contract/platforms/rules.ts'
import type { SecretKeys } from '../sealing.ts'
import { appsBehind, installationApp } from './apps.ts'
import { openApp } from './sealed.ts'

/** An app by its client ID: whose it is (null: the installation's), and its secret. */
export type OwnedApp = { orgId: string | null; clientSecret: string }

/**
 * Every app with this client ID on the platform, across tenants, as the system role: for requests that only name the
 * app. An organization that enters another one's client ID doesn't know its secret, so each secret is valid for its own
 * organization only.
 */
export async function appsOfClient(
  tx: Tx,
  { env, keys }: { env: Env; keys: SecretKeys },
  platform: PlatformKey,
  clientId: string,
): Promise<OwnedApp[]> {
  const names = appsBehind(platform)
  const rows = await tx
    .selectFrom('app_credentials')
    .select(['org_id', 'platform', 'key_id', 'sealed'])
    .where('client_id', '=', clientId)
    .where('platform', 'in', names)
    .orderBy(
      sql`exists (select from lane l where l.org_id = app_credentials.org_id and l.credentials = app_credentials.client_id)`,
      'desc',
    )
    .orderBy('set_at')
    .execute()
  const own = rows.map((row) => ({
    orgId: row.org_id,
    clientSecret: openApp(
      keys,
      { orgId: row.org_id, platform: row.platform },
      { keyId: row.key_id, sealed: row.sealed },
    ),
  }))
  const installed = installedApp(env, names, clientId)
  return [...(installed ? [{ orgId: null, clientSecret: installed.clientSecret }] : []), ...own]
}

const installedApp = (env: Env, names: readonly AppKey[], clientId: string) =>
  appKeys
    .filter((name) => names.includes(name))
    .map((name) => installationApp(env, name))
    .find((app) => app?.clientId === clientId)

/** Whether an app with this client ID is set up here for the platform, by anyone. Without opening any secret. */
export async function isKnownClient(tx: Tx, env: Env, platform: PlatformKey, clientId: string): Promise<boolean> {
  const names = appsBehind(platform)
  if (installedApp(env, names, clientId)) return true
  const row = await tx
    .selectFrom('app_credentials')
    .select('client_id')
    .where('client_id', '=', clientId)
    .where('platform', 'in', names)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
