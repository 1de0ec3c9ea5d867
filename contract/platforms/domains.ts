import { topLevelDomains } from './topLevelDomains.ts'

/**
 * Every top-level domain in Latin letters, decoded from a list in which each name states what it shares with the
 * previous one.
 */
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
 * Whether a name such as www.example.com ends in a top-level domain, so that platforms treat it as a URL without
 * https://. Domains of other scripts count in their encoded form (xn--...), whatever their name, as in twitter-text.
 */
export function isKnownDomain(name: string): boolean {
  const end = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return known.has(end) || /^xn--[a-z0-9-]+$/.test(end)
}
