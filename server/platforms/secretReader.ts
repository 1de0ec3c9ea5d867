import { because } from '#contract/failures/catalog.ts'
import type { z } from 'zod'
import type { Reach, Refusal, Secret } from './platform.ts'

const unreadable: Refusal = {
  kind: 'reconnect',
  reason: { ...because('unreadable-sign-in'), platformCode: 'unreadable-secret' },
}

/** Parses a channel's secret with the adapter's schema; one that no longer fits needs a person to reconnect. */
export const secretReader =
  <Own>(shape: z.ZodType<Own>) =>
  (secret: Secret): { kind: 'secret'; value: Own } | Refusal => {
    const parsed = shape.safeParse(secret)
    return parsed.success ? { kind: 'secret', value: parsed.data } : unreadable
  }

/** Adapts a function for the adapter's own secret to channels' secrets: it isn't called with one that can't be read. */
export const withSecretOf =
  <Own>(shape: z.ZodType<Own>) =>
  <Rest extends unknown[], Answer>(step: (reach: Reach, own: Own, ...rest: Rest) => Promise<Answer>) =>
  async (reach: Reach, secret: Secret, ...rest: Rest): Promise<Answer | Refusal> => {
    const own = secretReader(shape)(secret)
    return own.kind === 'secret' ? await step(reach, own.value, ...rest) : own
  }
