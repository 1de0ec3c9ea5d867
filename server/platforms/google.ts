import { because, type Reason } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import { refusedBy, slowDown, troubleOf, type RestFailed, type Step } from './jsonCalls.ts'
import {
  endOf,
  finishSignIn,
  refusalOfSignIn,
  refusalOfUnspent,
  renewTokens,
  startSignIn,
  type OAuthServer,
  renewBefore,
} from './oauth2.ts'
import type { ReadAnswer } from './inbox.ts'
import type { Connect, ConnectByPage, Reach, Refusal, RenewAnswer, Secret } from './platform.ts'
import { secretReader } from './secretReader.ts'
import { codeWord } from './quotes.ts'
import { dateOf, retryAfter } from './wire.ts'

/*
 * What Google's platforms share: sign-in, tokens that can be refreshed repeatedly, one format of errors
 * (developers.google.com/identity/protocols/oauth2/web-server; cloud.google.com/apis/design/errors).
 */

const SERVER: OAuthServer = {
  issuer: 'https://accounts.google.com',
  authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
  token: 'https://oauth2.googleapis.com/token',
  pkce: true,
}
export const SIGN_IN_HOSTS = ['accounts.google.com', 'oauth2.googleapis.com'] as const
/** An access token is valid for an hour. */
const RENEW_BEFORE_MS = 10 * 60_000

/**
 * What every Google channel stores. `endsAt` (ISO 8601, UTC) is set for apps in testing, whose sign-ins end after a
 * week.
 */
export const GoogleSecret = z.object({
  accessToken: z.string().min(1),
  refreshToken: z.string().min(1),
  clientId: z.string(),
  scopes: z.array(z.string()),
  endsAt: z.iso.datetime().nullable(),
})
export type GoogleSecret = z.infer<typeof GoogleSecret>
const readSecret = secretReader(GoogleSecret)

/** Sends the browser to Google's page, which asks for consent every time: only then does it issue a refresh token. */
export const startGoogle = async (
  reach: Reach,
  ask: { redirectUri: string; state: string },
  scopes: readonly string[],
): ReturnType<ConnectByPage['begin']> =>
  await startSignIn(SERVER, reach, ask, scopes, { extra: { access_type: 'offline', prompt: 'consent' } })

export type GoogleSignIn = {
  kind: 'google'
  secret: GoogleSecret
  expiresAt: Date | null
  endsAt: Date | null
  missing: readonly string[]
}

/** Each permission is a checkbox on the page, which the person may have left unchecked: `missing`. */
export async function finishGoogle(
  reach: Reach,
  keep: Secret,
  params: Record<string, string>,
  scopes: readonly string[],
  label: string,
): Promise<GoogleSignIn | Refusal> {
  const signedIn = await finishSignIn(SERVER, reach, keep, params)
  if (signedIn.kind === 'failed') return refusalOfSignIn(signedIn, label)
  if (signedIn.kind !== 'tokens') return signedIn
  const { tokens, app } = signedIn
  if (tokens.refreshToken === null)
    return { kind: 'rejected', reason: { ...because('google-one-hour-only'), platformCode: 'no-refresh-token' } }
  const granted = tokens.scopes ?? [...scopes]
  const endsAt = endOf(tokens.answeredAt, tokens.refreshExpiresIn)
  const secret: GoogleSecret = {
    accessToken: tokens.accessToken,
    refreshToken: tokens.refreshToken,
    clientId: app.clientId,
    scopes: granted,
    endsAt: endsAt?.toISOString() ?? null,
  }
  return {
    kind: 'google',
    secret,
    expiresAt: endOf(tokens.answeredAt, tokens.expiresIn),
    endsAt,
    missing: scopes.filter((scope) => !granted.includes(scope)),
  }
}

/**
 * The refresh token stays the same, so a lost response costs nothing. It ends after six months without use, when the
 * person revokes it, or with the app's testing period.
 */
export const refreshGoogle =
  (label: string): Connect['refresh'] =>
  async (reach, secret): Promise<RenewAnswer> => {
    const own = readSecret(secret)
    if (own.kind !== 'secret') return own
    const renewed = await renewTokens(SERVER, reach, own.value.refreshToken)
    if (renewed.kind === 'failed') return refusalOfUnspent(renewed, label)
    if (renewed.kind !== 'tokens') return renewed
    const { accessToken, refreshToken, answeredAt, expiresIn } = renewed.tokens
    // the rest of the secret belongs to the platform
    return {
      kind: 'refreshed',
      secret: { ...secret, accessToken, refreshToken: refreshToken ?? own.value.refreshToken },
      expiresAt: endOf(answeredAt, expiresIn),
    }
  }

/** Tokens are valid for an hour and refreshed some minutes before. */
export const needsRefresh = renewBefore(RENEW_BEFORE_MS)

const Code = z.string().transform(codeWord).catch('')
const Problem = z.object({
  error: z.object({
    message: z.string().catch(''),
    status: Code,
    errors: z.array(z.object({ reason: Code })).catch([]),
    details: z
      .array(
        z.object({
          reason: Code,
          errorDetails: z
            .array(
              z.object({
                code: z.union([z.string(), z.number()]).transform(codeWord).catch(''),
                message: z.string().catch(''),
              }),
            )
            .catch([]),
        }),
      )
      .catch([]),
  }),
})

/** An error's reasons and message; undefined if it isn't in Google's format. */
function problemOf(failed: RestFailed): { reasons: string[]; words: string } | undefined {
  const problem = failed.cause === 'answered' ? Problem.safeParse(failed.json).data?.error : undefined
  if (!problem) return undefined
  const { errors, details, status, message } = problem
  const reasons = [
    ...errors.map(({ reason }) => reason),
    ...details.flatMap(({ reason, errorDetails }) => [reason, ...errorDetails.map(({ code }) => code)]),
    status,
  ].filter(Boolean)
  return {
    reasons,
    words: details.flatMap(({ errorDetails }) => errorDetails.map((one) => one.message)).find(Boolean) ?? message,
  }
}

/** Google's own reasons for a refusal. */
export const reasonsOf = (failed: RestFailed): readonly string[] => problemOf(failed)?.reasons ?? []

/** Whether it no longer exists. */
export const isGone = (failed: RestFailed): boolean =>
  failed.cause === 'answered' && (failed.status === 404 || failed.status === 410)

const TODAY = new Set(['quotaExceeded', 'dailyLimitExceeded', 'dailyLimitExceededUnreg'])
const SLOWLY = new Set(['rateLimitExceeded', 'userRateLimitExceeded', 'RESOURCE_EXHAUSTED', 'RATE_LIMIT_EXCEEDED'])
const LACKING = new Set(['insufficientPermissions', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'])
const SWITCHED_OFF = new Set(['accessNotConfigured', 'SERVICE_DISABLED'])

/** The class of a failure. `named` are the platform's own reasons for content that it will never accept. */
export function refusalOfGoogle(
  failed: RestFailed,
  { label, ...step }: Step & { label: string },
  named: Partial<Record<string, Reason>>,
): Refusal {
  const problem = problemOf(failed)
  const reasons = problem?.reasons ?? []
  const has = (known: ReadonlySet<string>) => reasons.some((reason) => known.has(reason))
  const platformCode = failed.cause === 'answered' ? (reasons[0] ?? String(failed.status)) : failed.cause
  const reason = reasons.map((one) => named[one]).find((one) => one !== undefined)
  if (reason) return { kind: 'rejected', reason: { ...reason, platformCode } }
  const trouble = troubleOf(failed, label, step)
  if (trouble) return trouble
  // the remaining failures have a response
  if (failed.cause !== 'answered')
    return { kind: 'unknown', reason: { ...because('no-answer', { platform: label }), platformCode } }
  if (failed.status === 401)
    return {
      kind: 'retry',
      first: 'renew',
      reason: { ...because('sign-in-refused', { platform: 'Google' }), platformCode },
    }
  if (has(TODAY))
    return {
      kind: 'retry',
      afterSeconds: untilMidnight(dateOf(failed.headers)),
      closesBudget: true,
      reason: { ...because('google-quota-used-up', { platform: label }), platformCode },
    }
  if (has(SLOWLY) || failed.status === 429) return slowDown(label, retryAfter(failed.headers) ?? 60, platformCode)
  if (has(LACKING))
    return {
      kind: 'rejected',
      reason: { ...because('google-permission-missing', { platform: label, doing: step.doing }), platformCode },
    }
  if (has(SWITCHED_OFF))
    return { kind: 'rejected', reason: { ...because('google-api-off', { platform: label }), platformCode } }
  // a refusal that isn't in Google's format comes from something in between, so it isn't about the post
  if (!problem)
    return {
      kind: 'retry',
      reason: { ...because('blocked-on-the-way', { platform: label, doing: step.doing }), platformCode },
    }
  return { kind: 'rejected', reason: refusedBy(label, step.doing, problem.words, platformCode) }
}

/** What a refused inbox reading means: reconnecting asks again for a missing permission. */
export const readingRefused = (refusal: Refusal): ReadAnswer | Refusal =>
  refusal.kind === 'rejected' && refusal.reason.code === 'google-permission-missing'
    ? { kind: 'closed', reason: refusal.reason, reconnect: true }
    : refusal

const pacific = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'America/Los_Angeles',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
  hourCycle: 'h23',
})

/**
 * Seconds until quotas reset at midnight Pacific time (YouTube Data API, determine_quota_cost); an hour if the response
 * has no date.
 */
function untilMidnight(now: Date | null): number {
  if (now === null) return 3600
  const part = (type: string): number => Number(pacific.formatToParts(now).find((one) => one.type === type)?.value ?? 0)
  return 86_400 - (part('hour') * 3600 + part('minute') * 60 + part('second')) + 60
}
