import { otherTopLevelDomains, topLevelDomains } from './topLevelDomains.ts'

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

/** With the one that isn't in the DNS (RFC 7686), which platforms link as well. */
const known = readDomains(topLevelDomains).add('onion')
const others = otherTopLevelDomains.split(' ')

/**
 * Whether a name such as www.example.com ends in a top-level domain, so that platforms treat it as a URL without
 * https://. Domains of other scripts count in their encoded form (xn--...), whatever their name, as in twitter-text.
 */
export function isKnownDomain(name: string): boolean {
  const end = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return known.has(end) || /^xn--[a-z0-9-]+$/.test(end)
}

// what can't follow a top-level domain is in twitter-text
const latin = /[A-Za-z]+(?![0-9A-Za-z@+-])/y
const encoded = /xn--[-0-9a-z]+/iy
/** The longest ones first: a shorter one may be the beginning of another. */
const ofScripts = new RegExp(`(?:${others.toSorted((a, b) => b.length - a.length).join('|')})(?![0-9A-Za-z@+-])`, 'y')

/** Where the top-level domain of any script ends that begins there in a text; the beginning if none does. */
export function domainEnd(text: string, start: number): number {
  latin.lastIndex = start
  if (latin.test(text)) {
    const end = latin.lastIndex
    if (known.has(text.slice(start, end).toLowerCase())) return end
  }
  for (const pattern of [ofScripts, encoded]) {
    pattern.lastIndex = start
    if (pattern.test(text)) return pattern.lastIndex
  }
  return start
}
