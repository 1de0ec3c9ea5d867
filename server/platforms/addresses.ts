import { BlockList, isIP } from 'node:net'

/**
 * IPv4 ranges without public hosts: the IANA special-purpose registry, multicast, the reserved block, and Azure's
 * internal host service, whose address only looks public.
 */
const special4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/**
 * In IPv6, hosts are only in 2000::/3, except for these ranges: protocol assignments with Teredo and ORCHID,
 * documentation, and 6to4, which carries an unchecked IPv4 address.
 */
const special6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const refused4 = new BlockList()
for (const [net, bits] of special4) refused4.addSubnet(net, bits, 'ipv4')
const handedOut6 = new BlockList()
handedOut6.addSubnet('2000::', 3, 'ipv6')
const refused6 = new BlockList()
for (const [net, bits] of special6) refused6.addSubnet(net, bits, 'ipv6')
/** How IPv6-only networks reach IPv4-only hosts (RFC 6052): the embedded IPv4 address decides. */
const nat64 = new BlockList()
nat64.addSubnet('64:ff9b::', 96, 'ipv6')

/**
 * Whether an address belongs to a host on the public internet. Everything else is refused: loopback, private,
 * link-local (with cloud metadata services), carrier-grade NAT, multicast, mapped and tunneled addresses, and anything
 * that can't be parsed.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !refused4.check(address, 'ipv4')
  if (family !== 6 || address.includes('%')) return false
  if (nat64.check(address, 'ipv6')) return isPublicAddress(lastFourBytes(address))
  return handedOut6.check(address, 'ipv6') && !refused6.check(address, 'ipv6')
}

/** The IPv4 address in the last 32 bits of an IPv6 one. */
function lastFourBytes(address: string): string {
  // the URL parser writes every spelling as groups of hexadecimal digits
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1).split(':')
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
