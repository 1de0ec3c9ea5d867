import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import type { Client, Connection, Submittable } from 'pg'

/** What node-postgres' connection has for COPY and its types leave out. */
type CopyConnection = Connection & {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

/** The client calls these as the server's messages arrive, as it does for its own queries. */
type Copying = Submittable & {
  handleError(error: Error): void
  handleReadyForQuery(): void
  handleCommandComplete(message: { text: string }): void
}

/** What the server sent: the number of rows, and the SHA-256 of its bytes in hex. */
export type Copied = { rows: number; sha256: string }

/**
 * Runs `copy … to stdout` and writes the rows to the stream, which stays open. Says what the server sent, so that the
 * stream's target can be compared with it, or rejects if the stream breaks; the client can be used again either way.
 * Not in pipeline mode.
 */
export function copyOut(client: Client, text: string, to: Writable): Promise<Copied> {
  return new Promise((resolve, reject) => {
    let rows = 0
    const hash = createHash('sha256')
    let broken: Error | undefined
    const resume = (): void => void client.connection.stream.resume()
    // data after a failed write is dropped: a paused connection would wait for a 'drain' that never comes
    const onError = (error: Error): void => {
      broken = error
      resume()
    }
    // The end of the copy often arrives in one packet with the last rows: by then the connection may be paused, and a
    // stream that is ended next emits no 'drain'.
    const end = (): void => {
      to.off('drain', resume)
      resume()
    }
    const copying: Copying & { handleCopyData(message: { chunk: Buffer }): void } = {
      submit: (connection) => connection.query(text),
      handleCopyData: ({ chunk }) => {
        if (broken) return
        hash.update(chunk)
        // a copy: the chunk is a part of node-postgres' buffer, which the next packet overwrites, and a stream that is
        // behind writes later
        if (!to.write(Buffer.from(chunk))) client.connection.stream.pause()
      },
      handleCommandComplete: (message) => (rows = rowsOf(message.text)),
      handleError: (error) => {
        end()
        reject(error)
      },
      handleReadyForQuery: () => {
        end()
        if (broken) reject(broken)
        else resolve({ rows, sha256: hash.digest('hex') })
      },
    }
    to.on('error', onError)
    to.on('drain', resume)
    client.query(copying)
  })
}

/** Runs `copy … from stdin` with the stream's data. Returns the number of rows. Not in pipeline mode. */
export function copyIn(client: Client, text: string, from: Readable): Promise<number> {
  return new Promise((resolve, reject) => {
    let rows = 0
    const copying: Copying & { handleCopyInResponse(connection: Connection): void } = {
      submit: (connection) => connection.query(text),
      // every connection of node-postgres has these three methods, its types just leave them out
      handleCopyInResponse: (connection) => void feed(connection as CopyConnection, from),
      handleCommandComplete: (message) => (rows = rowsOf(message.text)),
      handleError: reject,
      handleReadyForQuery: () => resolve(rows),
    }
    client.query(copying)
  })
}

async function feed(connection: CopyConnection, from: Readable): Promise<void> {
  try {
    for await (const chunk of from) {
      connection.sendCopyFromChunk(chunk)
      if (connection.stream.writableNeedDrain) await drained(connection.stream)
    }
    connection.endCopyFrom()
  } catch (error) {
    // the server's error contains the reason and ends the copy
    connection.sendCopyFail(error instanceof Error ? error.message : 'the source could not be read')
  }
}

/** Waits for 'drain'; throws if the connection is gone, because then there's none. */
async function drained(stream: Writable): Promise<void> {
  const closed = new AbortController()
  const onClose = (): void => closed.abort(new Error('the connection was closed'))
  stream.once('close', onClose)
  try {
    await once(stream, 'drain', { signal: closed.signal })
  } finally {
    stream.off('close', onClose)
  }
}

/** The server closes with "COPY 42". */
function rowsOf(tag: string): number {
  return Number(/^COPY (\d+)/.exec(tag)?.[1] ?? 0)
}
