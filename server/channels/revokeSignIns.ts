import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Apps } from '../apps/apps.ts'
import type { Log } from '../log.ts'
import type { Platform, SignedIn } from '../platforms/platform.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'

const LET_GO_MS = 10_000

export type RevokeDeps = {
  platforms: (key: PlatformKey) => Platform | undefined
  apps: Apps
  fetch: SafeFetch
  log: Log
}

/**
 * Ends sign-ins at the platform that nothing here uses anymore, with the app that created them. Best effort: one that
 * is left expires. Never throws.
 */
export async function revokeSignIns(
  deps: RevokeDeps,
  key: PlatformKey,
  { orgId, clientId }: { orgId: string; clientId: string | null },
  accounts: readonly SignedIn[],
): Promise<void> {
  const revoke = deps.platforms(key)?.connect.revoke
  if (!revoke) return
  const app = clientId === null ? undefined : await deps.apps.find(orgId, key, clientId).catch(() => undefined)
  const reach = { fetch: deps.fetch, signal: AbortSignal.timeout(LET_GO_MS), ...(app && { app }) }
  const endings = accounts.map(({ account, secret }) => revoke(reach, secret, account))
  for (const ending of await Promise.allSettled(endings))
    if (ending.status === 'rejected') deps.log.warn({ err: ending.reason }, "an unused sign-in couldn't be revoked")
}
