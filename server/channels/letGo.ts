import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Apps } from '../apps/apps.ts'
import type { Log } from '../parts.ts'
import type { Platform, SignedIn } from '../platforms/platform.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'

const LET_GO_MS = 10_000

export type LetGoParts = {
  platforms: (key: PlatformKey) => Platform | undefined
  apps: Apps
  fetch: SafeFetch
  log: Log
}

/**
 * Ends sign-ins at the platform that nothing here keeps, with the app that they were made with. Best effort: one that is left
 * ends by itself. Never throws.
 */
export async function letGo(
  parts: LetGoParts,
  key: PlatformKey,
  { orgId, clientId }: { orgId: string; clientId: string | null },
  accounts: readonly SignedIn[],
): Promise<void> {
  const revoke = parts.platforms(key)?.connect.revoke
  if (!revoke) return
  const app = clientId === null ? undefined : await parts.apps.find(orgId, key, clientId).catch(() => undefined)
  const reach = { fetch: parts.fetch, signal: AbortSignal.timeout(LET_GO_MS), ...(app && { app }) }
  const endings = accounts.map(({ account, secret }) => revoke(reach, secret, account))
  for (const ending of await Promise.allSettled(endings))
    if (ending.status === 'rejected')
      parts.log.warn({ err: ending.reason }, 'a sign-in that nobody uses could not be ended')
}
