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
/** How long a server is believed to still know an app. */
const FRESH_MS = 10 * 60_000
const RECENT_MS = 24 * 3_600_000

/**
 * The apps that this installation made at single servers of a federated platform, for one way back: another PUBLIC_URL makes new
 * ones. Of two nodes that register at the same time the first is kept, and both go on with it.
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
  /** Does something with the kept row where it is this app's. */
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
