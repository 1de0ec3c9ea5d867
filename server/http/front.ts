import type { IncomingMessage, ServerResponse } from 'node:http'
import proxyaddr, { compile } from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import type { Env } from '../env.ts'
import { hasBody } from './connections.ts'

/** Answers a request at once and returns true, or leaves it as it is and returns false. */
export type InFront = (request: IncomingMessage, response: ServerResponse, address: string) => boolean

/**
 * Asks `answer` before Fastify and its hooks: for what is in memory, open to everyone, and costs less than asking who it is for.
 * Only requests for the installation's public name, or another one of its own, and without a body: the time that one takes is
 * watched there (connections.ts). `address`: the client's.
 */
export function answerInFront(
  app: FastifyInstance,
  { publicUrl, ALLOWED_HOSTS, TRUST_PROXY }: Pick<Env, 'publicUrl' | 'ALLOWED_HOSTS' | 'TRUST_PROXY'>,
  answer: InFront,
): void {
  const names = new Set([new URL(publicUrl).hostname, ...ALLOWED_HOSTS.map((name) => name.toLowerCase())])
  const isOurs = (host = '') => names.has(host) || names.has(host.replace(/:\d+$/, ''))
  const trusted = TRUST_PROXY.length > 0 ? compile(TRUST_PROXY) : undefined
  const addressOf = (request: IncomingMessage): string =>
    (trusted ? proxyaddr(request, trusted) : request.socket.remoteAddress) ?? ''
  const others = app.server.listeners('request')
  app.server.removeAllListeners('request')
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const mayAnswer = app.server.listening && isOurs(request.headers.host) && !hasBody(request)
    if (mayAnswer && answer(request, response, addressOf(request))) return
    for (const other of others) other.call(app.server, request, response)
  })
}
