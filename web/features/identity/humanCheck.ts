import { z } from 'zod'

/** What each kind of human check offers to the form that needs it. */
export type HumanCheckHandle = {
  /** The solved check, solving it first when that has not begun. Undefined when it did not succeed: then nothing is sent. */
  prove: () => Promise<string | undefined>
  /** A solution counts once: after any attempt the next one needs a new solution. */
  reset: () => void
}

/** The installation's check is Cloudflare's. Anything else that it answers is a puzzle of its own. */
export const TurnstileSetup = z.looseObject({ kind: z.literal('turnstile'), siteKey: z.string().min(1) })
