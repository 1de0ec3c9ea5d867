import { platformRules } from '#contract/platforms/registry.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import type { AppCredentials } from '../platforms/platform.ts'
import type { SecretKeys } from '../sealing.ts'
import { sealApp } from './sealed.ts'

type Whose = { tx: Tx; orgId: string; platform: PlatformKey }

/** Keeps the organisation's app in place of an earlier one. Throws APP_NOT_TAKEN where nothing is registered. Answers what changed. */
export async function setApp(
  { tx, orgId, platform }: Whose,
  keys: SecretKeys,
  { clientId, clientSecret }: AppCredentials,
  personId: string,
  now: Date,
): Promise<{ replaced: boolean; sameId: boolean }> {
  if (platformRules[platform].app === null) throw fail('APP_NOT_TAKEN')
  const before = await tx
    .selectFrom('app_credentials')
    .select('client_id')
    .where('org_id', '=', orgId)
    .where('platform', '=', platform)
    .forUpdate()
    .executeTakeFirst()
  const { keyId, sealed } = sealApp(keys, { orgId, platform }, clientSecret)
  const values = { client_id: clientId, key_id: keyId, sealed, set_by: personId, set_at: now }
  await tx
    .insertInto('app_credentials')
    .values({ org_id: orgId, platform, ...values })
    .onConflict((on) => on.columns(['org_id', 'platform']).doUpdateSet(values))
    .execute()
  return { replaced: before !== undefined, sameId: before?.client_id === clientId }
}

/** Forgets the organisation's app. Throws NOT_FOUND when there is none. */
export async function removeApp({ tx, orgId, platform }: Whose): Promise<void> {
  const gone = await tx
    .deleteFrom('app_credentials')
    .where('org_id', '=', orgId)
    .where('platform', '=', platform)
    .returning('platform')
    .execute()
  if (gone.length === 0) throw fail('NOT_FOUND')
}
