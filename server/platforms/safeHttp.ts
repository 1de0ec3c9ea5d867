/* What the guarded HTTP client (safeFetch.ts) takes and answers. */

export type SafeRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'
  headers?: Record<string, string>
  /** A streamed body is opened once, when the request is written: such a request follows no redirect that would send it again. */
  body?: string | Uint8Array | StreamedBody
  /** Milliseconds for the whole exchange, from the call to the last byte of the answer. */
  timeoutMs: number
  /** Answers larger than this many bytes are refused. */
  maxBytes: number
  /**
   * Takes the bytes of a 200 as they come, so that they never stand in memory whole; the answer's body is empty then. The
   * next ones are asked for when its promise is done. A throw ends the exchange (`lost`, `aborted`). A packed answer is
   * not handed on: it comes as the body, 20 MB at most.
   */
  into?: (chunk: Uint8Array) => Promise<void>
  /** A larger answer is cut at `maxBytes` instead: for pages of which only the beginning matters. */
  cut?: boolean
  /** How many redirects are followed; 0 for API calls, where a redirect is a fault. */
  redirects?: number
  signal?: AbortSignal
  /**
   * Asked in the very tick in which the first byte would be written, however long the connection took. False withdraws
   * the request: the answer is `unsent`. This is where a sender looks whether its lease still holds.
   */
  stillWanted?: () => boolean
}

/** A body that never stands in memory whole; `bytes` is its exact length. */
export type StreamedBody = { bytes: number; open: () => AsyncIterable<Uint8Array> }

/** Lower-case names; a header that came more than once is joined with a comma. */
export type SafeAnswer =
  | { kind: 'answer'; status: number; headers: Record<string, string>; body: Uint8Array; url: string }
  /** No byte of the request was written: refused address, no connection, name not found, withdrawn. */
  | { kind: 'unsent'; why: 'address-refused' | 'unreachable' | 'aborted'; detail: string }
  /** The request may have arrived, but no whole answer came back. After a redirect also what stopped the next hop. */
  | {
      kind: 'lost'
      why: 'timeout' | 'dropped' | 'too-large' | 'aborted' | 'redirect' | 'address-refused' | 'unreachable'
      detail: string
    }
