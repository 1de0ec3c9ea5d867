import { advised } from '../advice.ts'
import type { Reason, Refusal } from '../platform.ts'
import { sentence } from '../words.ts'
import type { Failed } from './xrpc.ts'

export type Step = {
  /** What we were doing, to complete the sentence "Bluesky did not ...". */
  doing: string
  /** The call could have made a post: without a clear answer it may have. */
  irreversible: boolean
}

/** Words for each code that only a person can mend, by reconnecting (xrpc-server errors, pds auth-verifier). */
const reconnects: Record<string, Reason> = {
  AccountTakedown: {
    text: 'Bluesky has taken this account down.',
    advice: 'Open the Bluesky app to see why. Reconnect the channel once the account is back.',
  },
  AccountSuspended: {
    text: 'Bluesky has suspended this account.',
    advice: 'Open the Bluesky app to see why. Reconnect the channel once the account is back.',
  },
  AccountDeactivated: {
    text: 'This account is deactivated on Bluesky.',
    advice: 'Reactivate it in the settings of the Bluesky app, then reconnect the channel.',
  },
  AccountNotFound: {
    text: 'This account no longer exists on its server.',
    advice: 'If it has moved to another server, reconnect it with the address of that server.',
  },
  RepoNotFound: {
    text: 'This account no longer exists on its server.',
    advice: 'If it has moved to another server, reconnect it with the address of that server.',
  },
  RepoDeactivated: {
    text: 'This account is deactivated on Bluesky.',
    advice: 'Reactivate it in the settings of the Bluesky app, then reconnect the channel.',
  },
  RepoTakendown: {
    text: 'Bluesky has taken this account down.',
    advice: 'Open the Bluesky app to see why. Reconnect the channel once the account is back.',
  },
  AuthenticationRequired: {
    text: 'Bluesky no longer accepts our sign-in to this account.',
    advice: 'Reconnect the channel with a new app password.',
  },
  // of tokens that were opened on the server's own page
  ScopeMissingError: {
    text: 'Bluesky does not let us do this for the account.',
    advice: 'Reconnect the channel and agree to what its page asks.',
  },
  insufficient_scope: {
    text: 'Bluesky does not let us do this for the account.',
    advice: 'Reconnect the channel and agree to what its page asks.',
  },
}

/** The access token was refused although its time is not over: renewing tells whether it can be mended. */
const renewable = new Set(['ExpiredToken', 'InvalidToken', 'AuthMissing', 'MissingJwt', 'BadJwt', 'invalid_token'])

/** The class of a failure, with words for people. What follows from it is the caller's business. */
export function refusalOf(failed: Failed, { doing, irreversible }: Step): Refusal {
  if (failed.cause === 'unsent') {
    if (failed.addressRefused)
      return {
        kind: 'retry',
        reason: {
          text: 'The server of this account cannot be reached from here: its address is not public.',
          advice: 'Reconnect the channel with the right address of its server.',
          platformCode: 'address-refused',
        },
      }
    return {
      kind: 'retry',
      reason: {
        text: 'The server of this account could not be reached.',
        ...advised('retry'),
        platformCode: 'unreachable',
      },
    }
  }
  if (failed.cause !== 'answered') {
    if (irreversible)
      return {
        kind: 'unknown',
        reason: {
          text: `Bluesky's answer was lost: it may have managed to ${doing}.`,
          advice: 'We look at the account to find out.',
          platformCode: failed.cause,
        },
      }
    return {
      kind: 'retry',
      reason: {
        text: `Bluesky did not ${doing}: its answer was lost.`,
        ...advised('retry'),
        platformCode: failed.cause,
      },
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
      reason: { text: 'Bluesky asks us to sign in again.', ...advised('retry'), platformCode },
    }
  if (status === 429 || code === 'RateLimitExceeded') {
    return {
      kind: 'retry',
      afterSeconds: waitSeconds ?? 60,
      closesBudget: true,
      reason: {
        text: 'Bluesky asks this account to slow down.',
        ...advised('slow'),
        platformCode,
      },
    }
  }
  if (status >= 500) {
    if (irreversible)
      return {
        kind: 'unknown',
        reason: {
          text: `Bluesky had trouble while it was to ${doing}: it may have managed to.`,
          advice: 'We look at the account to find out.',
          platformCode,
        },
      }
    return {
      kind: 'retry',
      ...(waitSeconds ? { afterSeconds: waitSeconds } : {}),
      reason: {
        text: `Bluesky did not ${doing}: it has trouble of its own.`,
        ...advised('retry'),
        platformCode,
      },
    }
  }
  if (code === 'BlobNotFound')
    return {
      kind: 'retry',
      first: 'prepare',
      reason: {
        text: 'Bluesky no longer has the uploaded pictures.',
        advice: 'They are uploaded again by themselves.',
        platformCode,
      },
    }
  if (code === 'BlobTooLarge' || code === 'PayloadTooLargeError' || status === 413)
    return {
      kind: 'rejected',
      reason: {
        text: 'A file is larger than the server of this account takes.',
        advice: 'Shrink it or take another one.',
        platformCode,
      },
    }
  // a refusal that is not of the protocol comes from something in between, such as a gateway
  if (!code)
    return {
      kind: 'retry',
      reason: {
        text: `Something in front of this account's server did not let us ${doing}.`,
        ...advised('retry'),
        platformCode,
      },
    }
  return {
    kind: 'rejected',
    reason: {
      text: `Bluesky refused to ${doing}: ${sentence(failed.message || code)}`,
      ...advised('change'),
      platformCode,
    },
  }
}
