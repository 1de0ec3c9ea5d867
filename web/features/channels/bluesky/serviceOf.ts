/** Where an account signs in unless it's on its own server. */
export const DEFAULT_SERVICE = 'https://bsky.social'

/** The prefilled URL when a channel is reconnected: nothing for accounts on Bluesky's own servers. */
export function serviceOf(domain: string | null): string {
  if (!domain) return ''
  // the domain has lost its scheme; a server on this machine, as in development, uses plain HTTP
  const local = /^(localhost|127\.|\[::1\])/.test(domain)
  const address = domain.includes('://') ? domain : `${local ? 'http' : 'https'}://${domain}`
  const host = URL.canParse(address) ? new URL(address).hostname : ''
  return host === '' || host === 'bsky.social' || host.endsWith('.bsky.network') || host.endsWith('.bsky.social')
    ? ''
    : address
}
