import { because } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import { graph } from './graph.ts'
import { refusalOfGraph } from './graphRefusals.ts'
import { endOf } from './oauth2.ts'
import type { Reach, Refusal } from './platform.ts'
import { dateOf } from './wire.ts'

/*
 * Tokens of Instagram and Threads. The code brings one for an hour, which is changed for one of 60 days at once; that one renews
 * itself, and nothing else is spent, so that a lost answer costs nothing.
 */

const TIMEOUT_MS = 20_000
const DAY_MS = 86_400_000
/** Half of the 60 days are left for a channel that is seldom used, and for our own trouble. */
const RENEW_BEFORE_MS = 30 * DAY_MS

/** What a secret keeps of its token. `issuedAt` is the platform's word, null where it did not say. */
export type LongToken = { accessToken: string; issuedAt: string | null }

const Answered = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() })

/** Changes the token of the hour for one of 60 days, or renews that. */
export async function longToken(
  reach: Reach,
  ask: { base: string; path: '/access_token' | '/refresh_access_token'; query: Record<string, string>; label: string },
): Promise<{ kind: 'token'; token: LongToken; expiresAt: Date | null } | Refusal> {
  const { base, path, query, label } = ask
  const answered = await graph(reach, { base, path, query, reply: Answered, timeoutMs: TIMEOUT_MS })
  if (answered.kind !== 'ok')
    return refusalOfGraph(answered, {
      label,
      doing: path === '/access_token' ? 'finish-sign-in' : 'renew-sign-in',
      irreversible: false,
    })
  const issuedAt = dateOf(answered.headers)
  return {
    kind: 'token',
    token: { accessToken: answered.value.access_token, issuedAt: issuedAt?.toISOString() ?? null },
    expiresAt: endOf(issuedAt, answered.value.expires_in),
  }
}

/** What the platform will not renew, a person has to: nothing about a renewal could be changed. */
export const deadOr = (refusal: Refusal): Refusal =>
  refusal.kind === 'rejected'
    ? { kind: 'reconnect', reason: { ...refusal.reason, ...because('renewal-refused', { because: refusal.reason }) } }
    : refusal

/** Whether the token should be renewed: only one of a day or more is (Instagram Platform, business login; Threads, long-lived tokens). */
export function shouldRenew({ issuedAt }: LongToken, expiresAt: Date, now: Date): boolean {
  const isOldEnough = issuedAt === null || now.getTime() - new Date(issuedAt).getTime() >= DAY_MS
  return isOldEnough && expiresAt.getTime() - now.getTime() < RENEW_BEFORE_MS
}
