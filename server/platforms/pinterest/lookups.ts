import { because } from '#contract/failures/catalog.ts'
import type { z } from 'zod'
import type { LookupItem } from '#contract/platforms/rules.ts'
import type { Change, Lookup } from '../platform.ts'
import { call, listed, withSecret } from './client.ts'
import { refusalOf } from './refusals.ts'
import { Board } from './schemas.ts'

/** How many pages one lookup reads: an account has at most 2,000 boards (help.pinterest.com, limits). */
const PAGES = 8
const CHANGE_TIMEOUT_MS = 20_000

/** The account's boards by name; those that start with the query come first. */
export const boards: Lookup = withSecret(async (reach, own, _account, { query, limit }) => {
  const wanted = query.trim().toLowerCase()
  const list = await listed(reach, own, '/boards', Board, PAGES, (items) => wanted === '' && items.length >= limit)
  if (list.kind !== 'ok') return refusalOf(list, { doing: 'list-boards', irreversible: false })
  const begins = (name: string): number => (name.toLowerCase().startsWith(wanted) ? 0 : 1)
  const found = list.value
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .toSorted((a, b) => begins(a.name) - begins(b.name))
  return {
    kind: 'found',
    items: found.slice(0, limit).map(itemOf),
  }
})

function itemOf({ id, name, privacy, media }: z.infer<typeof Board>): LookupItem {
  return {
    id,
    name,
    detail: privacy === 'PUBLIC' ? null : 'Not public',
    pictureUrl: media?.image_cover_url ?? null,
    insert: null,
  }
}

/** Changes a board's name, description or privacy (`PATCH /boards/{board_id}`). */
export const changeBoard: Change = withSecret(async (reach, own, _account, id, change) => {
  const changed = await call(reach, own, {
    path: `/boards/${encodeURIComponent(id)}`,
    method: 'PATCH',
    json: change,
    reply: Board,
    timeoutMs: CHANGE_TIMEOUT_MS,
  })
  return changed.kind === 'ok'
    ? { kind: 'changed', item: itemOf(changed.value) }
    : refusalOf(changed, { doing: 'change-board', irreversible: false, gone: because('pinterest-board-gone') })
})
