import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Headers that proxies add, besides those that begin with `x-forwarded-`. */
const PROXY_HEADERS = [
  'forwarded',
  'forwarded-for',
  'via',
  'x-forwarded',
  'x-real-ip',
  'x-client-ip',
  'client-ip',
  'true-client-ip',
  'x-cluster-client-ip',
  'x-proxyuser-ip',
  'x-original-forwarded-for',
  'x-original-host',
  'x-host',
  'x-envoy-external-address',
  'x-appengine-user-ip',
  'x-azure-clientip',
  'x-arr-log-id',
  'cf-connecting-ip',
  'cf-ray',
  'fastly-client-ip',
  'fly-client-ip',
  'cdn-loop',
  'x-amzn-trace-id',
  'proxy-connection',
]

/**
 * Whether a program on this machine made the request itself, for this machine: from a loopback address, by a loopback
 * name, from no page of another site, and with no trace of a proxy. Proxies speak HTTP/1.0 unless they're told otherwise,
 * or add headers, or pass on the page that a browser came from. Someone who leaves no trace through one that adds none
 * isn't recognized, so this only decides what may be shown, never who may do something.
 */
export function isDirect({
  socket,
  raw,
  headers,
}: {
  socket: Pick<FastifyRequest['socket'], 'remoteAddress'>
  raw: Pick<FastifyRequest['raw'], 'httpVersion'>
  headers: FastifyRequest['headers']
}): boolean {
  const pages = [headers.origin, headers.referer].filter((page) => page !== undefined)
  return (
    isLoopback(socket.remoteAddress ?? '') &&
    raw.httpVersion !== '1.0' &&
    isLocalUrl(`http://${headers.host}/`) &&
    pages.every(isLocalUrl) &&
    headers['sec-fetch-site'] !== 'cross-site' &&
    !Object.keys(headers).some((name) => name.startsWith('x-forwarded-') || PROXY_HEADERS.includes(name))
  )
}

function isLocalUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { hostname } = new URL(text)
  return hostname === 'localhost' || hostname.endsWith('.localhost') || isLoopback(hostname.replace(/^\[|\]$/g, ''))
}

/** IPv4 clients of an IPv6 socket have a mapped address. */
function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '')
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'))
}
