import { z } from 'zod'
import { Id } from '#contract/common.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'

/** Where connecting with a platform's page continues once the platform redirects the person back. */
export const ReturnTo = z.enum(['channels', 'onboarding'])
export type ReturnTo = z.infer<typeof ReturnTo>

const Pending = z.object({
  orgId: Id,
  projectId: Id,
  platform: PlatformKey,
  /** The state that the platform has to send back. Null if it was never in the URL; the server knows it either way. */
  state: z.string().nullable(),
  /** The channel that is being reconnected. */
  channel: z.object({ channelId: Id, channelName: z.string(), handle: z.string() }).nullable(),
  returnTo: ReturnTo,
})
export type Pending = z.infer<typeof Pending>

const KEY = 'rookery.connecting'

/**
 * Remembers in this tab what the platform's answer will belong to. Throws if storage is turned off, because nobody
 * could return then.
 */
export function keepPending(pending: Pending): void {
  sessionStorage.setItem(KEY, JSON.stringify(pending))
}

/** What was started in this tab for the platform, if the answer has its state. */
export function recallPending(platform: string, state: string | undefined): Pending | undefined {
  const pending = readPending()
  if (!pending || !state || pending.platform !== platform) return undefined
  return pending.state === null || pending.state === state ? pending : undefined
}

export function forgetPending(): void {
  sessionStorage.removeItem(KEY)
}

function readPending(): Pending | undefined {
  try {
    const parsed = Pending.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? ''))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
