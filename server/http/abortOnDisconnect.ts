import type { FastifyRequest } from 'fastify'

/**
 * Runs work that only the caller needs: its signal fires, with `reason`, when their connection ends before it's done,
 * such as when a dialog is closed or a page is left. A proxy in front passes that on by ending its own connection.
 */
export async function abortOnDisconnect<T>(
  { raw: { socket } }: Pick<FastifyRequest, 'raw'>,
  reason: () => Error,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController()
  const leave = () => gone.abort(reason())
  socket.once('close', leave)
  // it may have ended while the request was admitted
  if (socket.destroyed) leave()
  try {
    return await work(gone.signal)
  } finally {
    socket.off('close', leave)
  }
}
