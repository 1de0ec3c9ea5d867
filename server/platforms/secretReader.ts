import { because } from '#contract/failures/catalog.ts'
import type { z } from 'zod'
import type { Reach, Refusal, Secret } from './platform.ts'

const unreadable: Refusal = {
  kind: 'reconnect',
  reason: { ...because('unreadable-sign-in'), platformCode: 'unreadable-secret' },
}

/** Reads channels' secrets of an adapter's own shape; one that is not ours any more needs a person. */
export const secretReader =
  <Own>(shape: z.ZodType<Own>) =>
  (secret: Secret): { kind: 'secret'; value: Own } | Refusal => {
    const parsed = shape.safeParse(secret)
    return parsed.success ? { kind: 'secret', value: parsed.data } : unreadable
  }

/** Makes what is written for an adapter's own secret into what takes a channel's: nothing is called with one that cannot be read. */
export const withSecretOf =
  <Own>(shape: z.ZodType<Own>) =>
  <Rest extends unknown[], Answer>(step: (reach: Reach, own: Own, ...rest: Rest) => Promise<Answer>) =>
  async (reach: Reach, secret: Secret, ...rest: Rest): Promise<Answer | Refusal> => {
    const own = secretReader(shape)(secret)
    return own.kind === 'secret' ? await step(reach, own.value, ...rest) : own
  }
