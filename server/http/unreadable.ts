import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { problemOf } from './problem.ts'

/**
 * Answers a client whose request can't be read, with problem details like every other failure: its address and headers are too
 * long, or it's no HTTP. One that took too long gets what Node says of its own limit. Then the connection is closed.
 */
export function refuseUnreadable({ code }: Error & { code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET' || socket.destroyed) return
  if (socket.writable) socket.write(code === 'ERR_HTTP_REQUEST_TIMEOUT' ? answer(408) : problem(code))
  socket.destroySoon()
}

function problem(code: string | undefined): string {
  const found =
    code === 'HPE_HEADER_OVERFLOW'
      ? problemOf(
          'PAYLOAD_TOO_LARGE',
          { detail: 'The address of this request is too long. Choose less at once.' },
          crypto.randomUUID(),
        )
      : problemOf('BAD_INPUT', { detail: "This request can't be read." }, crypto.randomUUID())
  return answer(found.status, JSON.stringify(found))
}

const answer = (status: number, body = ''): string =>
  [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Cache-Control: no-store',
    ...(body === '' ? [] : ['Content-Type: application/problem+json']),
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
