import { lookup, type LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { promisify } from 'node:util'
import { buildConnector } from 'undici'
import { isPublicAddress } from './addresses.ts'

export type Resolve = (hostname: string) => Promise<LookupAddress[]>

/** We may not connect to the address. Thrown while connecting, so nothing was sent. */
export class AddressRefused extends Error {}

const lookupAll = promisify(lookup)
const systemResolve: Resolve = (hostname) => lookupAll(hostname, { all: true })
const CONNECT_TIMEOUT_MS = 10_000

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '')
const portOf = (url: URL) => url.port || (url.protocol === 'https:' ? '443' : '80')

/** Why an address can't be requested at all, before any name is resolved; undefined if it can. */
export function refusalOfUrl(address: string, allowed: ReadonlySet<string>): string | undefined {
  if (!URL.canParse(address)) return 'not an address'
  const url = new URL(address)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `${url.protocol} is not http or https`
  if (url.username || url.password) return 'addresses with a name or password are not taken'
  if (allowed.has(`${url.hostname}:${portOf(url)}`)) return undefined
  const literal = bare(url.hostname)
  return isIP(literal) && !isPublicAddress(literal) ? `${literal} is not a public address` : undefined
}

/**
 * Opens connections for undici. A name is resolved once. If any of its addresses isn't public, it's refused; otherwise
 * only these addresses are connected to, so a different second DNS response doesn't matter. `allowH2` offers HTTP/2 to
 * TLS servers.
 */
export function guardedConnector(
  allowed: ReadonlySet<string>,
  resolve: Resolve = systemResolve,
  { allowH2 = false }: { allowH2?: boolean } = {},
): buildConnector.connector {
  const asking = new Map<string, Promise<LookupAddress[]>>()
  /** Connections to one host that are opened at once share a DNS query. */
  const ask = (hostname: string) => {
    const current = asking.get(hostname)
    if (current) return current
    const answer = resolve(hostname).finally(() => asking.delete(hostname))
    asking.set(hostname, answer)
    return answer
  }
  const lookupWith = (check: (hostname: string, found: LookupAddress[]) => void): LookupFunction => {
    return (hostname, options, answer) => {
      ask(hostname).then(
        (found) => {
          try {
            check(hostname, found)
          } catch (error) {
            // the checks only throw AddressRefused
            return answer(error as Error, '')
          }
          const [first] = found
          if (!first) return answer(new Error(`${hostname} has no address`), '')
          return options.all ? answer(null, found) : answer(null, first.address, first.family)
        },
        (error: unknown) => answer(error instanceof Error ? error : new Error(String(error)), ''),
      )
    }
  }
  const options = { allowH2, preferH2: allowH2, timeout: CONNECT_TIMEOUT_MS, autoSelectFamily: true }
  const open = buildConnector({ ...options, lookup: lookupWith(() => {}) })
  const guarded = buildConnector({ ...options, lookup: lookupWith(refusePrivate) })

  return function connect(target, answer) {
    const port = target.port || (target.protocol === 'https:' ? '443' : '80')
    if (allowed.has(`${target.hostname}:${port}`)) return open(target, answer)
    guarded(target, (error, socket) => {
      if (error) return answer(error, null)
      // names were checked when resolved; this covers literal addresses and anything else
      if (isPublicAddress(socket.remoteAddress ?? '')) return answer(null, socket)
      socket.destroy()
      return answer(new AddressRefused(`${socket.remoteAddress ?? 'unknown'} is not a public address`), null)
    })
  }
}

function refusePrivate(hostname: string, found: LookupAddress[]): void {
  const refused = found.find(({ address }) => !isPublicAddress(address))
  if (refused) throw new AddressRefused(`${hostname} resolves to ${refused.address}, which is not a public address`)
}
