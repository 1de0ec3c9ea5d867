import { topLevelDomains } from './topLevelDomains.ts'

/** Every top-level domain in Latin letters, read out of the list in which each names what it shares with the one before. */
function readDomains(list: string): Set<string> {
  const names = new Set<string>()
  let last = ''
  for (const [, shared, rest = ''] of list.matchAll(/(\d)([a-z]*)/g)) {
    last = last.slice(0, Number(shared)) + rest
    names.add(last)
  }
  return names
}

const known = readDomains(topLevelDomains)

/**
 * Whether a name such as www.example.com ends in a top-level domain, so that platforms take it for an address without https://.
 * Domains of other scripts count in their encoded form (xn--...), whatever their name, as twitter-text has it.
 */
export function isKnownDomain(name: string): boolean {
  const end = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return known.has(end) || /^xn--[a-z0-9-]+$/.test(end)
}
