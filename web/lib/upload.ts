import type { Upload } from 'tus-js-client'

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

/** Sends the bytes to their tus URL, in pieces that survive a lost connection. */
export async function startUpload(file: Blob, address: string, events: UploadEvents): Promise<RunningUpload> {
  // only attaching a file loads the protocol
  const tus = await import('tus-js-client')
  let upload: Upload | undefined = new tus.Upload(file, {
    // the URL is created with the asset; if the server has no file for it yet, the same URL creates one
    uploadUrl: address,
    endpoint: address,
    retryDelays: RETRY_AFTER,
    chunkSize: 5_000_000,
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

/** The server's own message if it sent one. */
function reasonOf(error: unknown): string {
  const response =
    typeof error === 'object' && error !== null && 'originalResponse' in error ? error.originalResponse : undefined
  if (
    typeof response !== 'object' ||
    response === null ||
    !('getBody' in response) ||
    typeof response.getBody !== 'function'
  )
    return fallback
  try {
    const body: unknown = JSON.parse(String(response.getBody()))
    return typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string'
      ? body.detail
      : fallback
  } catch {
    return fallback
  }
}
