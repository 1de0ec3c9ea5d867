import type { SafeFetch } from './safeFetch.ts'

/*
 * Development and tests: what adapters say to a platform's real host is led to a simulator that serves all of them, each
 * under its own name: https://graph.facebook.com/v1/me is asked for at {base}/graph.facebook.com/v1/me. Adapters know nothing of it.
 */

/** Servers of federated accounts that only a simulator answers for: no such name is ever handed out. */
const PRETENDED = '.simulated'

export const isPretended = (host: string): boolean => host.endsWith(PRETENDED)

/**
 * The address at the simulators that stands for one at a platform, also for a browser. Addresses of hosts that are none of the
 * platforms' stay as they are. `base` has no slash at its end.
 */
export function simulatedUrl(url: string, hosts: readonly string[], base: string): string {
  if (!URL.canParse(url)) return url
  const { protocol, host, pathname, search, hash } = new URL(url)
  return protocol === 'https:' && (hosts.includes(host) || isPretended(host))
    ? `${base}/${host}${pathname}${search}${hash}`
    : url
}

/**
 * A fetch whose requests to `hosts` arrive at the simulators. The answer names the address that was asked for, not the one that answered. Redirects
 * are the simulators' own affair: they lead to addresses at themselves.
 */
export function simulated(fetch: SafeFetch, hosts: readonly string[], base: string): SafeFetch {
  return async (url, request) => {
    const answer = await fetch(simulatedUrl(url, hosts, base), request)
    return answer.kind === 'answer' ? { ...answer, url: realUrl(answer.url, base) } : answer
  }
}

const realUrl = (url: string, base: string): string =>
  url.startsWith(`${base}/`) ? `https://${url.slice(base.length + 1)}` : url
