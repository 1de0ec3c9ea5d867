/** Where an account signs in unless it lives on a server of its own. */
export const DEFAULT_SERVICE = 'https://bsky.social'

/** The address to prefill when a channel is reconnected: nothing for accounts of Bluesky's own servers. */
export function serviceOf(domain: string | null): string {
  if (!domain) return ''
  // the domain has lost its scheme; a server on this very machine, as in development, speaks plainly
  const local = /^(localhost|127\.|\[::1\])/.test(domain)
  const address = domain.includes('://') ? domain : `${local ? 'http' : 'https'}://${domain}`
  const host = URL.canParse(address) ? new URL(address).hostname : ''
  return host === '' || host === 'bsky.social' || host.endsWith('.bsky.network') || host.endsWith('.bsky.social')
    ? ''
    : address
}
