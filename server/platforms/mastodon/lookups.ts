import type { Lookup } from '../platform.ts'
import { call, refused, withSecret } from './client.ts'
import { People } from './schemas.ts'

/** Accounts that the server knows by name or handle; an empty query finds none. */
export const people: Lookup = withSecret(async (reach, own, _account, { query, limit }) => {
  const name = query.trim().replace(/^@/, '')
  if (!name) return { kind: 'found', items: [] }
  const found = await call(reach, own, {
    path: '/api/v1/accounts/search',
    query: { q: name, limit: String(Math.min(limit, 80)) },
    reply: People,
  })
  if (found.kind !== 'ok') return refused(found, own, 'find-people')
  return {
    kind: 'found',
    items: found.value.slice(0, limit).map(({ id, acct, display_name: shown, avatar }) => ({
      id,
      name: shown || acct,
      detail: `@${acct}`,
      pictureUrl: avatar,
      insert: `@${acct}`,
    })),
  }
})
