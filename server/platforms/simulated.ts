import type { SafeFetch } from './safeFetch.ts'

/*
 * For development and tests: requests to a platform's real host are redirected to a simulator that serves all of them
 * by name: https://graph.facebook.com/v1/me becomes {base}/graph.facebook.com/v1/me. Adapters don't notice.
 */

/** Servers of federated accounts that only exist in a simulator: no real server can have such a name. */
const PRETENDED = '.simulated'

export const isPretended = (host: string): boolean => host.endsWith(PRETENDED)

/**
 * The simulator's URL for a platform's URL, also for browsers. URLs of other hosts aren't changed. `base` has no
 * trailing slash.
 */
export function simulatedUrl(url: string, hosts: readonly string[], base: string): string {
  if (!URL.canParse(url)) return url
  const { protocol, host, pathname, search, hash } = new URL(url)
  return protocol === 'https:' && (hosts.includes(host) || isPretended(host))
    ? `${base}/${host}${pathname}${search}${hash}`
    : url
}

/**
 * A fetch that sends requests for `hosts` to the simulators. The response has the original URL. Redirects stay at the
 * simulators.
 */
export function simulated(fetch: SafeFetch, hosts: readonly string[], base: string): SafeFetch {
  return async (url, request) => {
    const answer = await fetch(simulatedUrl(url, hosts, base), request)
    return answer.kind === 'answer' ? { ...answer, url: realUrl(answer.url, base) } : answer
  }
}

const realUrl = (url: string, base: string): string =>
  url.startsWith(`${base}/`) ? `https://${url.slice(base.length + 1)}` : url
