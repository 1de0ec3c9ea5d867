import type { z } from 'zod'
import type { PlatformApp } from '#contract/apps.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import type { Env } from '../env.ts'
import type { Platform } from '../platforms/platform.ts'
import { redirectAddress } from '../platforms/redirect.ts'
import { installationApp, wantsHttps } from './apps.ts'

export type AppParts = { env: Env; platforms: (key: PlatformKey) => Platform | undefined }
type Shown = z.output<typeof PlatformApp>

/** What is set up at every platform, in the contract's order. */
export async function findApps(tx: Tx, parts: AppParts, orgId: string): Promise<Shown[]> {
  const own = await tx
    .selectFrom('app_credentials')
    .innerJoin('person', 'person.id', 'app_credentials.set_by')
    .select(['platform', 'client_id', 'set_at', 'first_name', 'last_name', 'email'])
    .select((eb) =>
      eb
        .selectFrom('lane')
        .innerJoin('channel', (join) =>
          join.onRef('channel.org_id', '=', 'lane.org_id').onRef('channel.id', '=', 'lane.channel_id'),
        )
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('lane.org_id', '=', 'app_credentials.org_id')
        .whereRef('lane.credentials', '=', 'app_credentials.client_id')
        .where('channel.deleted_at', 'is', null)
        .as('channels'),
    )
    .where('app_credentials.org_id', '=', orgId)
    .execute()
  return platformKeys.map((platform) => {
    const row = own.find((one) => one.platform === platform)
    const app = row ? { clientId: row.client_id } : installationApp(parts.env, platform)
    return {
      platform,
      state: row ? 'organisation' : stateWithout(parts, platform),
      clientId: platformRules[platform].app === null ? null : (app?.clientId ?? null),
      setBy: row ? `${row.first_name} ${row.last_name}`.trim() || row.email : null,
      setAt: row?.set_at.toISOString() ?? null,
      redirectUri: redirectAddress(parts.env.publicUrl, platform),
      wantsHttps: wantsHttps(parts.env, platform),
      channels: row?.channels ?? 0,
    }
  })
}

/** How one platform stands for the organisation, as the page shows it. */
export async function findApp(tx: Tx, parts: AppParts, orgId: string, platform: PlatformKey): Promise<Shown> {
  const found = (await findApps(tx, parts, orgId)).find((one) => one.platform === platform)
  if (!found) throw new Error(`${platform} is a platform that the contract does not list`)
  return found
}

/** How a platform stands that the organisation has no app of its own at. */
function stateWithout({ env, platforms }: AppParts, platform: PlatformKey): Shown['state'] {
  if (!platforms(platform)) return 'unavailable'
  if (platformRules[platform].app === null) return 'unneeded'
  if (env.apps[platform]) return 'installation'
  return env.SIMULATED_PLATFORMS === undefined ? 'missing' : 'simulated'
}
