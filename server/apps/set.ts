import { appNamed } from '#contract/platforms/registry.ts'
import type { AppKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import type { AppCredentials } from '../platforms/platform.ts'
import type { SecretKeys } from '../sealing.ts'
import { sealApp } from './sealed.ts'

type Whose = { tx: Tx; orgId: string; app: AppKey }

/**
 * Stores the organization's app in place of an earlier one. Throws APP_NOT_TAKEN if the platform needs none, and
 * BAD_INPUT for a sandbox that the platform doesn't have. Returns what changed.
 */
export async function setApp(
  { tx, orgId, app }: Whose,
  keys: SecretKeys,
  { clientId, clientSecret, sandbox = false }: AppCredentials,
  personId: string,
  now: Date,
): Promise<{ replaced: boolean; sameId: boolean }> {
  const { setup } = appNamed(app)
  if (setup === null) throw fail('APP_NOT_TAKEN')
  if (sandbox && !setup.sandbox) throw fail('BAD_INPUT', { errors: { sandbox: ['This platform has no sandbox'] } })
  const before = await tx
    .selectFrom('app_credentials')
    .select(['client_id', 'sandbox'])
    .where('org_id', '=', orgId)
    .where('platform', '=', app)
    .forUpdate()
    .executeTakeFirst()
  const { keyId, sealed } = sealApp(keys, { orgId, platform: app }, clientSecret)
  const values = { client_id: clientId, sandbox, key_id: keyId, sealed, set_by: personId, set_at: now }
  await tx
    .insertInto('app_credentials')
    .values({ org_id: orgId, platform: app, ...values })
    .onConflict((on) => on.columns(['org_id', 'platform']).doUpdateSet(values))
    .execute()
  // channels connected to the sandbox must be reconnected, and say so immediately: they would keep publishing where
  // nobody looks
  if (before && before.sandbox !== sandbox)
    await tx
      .updateTable('channel')
      .set({ check_at: now })
      .where('org_id', '=', orgId)
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('lane')
          .select('channel_id')
          .where('org_id', '=', orgId)
          .where('credentials', '=', before.client_id),
      )
      .execute()
  return { replaced: before !== undefined, sameId: before?.client_id === clientId }
}

/** Removes the organization's app. Throws NOT_FOUND if there is none. */
export async function removeApp({ tx, orgId, app }: Whose): Promise<void> {
  const gone = await tx
    .deleteFrom('app_credentials')
    .where('org_id', '=', orgId)
    .where('platform', '=', app)
    .returning('platform')
    .execute()
  if (gone.length === 0) throw fail('NOT_FOUND')
}
