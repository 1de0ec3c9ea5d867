import { generateKeyPairSync } from 'node:crypto'
import type pg from 'pg'
import { z } from 'zod'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Clock } from '../clock.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import type { ClientKey } from '../platforms/platform.ts'
import { seal, unseal, type SecretKeys } from '../sealing.ts'

/*
 * The key by which this installation authenticates to a platform. One for all nodes, permanently, because sign-ins are
 * bound to it. It's stored encrypted in the database, so that it survives a key rotation and a move of the data.
 */

const StoredKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string(),
})
const nameOf = (platform: string): string => `rookery client ${platform}`

/** Returns the key, created on first use. Nodes that request it at the same time get the same one. */
export function clientKeyOf(
  { pool, keys, clock }: { pool: pg.Pool; keys: SecretKeys; clock: Clock },
  platform: PlatformKey,
): () => Promise<ClientKey> {
  let known: ClientKey | undefined
  return async () => (known ??= await asSystem(pool, (tx) => readOrMake(tx, keys, platform, clock.now())))
}

async function readOrMake(tx: Tx, keys: SecretKeys, platform: PlatformKey, now: Date): Promise<ClientKey> {
  const { keyId, sealed } = seal(
    keys,
    nameOf(platform),
    JSON.stringify(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })),
  )
  await tx
    .insertInto('client_key')
    .values({ platform, key_id: keyId, sealed, made_at: now })
    .onConflict((on) => on.doNothing())
    .execute()
  const row = await tx.selectFrom('client_key').selectAll().where('platform', '=', platform).executeTakeFirstOrThrow()
  return StoredKey.parse(JSON.parse(unseal(keys, nameOf(platform), { keyId: row.key_id, sealed: row.sealed })))
}

/** Re-encrypts every key with the newest encryption key, for the rotation command. Returns how many had another. */
export async function resealClientKeys(tx: Tx, keys: SecretKeys): Promise<number> {
  const rows = await tx.selectFrom('client_key').selectAll().where('key_id', '<>', keys[0].id).forUpdate().execute()
  for (const row of rows) {
    const { keyId, sealed } = seal(
      keys,
      nameOf(row.platform),
      unseal(keys, nameOf(row.platform), { keyId: row.key_id, sealed: row.sealed }),
    )
    await tx.updateTable('client_key').set({ key_id: keyId, sealed }).where('platform', '=', row.platform).execute()
  }
  return rows.length
}
