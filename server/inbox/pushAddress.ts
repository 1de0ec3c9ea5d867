import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import type { PushTarget } from '../platforms/inbox.ts'
import { createPushKeys, PushKeys } from '../platforms/webPush.ts'
import { seal, unseal, type SecretKeys } from '../sealing.ts'

/*
 * The addresses of ours to which servers send notifications by Web Push, with the keys that they encrypt for: one for each
 * account, whatever organizations it's connected to.
 */

type Account = { platform: PlatformKey; account: string }

const nameOf = ({ platform, account }: Account): string => `rookery push ${platform} ${account}`

/** The keys of an address, as they were sealed. */
export const openKeys = (
  keys: SecretKeys,
  row: Account,
  { key_id: keyId, sealed }: { key_id: string; sealed: Buffer },
) => PushKeys.parse(JSON.parse(unseal(keys, nameOf(row), { keyId, sealed })))

/** The address and key of an account, for the server to send to. They're made at the first call. */
export async function pushTargetOf(
  tx: Tx,
  { keys, publicUrl }: { keys: SecretKeys; publicUrl: string },
  { platform, account }: Account,
): Promise<PushTarget> {
  const { keyId, sealed } = seal(keys, nameOf({ platform, account }), JSON.stringify(createPushKeys()))
  const address = randomBytes(24).toString('base64url')
  await tx
    .insertInto('push_address')
    .values({ platform, account, address, key_id: keyId, sealed })
    .onConflict((on) => on.columns(['platform', 'account']).doNothing())
    .execute()
  const row = await tx
    .selectFrom('push_address')
    .selectAll()
    .where('platform', '=', platform)
    .where('account', '=', account)
    .executeTakeFirstOrThrow()
  const { publicKey, auth } = openKeys(keys, { platform, account }, row)
  return { endpoint: `${publicUrl}/api/public/inbox/${platform}/push/${row.address}`, publicKey, auth }
}

/** Remembers by which key the server signs. */
export const keepServerKey = async (tx: Tx, { platform, account }: Account, serverKey: string): Promise<void> =>
  void (await tx
    .updateTable('push_address')
    .set({ server_key: serverKey })
    .where('platform', '=', platform)
    .where('account', '=', account)
    .execute())

/** Addresses of accounts that are connected nowhere: what a server still sends there is refused, which ends its subscription. */
export const forgetPushAddresses = async (tx: Tx): Promise<void> =>
  void (await sql`
    delete from push_address p where not exists (
      select from channel c where c.platform = p.platform and c.remote_id = p.account and c.deleted_at is null)`.execute(
    tx,
  ))

/** Re-encrypts all keys with the newest one, for the rotation command. Returns how many had another. */
export async function resealPushKeys(tx: Tx, keys: SecretKeys): Promise<number> {
  const rows = await tx.selectFrom('push_address').selectAll().where('key_id', '<>', keys[0].id).forUpdate().execute()
  for (const row of rows) {
    // the adapter's key, as it was stored
    const of = { platform: row.platform as PlatformKey, account: row.account }
    const again = seal(keys, nameOf(of), JSON.stringify(openKeys(keys, of, row)))
    await tx
      .updateTable('push_address')
      .set({ key_id: again.keyId, sealed: again.sealed })
      .where('platform', '=', row.platform)
      .where('account', '=', row.account)
      .execute()
  }
  return rows.length
}
