import type { Doing } from '#contract/failures/calls.ts'
import { because, type Reason } from '#contract/failures/catalog.ts'
import type { Refusal } from '../platform.ts'
import { sentence } from '../quotes.ts'
import type { Failed } from './xrpc.ts'

export type Step = {
  /** What we were doing, to complete the sentence "Bluesky didn't ...". */
  doing: Doing
  /** Whether the call could have created a post, so that without a clear response it may exist. */
  irreversible: boolean
}

/** The reason for each code that only a person can resolve, by reconnecting (xrpc-server errors, pds auth-verifier). */
const reconnects: Record<string, Reason> = {
  AccountTakedown: because('bluesky-account-taken-down'),
  AccountSuspended: because('bluesky-account-suspended'),
  AccountDeactivated: because('bluesky-account-deactivated'),
  AccountNotFound: because('bluesky-account-moved'),
  RepoNotFound: because('bluesky-account-moved'),
  RepoDeactivated: because('bluesky-account-deactivated'),
  RepoTakendown: because('bluesky-account-taken-down'),
  AuthenticationRequired: because('bluesky-sign-in-refused'),
  // for tokens from the server's own sign-in page
  ScopeMissingError: because('bluesky-permission-missing'),
  insufficient_scope: because('bluesky-permission-missing'),
}

/** The access token was refused before it expired: renewing it shows whether the sign-in still works. */
const renewable = new Set(['ExpiredToken', 'InvalidToken', 'AuthMissing', 'MissingJwt', 'BadJwt', 'invalid_token'])

/** A refusal that only a person can resolve, with the platform's code or one of ours. */
export const rejected = (platformCode: string, reason: Reason): Refusal => ({
  kind: 'rejected',
  reason: { ...reason, platformCode },
})

/** The class of a failure and its reason. The caller decides what follows. */
export function refusalOf(failed: Failed, { doing, irreversible }: Step): Refusal {
  if (failed.cause === 'unsent') {
    if (failed.addressRefused)
      return { kind: 'retry', reason: { ...because('bluesky-server-not-public'), platformCode: 'address-refused' } }
    return { kind: 'retry', reason: { ...because('bluesky-server-unreachable'), platformCode: 'unreachable' } }
  }
  if (failed.cause !== 'answered') {
    if (irreversible)
      return {
        kind: 'unknown',
        reason: { ...because('maybe-done', { platform: 'Bluesky', doing }), platformCode: failed.cause },
      }
    return {
      kind: 'retry',
      reason: { ...because('answer-lost', { platform: 'Bluesky', doing }), platformCode: failed.cause },
    }
  }
  const { status, code, waitSeconds } = failed
  const platformCode = code || String(status)
  const known = reconnects[code]
  if (known) return { kind: 'reconnect', reason: { ...known, platformCode } }
  if (renewable.has(code))
    return {
      kind: 'retry',
      first: 'renew',
      reason: { ...because('sign-in-outdated', { platform: 'Bluesky' }), platformCode },
    }
  if (status === 429 || code === 'RateLimitExceeded') {
    return {
      kind: 'retry',
      afterSeconds: waitSeconds ?? 60,
      closesBudget: true,
      reason: { ...because('slow-down', { platform: 'Bluesky' }), platformCode },
    }
  }
  if (status >= 500) {
    if (irreversible)
      return {
        kind: 'unknown',
        reason: { ...because('trouble-maybe-done', { platform: 'Bluesky', doing }), platformCode },
      }
    return {
      kind: 'retry',
      ...(waitSeconds ? { afterSeconds: waitSeconds } : {}),
      reason: { ...because('platform-trouble', { platform: 'Bluesky', doing }), platformCode },
    }
  }
  if (code === 'BlobNotFound')
    return {
      kind: 'retry',
      first: 'prepare',
      reason: { ...because('files-gone', { platform: 'Bluesky' }), platformCode },
    }
  if (code === 'BlobTooLarge' || code === 'PayloadTooLargeError' || status === 413)
    return { kind: 'rejected', reason: { ...because('file-too-large'), platformCode } }
  // a refusal that isn't in the protocol's format comes from something in between, such as a gateway
  if (!code)
    return {
      kind: 'retry',
      reason: { ...because('blocked-on-the-way', { platform: "this account's server", doing }), platformCode },
    }
  return {
    kind: 'rejected',
    reason: {
      ...because('refused', { platform: 'Bluesky', doing, words: sentence(failed.message || code) }),
      platformCode,
    },
  }
}
