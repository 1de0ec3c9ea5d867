/* Requests and responses of the guarded HTTP client (safeFetch.ts). */

export type SafeRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'
  headers?: Record<string, string>
  /**
   * A streamed body is opened once, when the request is written, so redirects that would send it again aren't followed.
   */
  body?: string | Uint8Array | StreamedBody
  /** Milliseconds for the whole exchange, from the call to the last byte of the response. */
  timeoutMs: number
  /** Responses larger than this are refused. */
  maxBytes: number
  /**
   * Receives the bytes of a 200 as they arrive, so that the whole body is never in memory; the response's body is then
   * empty. More is read after its promise resolves. A throw ends the exchange (`lost`, `aborted`). A compressed
   * response isn't streamed: it's returned as the body, at most 20 MB.
   */
  into?: (chunk: Uint8Array) => Promise<void>
  /** Cuts a larger response at `maxBytes` instead of refusing it: for pages of which only the beginning matters. */
  cut?: boolean
  /**
   * Called with what arrives of a response that isn't compressed, part after part: true ends the reading there, as if
   * the response had ended.
   */
  enough?: (chunk: Uint8Array) => boolean
  /**
   * Sends back the cookies that redirects set, to their own site and in this exchange only: some pages redirect forever
   * without them.
   */
  cookies?: boolean
  /** How many redirects are followed; 0 for API calls, where a redirect is an error. */
  redirects?: number
  signal?: AbortSignal
  /**
   * Called in the same tick in which the first byte would be written, however long connecting took. False withdraws the
   * request: the outcome is `unsent`. Senders use it to check that their lease is still valid.
   */
  stillWanted?: () => boolean
}

/** A body that is never in memory as a whole; `bytes` is its exact length. */
export type StreamedBody = { bytes: number; open: () => AsyncIterable<Uint8Array> }

/** Header names are in lower case; repeated headers are joined with a comma. */
export type SafeAnswer =
  | { kind: 'answer'; status: number; headers: Record<string, string>; body: Uint8Array; url: string }
  /** No byte of the request was written: refused address, no connection, name not found, withdrawn. */
  | { kind: 'unsent'; why: 'address-refused' | 'unreachable' | 'aborted'; detail: string }
  /**
   * The request may have arrived, but there was no complete response. After a redirect, this also covers what stopped
   * the next request.
   */
  | {
      kind: 'lost'
      why: 'timeout' | 'dropped' | 'too-large' | 'aborted' | 'redirect' | 'address-refused' | 'unreachable'
      detail: string
    }
