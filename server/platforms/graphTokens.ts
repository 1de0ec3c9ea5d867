import { because } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import { graph } from './graph.ts'
import { refusalOfGraph } from './graphRefusals.ts'
import { endOf } from './oauth2.ts'
import type { Reach, Refusal, RenewAnswer } from './platform.ts'
import { dateOf } from './wire.ts'

/*
 * Tokens of Instagram and Threads. The code gives a token for an hour, which is exchanged at once for one of 60 days.
 * That one can be renewed repeatedly, so a lost response costs nothing.
 */

const TIMEOUT_MS = 20_000
const DAY_MS = 86_400_000
/** Renews after half of the 60 days, which leaves time for rarely used channels and our own outages. */
const RENEW_BEFORE_MS = 30 * DAY_MS

/** What a secret stores about its token. `issuedAt` is the platform's time, null if it sent none. */
export type LongToken = { accessToken: string; issuedAt: string | null }

const Answered = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() })

/** Exchanges the token of one hour for one of 60 days, or renews that. */
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

/** Renews the token of a secret with itself, which the platform calls `grant`. A refused renewal needs a person. */
export async function renewLongToken<Secret extends LongToken>(
  reach: Reach,
  own: Secret,
  { base, grant, label }: { base: string; grant: string; label: string },
): Promise<RenewAnswer> {
  const query = { grant_type: grant, access_token: own.accessToken }
  const renewed = await longToken(reach, { base, path: '/refresh_access_token', query, label })
  return renewed.kind === 'token'
    ? { kind: 'refreshed', secret: { ...own, ...renewed.token }, expiresAt: renewed.expiresAt }
    : deadOr(renewed)
}

/** If the platform refuses a renewal, a person has to reconnect: there is nothing to change about the request. */
export const deadOr = (refusal: Refusal): Refusal =>
  refusal.kind === 'rejected'
    ? { kind: 'reconnect', reason: { ...refusal.reason, ...because('renewal-refused', { because: refusal.reason }) } }
    : refusal

/**
 * Whether the token should be renewed: it must be at least a day old (Instagram Platform, business login; Threads,
 * long-lived tokens).
 */
export function shouldRenew({ issuedAt }: LongToken, expiresAt: Date, now: Date): boolean {
  const isOldEnough = issuedAt === null || now.getTime() - new Date(issuedAt).getTime() >= DAY_MS
  return isOldEnough && expiresAt.getTime() - now.getTime() < RENEW_BEFORE_MS
}
