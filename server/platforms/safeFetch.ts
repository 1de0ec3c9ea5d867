/** The one way out: resolves once, refuses private and special addresses, rechecks redirects, bounds size and time. */
export type SafeRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD'
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Milliseconds for the whole exchange. */
  timeoutMs: number
  /** Answers larger than this many bytes are refused. */
  maxBytes: number
  /** How many redirects are followed; 0 for API calls, where a redirect is a fault. */
  redirects?: number
  signal?: AbortSignal
}

export type SafeAnswer =
  | { kind: 'answer'; status: number; headers: Record<string, string>; body: Uint8Array; url: string }
  /** The request cannot have reached the other side: refused address, no connection, name not found. */
  | { kind: 'unsent'; why: 'address-refused' | 'unreachable' | 'aborted'; detail: string }
  /** The request may have arrived, but no whole answer came back. */
  | { kind: 'lost'; why: 'timeout' | 'dropped' | 'too-large' | 'aborted' | 'redirect'; detail: string }

export type SafeFetch = (url: string, request: SafeRequest) => Promise<SafeAnswer>
