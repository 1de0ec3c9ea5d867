import type { ServerResponse } from 'node:http'
import type { LiveEvent } from '#contract/live.ts'
import { writeCursor, type Cursor } from './cursor.ts'

/** An open response of server-sent events. Its writes return false once the reader is too slow or gone. */
export type EventStream = {
  event(event: LiveEvent & { cursor: Cursor }): boolean
  /** Read everything again; from here on, events follow the cursor. */
  reset(cursor: Cursor): boolean
  comment(): boolean
  end(): void
  onEnd(listener: () => void): void
}

/** The text of an event, made once for all streams that it's written to. */
const texts = new WeakMap<LiveEvent, string>()
function textOf(event: LiveEvent & { cursor: Cursor }): string {
  const { cursor, kind, ref } = event
  const text = texts.get(event) ?? `id: ${writeCursor(cursor)}\ndata: ${JSON.stringify({ kind, ref })}\n\n`
  texts.set(event, text)
  return text
}

/** How many bytes may wait for a slow reader. */
const MOST_WAITING = 256 * 1024

/** Starts the response and writes to it. */
export function openStream(response: ServerResponse): EventStream {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-content-type-options': 'nosniff',
    // otherwise nginx buffers responses
    'x-accel-buffering': 'no',
  })
  // a failed write ends the stream, as the close event reports
  response.on('error', () => response.destroy())
  let waiting = ''
  const flush = () => {
    if (waiting !== '' && !response.writableEnded && !response.destroyed) response.write(waiting)
    waiting = ''
  }
  // what comes at the same moment is one packet
  const write = (text: string): boolean => {
    if (response.writableEnded || response.destroyed) return false
    if (waiting === '') queueMicrotask(flush)
    waiting += text
    return response.writableLength + waiting.length <= MOST_WAITING
  }
  write(': hello\n\n')
  return {
    event: (event) => write(textOf(event)),
    reset: (cursor) => write(`id: ${writeCursor(cursor)}\nevent: reset\ndata: {}\n\n`),
    comment: () => write(': still here\n\n'),
    end() {
      flush()
      // what waits for a slow reader is dropped with it
      if (response.writableLength > MOST_WAITING) response.destroy()
      else response.end()
    },
    onEnd: (listener) => void response.once('close', listener),
  }
}
