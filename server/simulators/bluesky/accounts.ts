import { createHash, randomUUID } from 'node:crypto'
import { systemClock } from '../../clock.ts'
import type { PastPost } from '../pastPosts.ts'

/** `figures` are those of a post of before, in the end. */
export type StoredRecord = { cid: string; record: unknown; figures?: PastPost['figures'] }

export type Account = {
  did: string
  handle: string
  records: Map<string, StoredRecord>
  /** The one valid refresh token; used ones are refused. */
  refresh: string
}

/** A committed createRecord, in order of arrival. */
export type LedgerEntry = { did: string; rkey: string; text: string; at: number }

/** An account that the other simulated platforms know too. */
const SOME_ACCOUNT = 'noraquill.sim.test'

/** Accounts and their posts. An account is created when it's first named, so any handle exists. */
/** The URL of an account's picture, served by the other simulated platforms like everything below `.simulated`. */
export const pictureOf = ({ did }: Pick<Account, 'did'>): string =>
  `https://bluesky.simulated/pictures/${did.slice(8)}.png`

export class Accounts {
  readonly #byDid = new Map<string, Account>()
  readonly #accessSeconds: () => number
  readonly ledger: LedgerEntry[] = []
  /** Sends of a record that already existed. The simulator refuses them; tests count them as broken promises. */
  readonly duplicates: LedgerEntry[] = []

  constructor(accessSeconds: () => number) {
    this.#accessSeconds = accessSeconds
  }

  /** The account with this DID, if it was named before. */
  known(did: string): Account | undefined {
    return this.#byDid.get(did)
  }

  /** Accounts whose handle starts like this and that were named before; also one that always exists. */
  beginning(words: string, limit: number): Account[] {
    this.named(SOME_ACCOUNT)
    return [...this.#byDid.values()].filter(({ handle }) => handle.startsWith(words.toLowerCase())).slice(0, limit)
  }

  all(): Account[] {
    return [...this.#byDid.values()]
  }

  named(handleOrDid: string): Account {
    const did = handleOrDid.startsWith('did:') ? handleOrDid : didOf(handleOrDid)
    let known = this.#byDid.get(did)
    if (!known)
      this.#byDid.set(
        did,
        (known = {
          did,
          handle: handleOrDid.startsWith('did:') ? `${did.slice(8, 20)}.sim.test` : handleOrDid,
          records: new Map(),
          refresh: '',
        }),
      )
    return known
  }

  /** Issues new tokens, which uses up the previous refresh token. */
  session(account: Account): { accessJwt: string; refreshJwt: string } {
    const seconds = this.#accessSeconds()
    account.refresh = token(account.did, 'com.atproto.refresh', 90 * 24 * 3600)
    return { accessJwt: token(account.did, 'com.atproto.access', seconds), refreshJwt: account.refresh }
  }

  /** Commits a record, once per key. */
  create(account: Account, rkey: string, record: unknown, at: number): StoredRecord | undefined {
    const entry = { did: account.did, rkey, text: textOf(record), at }
    if (account.records.has(rkey)) {
      this.duplicates.push(entry)
      return undefined
    }
    const stored = {
      cid: cidOf(`${account.did}/${rkey}`),
      record,
    }
    account.records.set(rkey, stored)
    this.ledger.push(entry)
    return stored
  }
}

const letters = 'abcdefghijklmnopqrstuvwxyz234567'

/** A content identifier in the network's format: version 1 of a record, SHA-256, base32 (multiformats). */
function cidOf(text: string): string {
  const bytes = Buffer.concat([Buffer.from([1, 0x71, 0x12, 32]), createHash('sha256').update(text).digest()])
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return `b${(bits.match(/.{1,5}/g) ?? []).map((five) => letters[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')}`
}

export function didOf(handle: string): string {
  const bytes = createHash('sha256').update(handle.toLowerCase()).digest()
  return `did:plc:${[...bytes.subarray(0, 24)].map((byte) => letters[byte & 31]).join('')}`
}

export type Claims = { sub: string; scope: string; exp: number }

function token(did: string, scope: string, seconds: number): string {
  const now = Math.floor(systemClock.now().getTime() / 1000)
  return tokenOf({ scope, sub: did, iat: now, exp: now + seconds, jti: randomUUID() })
}

function tokenOf(claims: object): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ typ: 'JWT', alg: 'none' })}.${part(claims)}.simulated`
}

/** A token's claims; undefined if we didn't issue it. */
export const readToken = (text: string): Claims | undefined => claimsIn(text)

/** What a token lets another service do on the account's behalf. */
export type ServiceClaims = { iss: string; aud: string; lxm: string; exp: number }

export const serviceToken = (claims: ServiceClaims): string => tokenOf(claims)
export const readServiceToken = (text: string): ServiceClaims | undefined => claimsIn(text)

function claimsIn<T>(text: string): T | undefined {
  const [, body] = text.split('.')
  if (!body || !text.endsWith('.simulated')) return undefined
  // a token that this simulator issued
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as T
}

function textOf(record: unknown): string {
  return typeof record === 'object' && record !== null && 'text' in record && typeof record.text === 'string'
    ? record.text
    : ''
}
