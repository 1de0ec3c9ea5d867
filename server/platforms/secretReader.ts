import type { z } from 'zod'
import type { Refusal, Secret } from './platform.ts'

const unreadable: Refusal = { kind: 'reconnect', reason: { text: 'The saved sign-in of this channel cannot be read.', advice: 'Reconnect the channel.', platformCode: 'unreadable-secret' } }

/** Reads channels' secrets of an adapter's own shape; one that is not ours any more needs a person. */
export const secretReader =
  <T>(shape: z.ZodType<T>) =>
  (secret: Secret): { kind: 'secret'; value: T } | Refusal => {
    const parsed = shape.safeParse(secret)
    return parsed.success ? { kind: 'secret', value: parsed.data } : unreadable
  }
