import type { Reason } from '#contract/failures/catalog.ts'
import type { SafeFetch } from './safeFetch.ts'

/* What every call of an adapter takes and how it ends, for platform.ts, promotion.ts and inbox.ts. */

/** The secret of a channel, as it is sealed in the database: the adapter's own shape, as JSON. */
export type Secret = Record<string, unknown>

export type AccountRef = { remoteId: string; handle: string; service: string | null }

export type Reach = {
  fetch: SafeFetch
  /** Gives up when it fires: the lease's end or a shutdown. */
  signal: AbortSignal
  /** What is registered at the platform, for platforms whose rules name an `app`; absent when nothing is. */
  app?: AppCredentials
}

/** What an installation or an organization registered at a platform, and which signs people in; `sandbox` where it speaks to the platform's sandbox. Never in logs. */
export type AppCredentials = { clientId: string; clientSecret: string; sandbox?: boolean }

/** Why a call did not succeed, in the five classes that decide what happens next. */
export type Refusal =
  /**
   * Slow down or passing trouble; nothing was posted. `afterSeconds` is the platform's own wait, when it names one.
   * `first` is what has to be done before the next attempt: renew the secret, which was refused although its time is
   * not over, or prepare again, since what an earlier step left is gone. `closesBudget` says that the account has to wait
   * as a whole, or names the one budget that is used up.
   */
  | {
      kind: 'retry'
      afterSeconds?: number
      reason: Reason
      closesBudget?: boolean | string
      first?: 'renew' | 'prepare'
    }
  /** The token is dead: a person has to reconnect. Nothing was posted. */
  | { kind: 'reconnect'; reason: Reason }
  /** The platform will never take this content. Nothing was posted. */
  | { kind: 'rejected'; reason: Reason }
  /** The answer was lost or makes no sense after an irreversible call: it may have been posted. */
  | { kind: 'unknown'; reason: Reason }

/** A file of a post, read from the media store when the adapter asks. */
export type MediaFile = {
  assetId: string
  fileName: string
  contentType: string
  bytes: number
  width: number | null
  height: number | null
  /** Of a video; null for everything else. */
  seconds: number | null
  altText: string
  /** The whole file in memory: for pictures. Whatever may be large is streamed. */
  read: () => Promise<Uint8Array>
  /** The bytes from `start` up to `end` (exclusive); the whole file without them. */
  stream: (range?: { start: number; end: number }) => AsyncIterable<Uint8Array>
  /** An address from which the platform may pull the file for 24 hours, without a cookie; null when the outside cannot reach us. */
  url: () => string | null
  /** The picture that stands for a video, where one was chosen. */
  thumbnail?: MediaFile
  /** The moment of the video that the thumbnail shows, where it is a frame: for platforms that take a moment instead of a picture. */
  thumbnailSeconds?: number
}

/** It is out, under this id of the platform's. */
export type Sent = { kind: 'sent'; remoteId: string; progress: Record<string, unknown> }
