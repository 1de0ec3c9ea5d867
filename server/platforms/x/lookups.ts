import type { Lookup } from '../platform.ts'
import { call, withSecret } from './client.ts'
import { refusalOf } from './refusals.ts'
import { FoundUser } from './schemas.ts'

/**
 * X has no user search with pay-per-use access: only an account whose full username was typed can be found (docs.x.com,
 * users/by/username).
 */
export const people: Lookup = withSecret(async (reach, own, _account, { query }) => {
  const name = query.trim().replace(/^@/, '')
  if (!/^\w{1,15}$/.test(name)) return { kind: 'found', items: [] }
  const found = await call(reach, own, {
    path: `/2/users/by/username/${name}`,
    query: { 'user.fields': 'profile_image_url' },
    reply: FoundUser,
  })
  if (found.kind !== 'ok') return refusalOf(found, { doing: 'find-account', irreversible: false })
  const user = found.value.data
  if (!user) return { kind: 'found', items: [] }
  const handle = `@${user.username}`
  return {
    kind: 'found',
    items: [
      { id: user.id, name: user.name || handle, detail: handle, pictureUrl: user.profile_image_url, insert: handle },
    ],
  }
})
