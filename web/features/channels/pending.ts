import { z } from 'zod'
import { Id } from '#contract/common.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'

/** Where a connection by a platform's page goes on once the platform sends the person back. */
export const ReturnTo = z.enum(['channels', 'onboarding'])
export type ReturnTo = z.infer<typeof ReturnTo>

const Pending = z.object({
  orgId: Id,
  projectId: Id,
  platform: PlatformKey,
  /** What the platform has to send back. Null where it never stood in the address; the server knows it either way. */
  state: z.string().nullable(),
  /** The channel that is being reconnected. */
  channel: z.object({ channelId: Id, channelName: z.string(), handle: z.string() }).nullable(),
  returnTo: ReturnTo,
})
export type Pending = z.infer<typeof Pending>

const KEY = 'rookery.connecting'

/** Keeps in this tab what the platform's answer will belong to. Throws where storage is switched off: without it nobody could return. */
export function keepPending(pending: Pending): void {
  sessionStorage.setItem(KEY, JSON.stringify(pending))
}

/** What was begun in this tab for the platform, if the answer carries its state. */
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
