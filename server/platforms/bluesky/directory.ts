import { rejected } from './refusals.ts'
import { because } from '#contract/failures/catalog.ts'
import type { Reach, Refusal } from '../platform.ts'
import { DidDocument } from './schemas.ts'

const TIMEOUT_MS = 8_000
const MAX_DOCUMENT = 100_000

/**
 * Looks up an account's own server where its identity is kept: in the PLC directory for `did:plc`, at the host itself
 * for `did:web` (atproto.com/specs/did). Servers aren't asked about themselves, so none can claim another server's
 * account.
 */
export async function serverOf(
  reach: Reach,
  plcDirectory: string,
  did: string,
): Promise<{ kind: 'server'; origin: string } | Refusal> {
  const address = documentAddress(plcDirectory, did)
  if (!address) return unknown()
  const answer = await reach.fetch(address, {
    headers: { accept: 'application/did+ld+json, application/json' },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_DOCUMENT,
    signal: reach.signal,
  })
  if (answer.kind === 'unsent' && answer.why === 'address-refused' && did.startsWith('did:web:'))
    return rejected('address-refused', because('bluesky-own-address-not-public'))
  if (answer.kind !== 'answer') return unreachable()
  // 410 means that the account was deleted
  if (answer.status === 404 || answer.status === 410) return unknown()
  if (answer.status !== 200) return unreachable()
  const origin = serverIn(readJson(answer.body), did)
  return origin ? { kind: 'server', origin } : rejected('no-server', because('bluesky-account-without-server'))
}

/** The account's own server according to its DID document; undefined if the document belongs to someone else. */
export function serverIn(document: unknown, did: string): string | undefined {
  const { data } = DidDocument.safeParse(document)
  if (data?.id !== did) return undefined
  const endpoint = data.service.find(({ id }) => id === '#atproto_pds' || id === `${did}#atproto_pds`)?.serviceEndpoint
  return typeof endpoint === 'string' ? originOf(endpoint) : undefined
}

/** The origin of a server's URL. Plain http would expose tokens, so it's only allowed on this machine. */
export function originOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, hostname, origin } = new URL(address)
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
    ? origin
    : undefined
}

/** Where a DID's document is read; undefined for methods and forms that the AT Protocol doesn't know. */
function documentAddress(plcDirectory: string, did: string): string | undefined {
  if (/^did:plc:[a-z2-7]{24}$/.test(did)) return new URL(`/${encodeURIComponent(did)}`, plcDirectory).href
  // ports are only allowed on this machine, and paths never
  const [, host] = /^did:web:([a-z0-9.-]+|localhost%3A\d+)$/i.exec(did) ?? []
  if (host === undefined) return undefined
  const local = host.split('%')[0]?.toLowerCase() === 'localhost'
  return `${local ? 'http' : 'https'}://${decodeURIComponent(host)}/.well-known/did.json`
}

function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    // invalid JSON isn't a document
    return undefined
  }
}

const unknown = (): Refusal => rejected('unknown-account', because('bluesky-account-unknown'))
const unreachable = (): Refusal => ({
  kind: 'retry',
  reason: { ...because('bluesky-directory-unreachable'), platformCode: 'directory-unreachable' },
})
