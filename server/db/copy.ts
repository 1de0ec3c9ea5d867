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

/**
 * Runs `copy … to stdout` and writes what comes to the stream, which stays open. Answers the number of rows. The
 * client must not be in pipeline mode.
 */
export function copyOut(client: Client, text: string, to: Writable): Promise<number> {
  return new Promise((resolve, reject) => {
    let rows = 0
    const copying: Copying & { handleCopyData(message: { chunk: Buffer }, connection: Connection): void } = {
      submit: (connection) => connection.query(text),
      handleCopyData: ({ chunk }, connection) => {
        if (to.write(chunk)) return
        connection.stream.pause()
        to.once('drain', () => connection.stream.resume())
      },
      handleCommandComplete: (message) => (rows = rowsOf(message.text)),
      handleError: reject,
      handleReadyForQuery: () => resolve(rows),
    }
    client.query(copying)
  })
}

/** Runs `copy … from stdin` with what the stream gives. Answers the number of rows. Not in pipeline mode. */
export function copyIn(client: Client, text: string, from: Readable): Promise<number> {
  return new Promise((resolve, reject) => {
    let rows = 0
    const copying: Copying & { handleCopyInResponse(connection: Connection): void } = {
      submit: (connection) => connection.query(text),
      // every connection of node-postgres has the three methods, its types only leave them out
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
      if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
    }
    connection.endCopyFrom()
  } catch (error) {
    // the server answers with an error that carries the reason, which ends the copy
    connection.sendCopyFail(error instanceof Error ? error.message : 'the source could not be read')
  }
}

/** The server closes with "COPY 42". */
function rowsOf(tag: string): number {
  return Number(/^COPY (\d+)/.exec(tag)?.[1] ?? 0)
}
