import type pg from 'pg'
import { z } from 'zod'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Clock } from '../clock.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import type { AppCredentials, InstanceApps } from '../platforms/platform.ts'
import type { SecretKeys } from '../sealing.ts'
import { openInstance, sealInstance } from './sealed.ts'

const Kept = z.object({ clientId: z.string(), clientSecret: z.string() })
/** How long we assume that a server still knows an app. */
const FRESH_MS = 10 * 60_000
const RECENT_MS = 24 * 3_600_000

/**
 * The apps that this installation registered at single servers of a federated platform, for one redirect URL: another
 * PUBLIC_URL registers new ones. If two nodes register at the same time, both use the first.
 */
export function instanceAppsOf(
  { pool, keys, clock }: { pool: pg.Pool; keys: SecretKeys; clock: Clock },
  platform: PlatformKey,
  redirectUri: string,
): InstanceApps {
  const rowOf = (tx: Tx, origin: string) =>
    tx
      .selectFrom('instance_app')
      .selectAll()
      .where('platform', '=', platform)
      .where('origin', '=', origin)
      .where('redirect_uri', '=', redirectUri)
  const opened = (origin: string, { key_id: keyId, sealed }: { key_id: string; sealed: Buffer }): AppCredentials =>
    Kept.parse(JSON.parse(openInstance(keys, { platform, origin, redirectUri }, { keyId, sealed })))
  /** Changes the stored row if it's still this app's. */
  const ifKept = (origin: string, app: AppCredentials, change: (tx: Tx) => Promise<unknown>): Promise<void> =>
    asSystem(pool, async (tx) => {
      const row = await rowOf(tx, origin).forUpdate().executeTakeFirst()
      if (row && opened(origin, row).clientId === app.clientId) await change(tx)
    })
  return {
    find: async (origin) => {
      const row = await asSystem(pool, (tx) => rowOf(tx, origin).executeTakeFirst())
      if (!row) return undefined
      const since = (at: Date | null): number => (at ? clock.now().getTime() - at.getTime() : Infinity)
      return {
        app: opened(origin, row),
        isFresh: since(row.checked_at) < FRESH_MS,
        isRecent: since(row.made_at) < RECENT_MS,
      }
    },
    keep: async (origin, { clientId, clientSecret }) => {
      const { keyId, sealed } = sealInstance(
        keys,
        { platform, origin, redirectUri },
        JSON.stringify({ clientId, clientSecret }),
      )
      const now = clock.now()
      return await asSystem(pool, async (tx) => {
        await tx
          .insertInto('instance_app')
          .values({
            platform,
            origin,
            redirect_uri: redirectUri,
            key_id: keyId,
            sealed,
            made_at: now,
            checked_at: now,
          })
          .onConflict((on) => on.columns(['platform', 'origin', 'redirect_uri']).doNothing())
          .execute()
        return opened(origin, await rowOf(tx, origin).executeTakeFirstOrThrow())
      })
    },
    confirm: async (origin, app) =>
      await ifKept(origin, app, (tx) =>
        tx
          .updateTable('instance_app')
          .set({ checked_at: clock.now() })
          .where('platform', '=', platform)
          .where('origin', '=', origin)
          .where('redirect_uri', '=', redirectUri)
          .execute(),
      ),
    forget: async (origin, app) =>
      await ifKept(origin, app, (tx) =>
        tx
          .deleteFrom('instance_app')
          .where('platform', '=', platform)
          .where('origin', '=', origin)
          .where('redirect_uri', '=', redirectUri)
          .execute(),
      ),
  }
}
