import type { Tx } from '../db/kysely.ts'
import { seal, unseal, type Sealed, type SecretKeys } from '../sealing.ts'

/* How the secrets of apps are stored: encrypted, each bound to its row. */

type AppRow = { orgId: string; platform: string }
type InstanceRow = { platform: string; origin: string; redirectUri: string }

const nameOfApp = ({ orgId, platform }: AppRow): string => `rookery app ${orgId}/${platform}`
const nameOfInstance = ({ platform, origin, redirectUri }: InstanceRow): string =>
  `rookery instance ${platform} ${origin} ${redirectUri}`

export const sealApp = (keys: SecretKeys, row: AppRow, clientSecret: string): Sealed =>
  seal(keys, nameOfApp(row), clientSecret)
export const openApp = (keys: SecretKeys, row: AppRow, sealed: Sealed): string => unseal(keys, nameOfApp(row), sealed)
export const sealInstance = (keys: SecretKeys, row: InstanceRow, app: string): Sealed =>
  seal(keys, nameOfInstance(row), app)
export const openInstance = (keys: SecretKeys, row: InstanceRow, sealed: Sealed): string =>
  unseal(keys, nameOfInstance(row), sealed)

/**
 * Re-encrypts all of them with the newest key, across tenants, as the system role: for the rotation command. Returns
 * how many had another.
 */
export async function resealApps(tx: Tx, keys: SecretKeys): Promise<number> {
  const isOld = ['key_id', '<>', keys[0].id] as const
  const apps = await tx
    .selectFrom('app_credentials')
    .selectAll()
    .where(...isOld)
    .forUpdate()
    .execute()
  for (const { org_id: orgId, platform, key_id: keyId, sealed: before } of apps) {
    const again = sealApp(keys, { orgId, platform }, openApp(keys, { orgId, platform }, { keyId, sealed: before }))
    await tx
      .updateTable('app_credentials')
      .set({ key_id: again.keyId, sealed: again.sealed })
      .where('org_id', '=', orgId)
      .where('platform', '=', platform)
      .execute()
  }
  const instances = await tx
    .selectFrom('instance_app')
    .selectAll()
    .where(...isOld)
    .forUpdate()
    .execute()
  for (const { platform, origin, redirect_uri: redirectUri, key_id: keyId, sealed: before } of instances) {
    const row = { platform, origin, redirectUri }
    const again = sealInstance(keys, row, openInstance(keys, row, { keyId, sealed: before }))
    await tx
      .updateTable('instance_app')
      .set({ key_id: again.keyId, sealed: again.sealed })
      .where('platform', '=', platform)
      .where('origin', '=', origin)
      .where('redirect_uri', '=', redirectUri)
      .execute()
  }
  return apps.length + instances.length
}
