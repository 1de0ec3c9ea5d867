import { because } from '#contract/failures/catalog.ts'
import type { Lookup } from '../platform.ts'
import { isNamed } from './account.ts'
import { refusalOf } from './refusals.ts'
import { FoundActors } from './schemas.ts'
import { tokenOf, withSecret } from './secret.ts'
import { xrpc } from './xrpc.ts'

const TIMEOUT_MS = 8_000

/**
 * Accounts in the whole network whose handle or name starts with this (lexicon app.bsky.actor.searchActorsTypeahead).
 * The account's own server asks its app view; a server without one finds nobody.
 */
export const people: Lookup = withSecret(async (reach, session, _account, { query, limit }) => {
  const q = query.trim().replace(/^@/, '')
  if (!q) return { kind: 'found', items: [] }
  const found = await xrpc(reach, {
    service: session.pds,
    nsid: 'app.bsky.actor.searchActorsTypeahead',
    params: { q, limit: String(Math.min(limit, 100)) },
    as: tokenOf(session),
    reply: FoundActors,
    timeoutMs: TIMEOUT_MS,
  })
  if (found.kind !== 'ok') {
    // a server without an app view answers InvalidRequest although the request is valid
    const hasNone = found.cause === 'answered' && (found.code === 'InvalidRequest' || [404, 501].includes(found.status))
    return hasNone
      ? { kind: 'closed', reason: because('bluesky-no-people-search') }
      : refusalOf(found, { doing: 'find-people', irreversible: false })
  }
  return {
    kind: 'found',
    items: found.value.actors
      .filter(({ handle }) => isNamed(handle))
      .slice(0, limit)
      .map(({ did, handle, displayName, avatar }) => ({
        id: did,
        name: displayName?.trim() || handle,
        detail: `@${handle}`,
        pictureUrl: avatar ?? null,
        insert: `@${handle}`,
      })),
  }
})
