import type pg from 'pg'
import { z } from 'zod'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Clock } from '../clock.ts'
import { asSystem } from '../db/system.ts'
import type { InstanceApps } from '../platforms/platform.ts'
import type { SecretKeys } from '../sealing.ts'
import { openInstance, sealInstance } from './sealed.ts'

const Kept = z.object({ clientId: z.string(), clientSecret: z.string() })

/**
 * The apps that this installation made at single servers of a federated platform, for one way back: another PUBLIC_URL makes new
 * ones. Two nodes that register at the same time both succeed; the later one is kept.
 */
export function instanceAppsOf(
  { pool, keys, clock }: { pool: pg.Pool; keys: SecretKeys; clock: Clock },
  platform: PlatformKey,
  redirectUri: string,
): InstanceApps {
  return {
    find: async (origin) => {
      const row = await asSystem(pool, (tx) =>
        tx
          .selectFrom('instance_app')
          .selectAll()
          .where('platform', '=', platform)
          .where('origin', '=', origin)
          .where('redirect_uri', '=', redirectUri)
          .executeTakeFirst(),
      )
      return (
        row &&
        Kept.parse(
          JSON.parse(openInstance(keys, { platform, origin, redirectUri }, { keyId: row.key_id, sealed: row.sealed })),
        )
      )
    },
    keep: async (origin, { clientId, clientSecret }) => {
      const { keyId, sealed } = sealInstance(
        keys,
        { platform, origin, redirectUri },
        JSON.stringify({ clientId, clientSecret }),
      )
      const values = { key_id: keyId, sealed, made_at: clock.now() }
      await asSystem(pool, (tx) =>
        tx
          .insertInto('instance_app')
          .values({ platform, origin, redirect_uri: redirectUri, ...values })
          .onConflict((on) => on.columns(['platform', 'origin', 'redirect_uri']).doUpdateSet(values))
          .execute(),
      )
    },
    forget: async (origin) => {
      await asSystem(pool, (tx) =>
        tx
          .deleteFrom('instance_app')
          .where('platform', '=', platform)
          .where('origin', '=', origin)
          .where('redirect_uri', '=', redirectUri)
          .execute(),
      )
    },
  }
}
