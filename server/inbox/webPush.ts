import { createHash } from 'node:crypto'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { NO_APP } from '../apps/apps.ts'
import { asSystem } from '../db/system.ts'
import type { Dependencies } from '../dependencies.ts'
import { fail } from '../errors.ts'
import { openPush, senderOf } from '../platforms/webPush.ts'
import { processSoon } from './deliveries.ts'
import { openKeys } from './pushAddress.ts'
import { storePush } from './pushChannels.ts'

type Needs = Pick<Dependencies, 'databases' | 'clock' | 'env' | 'secrets' | 'platforms'>

/**
 * Takes a notification: checks that it was encrypted for the key of this address, which only the server has, and that this
 * server signed it, if it was signed. Throws NOT_FOUND for an address that isn't in use, and SIGNATURE_REFUSED. Servers end
 * a subscription on either, and the next day's reading creates it again if the account is still connected.
 */
export async function takePush(
  { databases, clock, env, secrets, platforms }: Needs,
  { platform, address }: { platform: PlatformKey; address: string },
  headers: Readonly<Partial<Record<string, string>>>,
  base64: string,
): Promise<void> {
  const webPush = platforms(platform)?.webPush
  const now = clock.now()
  const isNews = await asSystem(databases.system, async (tx) => {
    const row = await tx
      .selectFrom('push_address')
      .selectAll()
      .where('platform', '=', platform)
      .where('address', '=', address)
      .executeTakeFirst()
    if (!row || !webPush) throw fail('NOT_FOUND')
    const body = Buffer.from(base64, 'base64')
    const origin = new URL(env.publicUrl).origin
    const isForged =
      row.server_key !== null && senderOf({ headers }, { serverKey: row.server_key, origin, now }) === 'forged'
    const text = openPush(openKeys(secrets, { platform, account: row.account }, row), { headers, body })
    if (isForged || text === undefined) throw fail('SIGNATURE_REFUSED')
    const kinds = webPush.kindsOf(text)
    if (kinds.length === 0) return false
    // what was written is read from the platform: only whom it is about is kept
    const told = [{ accountRemoteId: row.account, kinds: [...kinds] }]
    const digest = createHash('sha256').update(body).digest()
    return (await storePush(tx, { platform, clientId: NO_APP }, [null], { digest, told, receivedAt: now })) > 0
  })
  if (isNews) await processSoon({ databases })
}
