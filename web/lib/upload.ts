import type { HttpResponse, Upload } from 'tus-js-client'

export type UploadEvents = {
  onProgress: (sent: number) => void
  onDone: () => void
  onFailed: (reason: string) => void
  /** The server can't be reached; retries are automatic. Called at the first failed try. */
  onInterrupted?: () => void
  /**
   * Every try has failed; what arrived stays on the server. `resume` continues, as does the browser when it's online
   * again. Without this, it counts as failed.
   */
  onLost?: () => void
  /** It continues after an interruption, or after the connection was lost. */
  onBack?: () => void
}

/** One upload. It continues automatically after a lost connection; `pause` and `resume` are for people. */
export type RunningUpload = { pause: () => void; resume: () => void; cancel: () => void }

/** The message at a file while the connection is lost. */
export const LOST =
  'The connection was lost. What was uploaded is kept, and the upload continues when you’re back online.'

/** How long to wait before each retry, in milliseconds; the count restarts whenever bytes arrived. */
const RETRY_AFTER = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000]

/** Of one piece in bytes: many proxies let only a megabyte through, some less. */
const [PIECE, LEAST_PIECE] = [5_000_000, 16_384]
/** What got through a proxy on this page: later uploads begin with it. */
let passing = PIECE

/**
 * Sends the bytes to their tus URL, in pieces that survive a lost connection, and in ever smaller ones if a proxy
 * refuses them for their size.
 */
export async function startUpload(file: Blob, address: string, events: UploadEvents): Promise<RunningUpload> {
  // only attaching a file loads the protocol
  const tus = await import('tus-js-client')
  let upload: Upload | undefined = new tus.Upload(file, {
    // the URL is created with the asset; if the server has no file for it yet, the same URL creates one
    uploadUrl: address,
    endpoint: address,
    retryDelays: RETRY_AFTER,
    chunkSize: passing,
    storeFingerprintForResuming: false,
    onProgress: (sent) => {
      if (interrupted) events.onBack?.()
      interrupted = false
      events.onProgress(sent)
    },
    onSuccess: () => {
      end()
      events.onDone()
    },
    onError: (error) => {
      if (isTooLarge(error) && halve()) return upload?.start()
      if (!events.onLost || !('originalResponse' in error) || error.originalResponse !== null)
        return events.onFailed(reasonOf(error))
      lost = true
      events.onLost()
    },
    onShouldRetry: (error) => {
      const status = error.originalResponse?.getStatus() ?? 0
      if (status === 0 && !interrupted) {
        interrupted = true
        events.onInterrupted?.()
      }
      // rejected permanently: the file isn't accepted or the URL is no longer valid
      return status === 0 || status === 409 || status === 423 || status === 429 || (status >= 500 && status !== 507)
    },
  })
  let lost = false
  let interrupted = false
  /** The next pieces are half as long; false if they're as short as makes sense. */
  const halve = (): boolean => {
    if (!upload || passing <= LEAST_PIECE) return false
    // another upload may have found a smaller size in the meantime
    const { chunkSize = passing } = upload.options
    passing = Math.max(LEAST_PIECE, Math.min(passing, Math.ceil(chunkSize / 2)))
    upload.options.chunkSize = passing
    return true
  }
  const continueUpload = () => {
    lost = false
    upload?.start()
  }
  const online = () => {
    if (lost) {
      continueUpload()
      events.onBack?.()
    }
    // no need to wait for the next try
    else if (interrupted) void upload?.abort().then(() => upload?.start())
  }
  const end = () => {
    upload = undefined
    globalThis.removeEventListener('online', online)
  }
  globalThis.addEventListener('online', online)
  upload.start()
  return {
    pause: () => void upload?.abort(),
    resume: continueUpload,
    cancel: () => {
      // the server deletes it too: it would count as unfinished for a day
      void upload?.abort(true).catch(() => undefined)
      end()
    },
  }
}

const fallback = 'Error uploading file'

const responseOf = (error: unknown): HttpResponse | undefined => {
  const { originalResponse: response } =
    typeof error === 'object' && error !== null && 'originalResponse' in error ? error : { originalResponse: null }
  const isResponse = (value: unknown): value is HttpResponse =>
    typeof value === 'object' && value !== null && 'getBody' in value && 'getStatus' in value
  return isResponse(response) ? response : undefined
}

/** Refused for the size of the request by something between here and the server, which has its own words for it. */
const isTooLarge = (error: unknown): boolean => responseOf(error)?.getStatus() === 413

/** The server's own message if it sent one. */
function reasonOf(error: unknown): string {
  if (isTooLarge(error))
    return `The proxy in front of Rookery doesn't let ${LEAST_PIECE / 1024} KB through. Ask your Rookery administrator to raise its limit.`
  try {
    const body: unknown = JSON.parse(String(responseOf(error)?.getBody()))
    return typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string'
      ? body.detail
      : fallback
  } catch {
    return fallback
  }
}
