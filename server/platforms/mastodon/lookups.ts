import type { Lookup } from '../platform.ts'
import { call, readSecret, refused } from './client.ts'
import { People } from './schemas.ts'

/** Accounts that the server knows by name or address; an empty query finds none. */
export const people: Lookup = async (reach, secret, _account, { query, limit }) => {
  const own = readSecret(secret)
  if (own.kind !== 'secret') return own
  const name = query.trim().replace(/^@/, '')
  if (!name) return { kind: 'found', items: [] }
  const found = await call(reach, own.value, { path: '/api/v1/accounts/search', query: { q: name, limit: String(Math.min(limit, 80)) }, reply: People })
  if (found.kind !== 'ok') return refused(found, own.value, 'look for people')
  return { kind: 'found', items: found.value.slice(0, limit).map(({ id, acct, display_name: shown, avatar }) => ({ id, name: shown || acct, detail: `@${acct}`, pictureUrl: avatar, insert: `@${acct}` })) }
}
