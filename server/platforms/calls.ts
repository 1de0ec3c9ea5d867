import type { Reason } from '#contract/failures/catalog.ts'
import type { SafeFetch } from './safeFetch.ts'

/* What every call of an adapter takes and how it ends, for platform.ts, promotion.ts and inbox.ts. */

/** The secret of a channel, as it is sealed in the database: the adapter's own shape, as JSON. */
export type Secret = Record<string, unknown>

export type AccountRef = { remoteId: string; handle: string; service: string | null }

export type Reach = {
  fetch: SafeFetch
  /** Aborts the call: when the lease ends, or at shutdown. */
  signal: AbortSignal
  /** The app registered at the platform, if the platform's rules name an `app`; absent if none is registered. */
  app?: AppCredentials
}

/**
 * The client credentials of an installation or organization at a platform; `sandbox` if they're for the platform's
 * sandbox. Never logged.
 */
export type AppCredentials = { clientId: string; clientSecret: string; sandbox?: boolean }

/** Why a call didn't succeed, in the five classes that decide what happens next. */
export type Refusal =
  /**
   * A rate limit or a temporary problem; nothing was posted. `afterSeconds` is the platform's own wait, if it names
   * one. `first` is what has to be done before the next attempt: refresh the secret, which was refused before it
   * expired, or prepare again because earlier uploads are gone. `closesBudget` means that the whole account has to
   * wait, or names the one budget that is used up.
   */
  | {
      kind: 'retry'
      afterSeconds?: number
      reason: Reason
      closesBudget?: boolean | string
      first?: 'renew' | 'prepare'
    }
  /** The token is invalid: a person has to reconnect. Nothing was posted. */
  | { kind: 'reconnect'; reason: Reason }
  /**
   * The platform will never accept this content. Nothing was posted by this call. `isDuplicate`: it says that it has the
   * same already, which after a lost response is evidence that an earlier attempt arrived.
   */
  | { kind: 'rejected'; reason: Reason; isDuplicate?: true }
  /** The response to an irreversible call was lost or can't be parsed: it may have been posted. */
  | { kind: 'unknown'; reason: Reason }

/** A file of a post, read from the media store when the adapter needs it. */
export type MediaFile = {
  assetId: string
  fileName: string
  contentType: string
  bytes: number
  width: number | null
  height: number | null
  /** For videos; null for everything else. */
  seconds: number | null
  altText: string
  /** The whole file in memory, for pictures. Files that may be large are streamed. */
  read: () => Promise<Uint8Array>
  /** The bytes from `start` up to `end` (exclusive); the whole file without them. */
  stream: (range?: { start: number; end: number }) => AsyncIterable<Uint8Array>
  /**
   * A URL from which the platform can fetch the file for 24 hours, without a cookie; null if we can't be reached from
   * outside.
   */
  url: () => string | null
  /** The thumbnail of a video, if one was chosen. */
  thumbnail?: MediaFile
  /**
   * The moment of the video that the thumbnail shows, if it's a frame: for platforms that take a time instead of a
   * picture.
   */
  thumbnailSeconds?: number
}

/** It was published under this ID. */
export type Sent = { kind: 'sent'; remoteId: string; progress: Record<string, unknown> }
