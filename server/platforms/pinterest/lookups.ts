import type { Lookup } from '../platform.ts'
import { listed, withSecret } from './client.ts'
import { refusalOf } from './refusals.ts'
import { Board } from './schemas.ts'

/** Pages that are read for one answer: an account has at most 2,000 boards (help.pinterest.com, limits). */
const PAGES = 8

/** The boards of the account, by name; those whose name begins with what was typed come first. */
export const boards: Lookup = withSecret(async (reach, own, _account, { query, limit }) => {
  const wanted = query.trim().toLowerCase()
  const list = await listed(reach, own, '/boards', Board, PAGES, (items) => wanted === '' && items.length >= limit)
  if (list.kind !== 'ok') return refusalOf(list, { doing: 'list the boards', irreversible: false })
  const begins = (name: string): number => (name.toLowerCase().startsWith(wanted) ? 0 : 1)
  const found = list.value
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .toSorted((a, b) => begins(a.name) - begins(b.name))
  return {
    kind: 'found',
    items: found.slice(0, limit).map(({ id, name, privacy, media }) => ({
      id,
      name,
      detail: privacy === 'PUBLIC' ? null : 'Not public',
      pictureUrl: media?.image_cover_url ?? null,
      insert: null,
    })),
  }
})
