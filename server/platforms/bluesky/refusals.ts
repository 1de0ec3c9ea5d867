import type { Doing } from '#contract/failures/calls.ts'
import { because, type Reason } from '#contract/failures/catalog.ts'
import type { Refusal } from '../platform.ts'
import { sentence } from '../quotes.ts'
import type { Failed } from './xrpc.ts'

export type Step = {
  /** What we were doing, to complete the sentence "Bluesky did not ...". */
  doing: Doing
  /** The call could have made a post: without a clear answer it may have. */
  irreversible: boolean
}

/** Words for each code that only a person can mend, by reconnecting (xrpc-server errors, pds auth-verifier). */
const reconnects: Record<string, Reason> = {
  AccountTakedown: because('bluesky-account-taken-down'),
  AccountSuspended: because('bluesky-account-suspended'),
  AccountDeactivated: because('bluesky-account-deactivated'),
  AccountNotFound: because('bluesky-account-moved'),
  RepoNotFound: because('bluesky-account-moved'),
  RepoDeactivated: because('bluesky-account-deactivated'),
  RepoTakendown: because('bluesky-account-taken-down'),
  AuthenticationRequired: because('bluesky-sign-in-refused'),
  // of tokens that were opened on the server's own page
  ScopeMissingError: because('bluesky-permission-missing'),
  insufficient_scope: because('bluesky-permission-missing'),
}

/** The access token was refused although its time is not over: renewing tells whether it can be mended. */
const renewable = new Set(['ExpiredToken', 'InvalidToken', 'AuthMissing', 'MissingJwt', 'BadJwt', 'invalid_token'])

/** A refusal that only a person can do something about, under a code of the platform's or of our own. */
export const rejected = (platformCode: string, reason: Reason): Refusal => ({
  kind: 'rejected',
  reason: { ...reason, platformCode },
})

/** The class of a failure, with words for people. What follows from it is the caller's business. */
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
  // a refusal that is not of the protocol comes from something in between, such as a gateway
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
