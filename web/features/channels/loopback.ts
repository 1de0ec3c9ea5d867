const NAMES: Record<string, string> = { '127.0.0.1': 'localhost', localhost: '127.0.0.1' }

/**
 * The same URL under this machine's other name, once. Some platforms redirect people to 127.0.0.1 only (RFC 8252,
 * section 8.3), while they began at localhost, where their session is. Undefined anywhere else, and after one such
 * step.
 */
export function otherLoopback(href: string): string | undefined {
  const url = new URL(href)
  const other = NAMES[url.hostname]
  if (!other || url.searchParams.has('hop')) return undefined
  url.hostname = other
  url.searchParams.set('hop', '1')
  return url.href
}
