import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Log } from '../parts.ts'
import type { Platform, SignedIn } from '../platforms/platform.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'

const LET_GO_MS = 10_000

/** Ends sign-ins at the platform that nothing here keeps. Best effort: one that is left ends by itself. Never throws. */
export async function letGo(parts: { platforms: (key: PlatformKey) => Platform | undefined; fetch: SafeFetch; log: Log }, key: PlatformKey, accounts: readonly SignedIn[]): Promise<void> {
  const revoke = parts.platforms(key)?.connect.revoke
  if (!revoke) return
  const reach = { fetch: parts.fetch, signal: AbortSignal.timeout(LET_GO_MS) }
  const endings = accounts.map(({ account, secret }) => revoke(reach, secret, account))
  for (const ending of await Promise.allSettled(endings)) if (ending.status === 'rejected') parts.log.warn({ err: ending.reason }, 'a sign-in that nobody uses could not be ended')
}
