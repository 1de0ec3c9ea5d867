import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { PostContent } from '#contract/content.ts'
import { BioUrl } from '#contract/linkInBio/links.ts'
import { bioThemeKeys, type BioThemeKey } from '#contract/linkInBio/themes.ts'
import type { Databases } from '../db/pools.ts'
import { asSystem } from '../db/system.ts'
import { pictureOf } from '../media/preview.ts'

/** A button or a post as visitors see it. `picture`: the key of its image in the media store. */
type PublicItem = {
  number: number
  kind: 'button' | 'post'
  label: string
  url: string
  postId: string | null
  picture: string | null
}

export type PublicPage = {
  orgId: string
  pageId: string
  slug: string
  /** The time zone of its project. */
  zone: string
  name: string
  about: string
  theme: BioThemeKey
  noindex: boolean
  picture: string | null
  /** Those that are shown now. */
  items: readonly PublicItem[]
}

/** What is at an address, and until when that's so if nobody changes anything. */
export type Found = { orgId: string | null; pageId: string | null; until: Date | null } & (
  | { kind: 'page'; page: PublicPage }
  /** Its page has another address now. */
  | { kind: 'moved'; slug: string }
  | { kind: 'blocked' }
  /** Nothing, or nothing that strangers may see. */
  | { kind: 'missing' }
)

const Theme = z.enum(bioThemeKeys).catch('paper')

type Row = {
  org_id: string
  page_id: string | null
  kept_until: Date | null
  own: string | null
  zone: string
  is_there: boolean
  name: string
  about: string
  theme: string
  live: boolean
  noindex: boolean
  blocked: boolean
} & AssetColumns
type AssetColumns = {
  state: string | null
  content_type: string | null
  store_key: string | null
  thumbnail_key: string | null
}

/** Reads what strangers see at an address. Links that could do harm are left out, however they came into the database. */
export async function readPublicPage(
  { system }: Pick<Databases, 'system'>,
  slug: string,
  now: Date,
  isRefused: (url: string) => boolean,
): Promise<Found> {
  return await asSystem(system, async (tx) => {
    const { rows } = await sql<Row>`
      select s.org_id, s.page_id, s.kept_until, own.slug as own, p.zone, p.deleted_at is null and o.deletes_at is null as is_there,
        b.name, b.about, b.theme, b.live, b.noindex, b.blocked_at is not null as blocked, a.state, a.content_type, a.store_key, a.thumbnail_key
      from bio_slug s join project p on p.org_id = s.org_id and p.id = s.project_id join organization o on o.org_id = s.org_id
        left join bio_page b on b.org_id = s.org_id and b.id = s.page_id
        left join bio_slug own on own.org_id = s.org_id and own.page_id = s.page_id and own.kept_until is null
        left join asset a on a.org_id = b.org_id and a.id = b.picture_asset_id
      where s.slug = ${slug}`.execute(tx)
    const [row] = rows
    const ids = { orgId: row?.org_id ?? null, pageId: row?.page_id ?? null, until: row?.kept_until ?? null }
    if (!row || row.page_id === null || row.own === null || !row.is_there) return { ...ids, kind: 'missing' }
    if (row.kept_until !== null && row.kept_until <= now) return { ...ids, kind: 'missing' }
    if (row.blocked) return { ...ids, kind: 'blocked' }
    if (!row.live) return { ...ids, kind: 'missing' }
    if (row.kept_until !== null) return { ...ids, kind: 'moved', slug: row.own }
    const items = await itemsOf(tx, row.org_id, row.page_id, now)
    const page = {
      orgId: row.org_id,
      pageId: row.page_id,
      slug,
      zone: row.zone,
      name: row.name,
      about: row.about,
      theme: Theme.parse(row.theme),
      noindex: row.noindex,
      picture: keyOf(row),
      items: items.shown.filter(({ url }) => BioUrl.safeParse(url).success && !isRefused(url)),
    }
    return { ...ids, until: items.until, kind: 'page', page }
  })
}

type ItemRow = Omit<PublicItem, 'kind' | 'postId' | 'picture'> & {
  kind: string
  starts_at: Date | null
  ends_at: Date | null
  post_id: string | null
  picture_key: string | null
  contents: unknown
}
type Tx = Parameters<Parameters<typeof asSystem>[1]>[0]

/** The items that are shown now, and when the next one appears or disappears. A post is shown while its channel shows it. */
async function itemsOf(tx: Tx, orgId: string, pageId: string, now: Date) {
  const { rows } = await sql<ItemRow>`
    select i.number, i.kind, i.label, i.url, i.starts_at, i.ends_at, i.post_id, i.picture_key, p.contents
    from bio_item i left join measured_post m on m.org_id = i.org_id and m.id = i.post_id
      left join post p on p.org_id = m.org_id and p.id = m.id and not m.elsewhere
    where i.org_id = ${orgId} and i.page_id = ${pageId} and not i.hidden and (i.ends_at is null or i.ends_at > ${now})
      and (i.post_id is null or m.listed and m.gone_at is null)
    order by i.kind, i.position, i.number`.execute(tx)
  const changes = rows.flatMap(({ starts_at: start, ends_at: end }) =>
    [start, end].flatMap((at) => (at !== null && at > now ? [at.getTime()] : [])),
  )
  const shown = rows.filter(({ starts_at: start }) => start === null || start <= now)
  const covers = await coversOf(tx, orgId, shown)
  return {
    until: changes.length === 0 ? null : new Date(Math.min(...changes)),
    shown: shown.map(({ number, kind, label, url, post_id: postId, picture_key: own }) => ({
      number,
      kind: kind === 'post' ? ('post' as const) : ('button' as const),
      label,
      url,
      postId,
      picture: covers.get(number) ?? own,
    })),
  }
}

/** The image of each post's first file that has one, by the item's number. */
async function coversOf(tx: Tx, orgId: string, items: readonly ItemRow[]): Promise<Map<number, string>> {
  const files = items.map(({ number, contents }) => ({ number, ids: filesIn(contents) }))
  const ids = files.flatMap((file) => file.ids)
  if (ids.length === 0) return new Map()
  const { rows } = await sql<AssetColumns & { id: string }>`
    select id, state, content_type, store_key, thumbnail_key from asset where org_id = ${orgId} and id = any(${ids}::uuid[])`.execute(
    tx,
  )
  const keys = new Map(rows.map((row) => [row.id, keyOf(row)]))
  return new Map(
    files.flatMap(({ number, ids: own }) => {
      const key = own.map((id) => keys.get(id) ?? null).find((found) => found !== null)
      return key === undefined || key === null ? [] : [[number, key] as const]
    }),
  )
}

const filesIn = (contents: unknown): string[] =>
  (PostContent.array().safeParse(contents).data ?? []).flatMap(({ media }) => media.map(({ assetId }) => assetId))

const keyOf = ({ state, content_type, store_key, thumbnail_key }: AssetColumns): string | null =>
  state === null || content_type === null || store_key === null
    ? null
    : (pictureOf({ state, content_type, store_key, thumbnail_key }) ?? null)

/** What a picture is called in a page's addresses: another image has another name. */
export const pictureName = (key: string): string => hash('sha256', key, 'base64url').slice(0, 10)
