import { because } from '#contract/failures/catalog.ts'
import { findPlaces } from '../graphPlaces.ts'
import type { Lookup, Refusal } from '../platform.ts'
import { read, withSecret } from './client.ts'
import { refusalOf } from './refusals.ts'
import { Discovered } from './schemas.ts'

/** A valid Instagram username. */
const NAME = /^[\w.]{1,30}$/
/**
 * Nobody has this name, or it isn't a professional account (Instagram Platform, business discovery; 110 is an invalid
 * user).
 */
const NOBODY = new Set([24, 100, 110])

/**
 * The professional account with exactly this name: there is no search. Accounts that are connected with Instagram
 * itself can't look others up, so the name is used as it was typed.
 */
export const people: Lookup = withSecret(async (reach, own, _account, { query }) => {
  const name = query.trim().replace(/^@/, '').toLowerCase()
  if (!NAME.test(name)) return { kind: 'found', items: [] }
  if (own.login === 'instagram')
    return {
      kind: 'found',
      items: [
        {
          id: name,
          name: `@${name}`,
          detail: 'As typed: Instagram does not let us check it',
          pictureUrl: null,
          insert: `@${name}`,
        },
      ],
    }
  const found = await read(
    reach,
    own,
    `/${own.userId}`,
    { fields: `business_discovery.username(${name}){username,name,profile_picture_url}` },
    Discovered,
  )
  if (found.kind !== 'ok')
    return found.cause === 'answered' && NOBODY.has(found.code)
      ? { kind: 'found', items: [] }
      : refusalOf(found, { doing: 'find-account', irreversible: false })
  const { username, name: full, profile_picture_url: pictureUrl } = found.value.business_discovery
  return {
    kind: 'found',
    items: [{ id: username, name: full || `@${username}`, detail: `@${username}`, pictureUrl, insert: `@${username}` }],
  }
})

const noSearch: Refusal = {
  kind: 'rejected',
  reason: { ...because('instagram-no-place-search'), platformCode: 'no-search' },
}

/** Places to tag in a post. Facebook has them, so only accounts that are connected through Facebook can search. */
export const places: Lookup = withSecret(async (reach, own, _account, ask) =>
  own.login === 'facebook' ? await findPlaces(reach, own.accessToken, ask) : noSearch,
)
