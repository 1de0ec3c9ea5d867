import { isPlatformSite } from './sites.ts'
import type { SentTag } from './tags.ts'

/** Longer addresses are refused by servers and cut by platforms. */
const ADDRESS_MOST = 2000

/** What happens to a post's links. */
export type LinkRules = {
  tags: readonly SentTag[]
  /** Whether links are shortened. */
  shorten: boolean
  /** The hosts of this installation: links to them stay as they are. */
  ownHosts: readonly string[]
}

/**
 * Where a link leads once it's tagged; undefined for one that stays as it is: to a platform's own site or to this
 * installation, one with a user name in it, or one that would be longer than 2,000 characters. Only our parameters are added, at the end of the
 * query; every other character stays, and a parameter that the address has already is kept.
 */
export function linkTarget(address: string, { tags, ownHosts }: LinkRules): string | undefined {
  const host = hostOf(address)
  if (host === undefined || isPlatformSite(host) || ownHosts.includes(host)) return undefined
  const tagged = withTags(address, tags)
  return tagged.length > ADDRESS_MOST ? undefined : tagged
}

function hostOf(address: string): string | undefined {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined
  const { hostname, username, password } = new URL(address)
  // what looks like another host to people isn't passed on under our name
  if (username !== '' || password !== '') return undefined
  // a dot at the end of a name leads to the same host
  return hostname.replace(/\.$/, '')
}

function withTags(address: string, tags: readonly SentTag[]): string {
  const hash = address.indexOf('#')
  const [rest, fragment] = hash === -1 ? [address, ''] : [address.slice(0, hash), address.slice(hash)]
  const mark = rest.indexOf('?')
  const query = mark === -1 ? '' : rest.slice(mark + 1)
  const present = new Set([...new URLSearchParams(query).keys()].map((name) => name.toLowerCase()))
  const added = tags.flatMap(({ name, value }) => (present.has(name) ? [] : [`${name}=${value}`])).join('&')
  if (added === '') return address
  const joint = mark === -1 ? '?' : query === '' || query.endsWith('&') ? '' : '&'
  return `${rest}${joint}${added}${fragment}`
}
