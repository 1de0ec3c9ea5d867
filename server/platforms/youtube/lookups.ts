import type { LookupItem } from '#contract/platforms/rules.ts'
import type { z } from 'zod'
import type { Addition, Lookup } from '../platform.ts'
import { call, refusalOf, withSecret } from './client.ts'
import { Categories, Playlist, Playlists } from './schemas.ts'

/** Categories are listed by country, but those for videos are the same in most. */
const REGION = 'US'
const PAGE = '50'
const PAGES = 6
const TIMEOUT_MS = 20_000

const matching = (items: readonly LookupItem[], query: string, limit: number): LookupItem[] => {
  const wanted = query.trim().toLowerCase()
  const begins = ({ name }: LookupItem): number => (name.toLowerCase().startsWith(wanted) ? 0 : 1)
  return items
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .toSorted((a, b) => begins(a) - begins(b))
    .slice(0, limit)
}

/** Categories that a video can have. */
export const categories: Lookup = withSecret(async (reach, own, _account, { query, limit }) => {
  const list = await call(reach, own, {
    path: '/videoCategories',
    query: { part: 'snippet', regionCode: REGION },
    reply: Categories,
  })
  if (list.kind !== 'ok') return refusalOf(list, { doing: 'list-categories', irreversible: false })
  const items = list.value.items
    .filter(({ snippet }) => snippet.assignable)
    .map(({ id, snippet }) => ({ id, name: snippet.title, detail: null, pictureUrl: null, insert: null }))
  return { kind: 'found', items: matching(items, query, limit) }
})

const PART = 'snippet,status,contentDetails'
const privacies: Partial<Record<string, string>> = { private: 'Private', unlisted: 'Unlisted' }
function itemOf({ id, snippet, status, contentDetails: { itemCount } }: z.infer<typeof Playlist>): LookupItem {
  const count = itemCount === null ? undefined : `${itemCount} ${itemCount === 1 ? 'video' : 'videos'}`
  const detail = [privacies[status.privacyStatus], count].filter((word) => word !== undefined).join(', ')
  return { id, name: snippet.title, detail: detail || null, pictureUrl: snippet.thumbnails, insert: null }
}

/** The channel's own playlists. */
export const playlists: Lookup = withSecret(async (reach, own, _account, { query, limit }) => {
  const items: LookupItem[] = []
  let pageToken: string | undefined
  for (let page = 0; page < PAGES; page++) {
    const list = await call(reach, own, {
      path: '/playlists',
      query: { part: PART, mine: 'true', maxResults: PAGE, pageToken },
      reply: Playlists,
    })
    if (list.kind !== 'ok') return refusalOf(list, { doing: 'list-playlists', irreversible: false })
    items.push(...list.value.items.map(itemOf))
    pageToken = list.value.nextPageToken
    if (pageToken === undefined || (query.trim() === '' && items.length >= limit)) break
  }
  return { kind: 'found', items: matching(items, query, limit) }
})

/** Adds a playlist to the channel. If the response is lost, we don't know whether it was added. */
export const addPlaylist: Addition = withSecret(async (reach, own, _account, { name, description, isPublic }) => {
  const made = await call(reach, own, {
    path: '/playlists',
    method: 'POST',
    query: { part: PART },
    json: { snippet: { title: name, description }, status: { privacyStatus: isPublic ? 'public' : 'private' } },
    reply: Playlist,
    timeoutMs: TIMEOUT_MS,
  })
  if (made.kind !== 'ok') return refusalOf(made, { doing: 'add-playlist', irreversible: true })
  const item = itemOf(made.value)
  return { kind: 'added', item: { ...item, name: item.name || name } }
})
