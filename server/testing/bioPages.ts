import { randomUUIDv7 } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Visit } from '../clicks/clicks.ts'
import type { TestDatabase } from './database.ts'
import type { TestHome } from './people.ts'

type PageOptions = {
  at?: string
  slug?: string
  name?: string
  about?: string
  theme?: string
  live?: boolean
  noindex?: boolean
  /** The id of a file. */
  picture?: string
}
type ItemOptions = {
  label?: string
  url?: string
  hidden?: boolean
  /** Instants. */
  starts?: string
  ends?: string
  postId?: string
  pictureKey?: string
}

/** Builders of link in bio pages, as the editor would store them. */
export function bioPagesOn({ owner }: Pick<TestDatabase, 'owner'>) {
  /** A live page, at an address if one is named. Returns its id. */
  async function page({ orgId, projectId }: TestHome, options: PageOptions = {}): Promise<string> {
    const { at = '2026-11-01T00:00:00Z', slug, name = 'Our page', about = '', theme = 'paper' } = options
    const id = randomUUIDv7()
    await owner.query(
      `insert into bio_page (org_id, id, project_id, name, about, theme, live, noindex, picture_asset_id, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
      [
        orgId,
        id,
        projectId,
        name,
        about,
        theme,
        options.live ?? true,
        options.noindex ?? false,
        options.picture ?? null,
        at,
      ],
    )
    if (slug !== undefined)
      await owner.query('insert into bio_slug (org_id, slug, project_id, page_id) values ($1, $2, $3, $4)', [
        orgId,
        slug,
        projectId,
        id,
      ])
    return id
  }

  /** A button, or a post's tile, after the others. Returns its number. */
  async function item(pageId: string, options: ItemOptions = {}): Promise<number> {
    const { label = 'Shop', url = 'https://shop.example/', hidden = false, starts, ends, postId } = options
    const { rows } = await owner.query<{ number: number }>(
      `with page as (update bio_page set next_number = next_number + 1 where id = $1 returning org_id, next_number - 1 as number)
       insert into bio_item (org_id, page_id, number, kind, position, label, url, hidden, starts_at, ends_at, starts_wall, ends_wall, zone, post_id, picture_key)
       select org_id, $1, number, $2, number, $3, $4, $5, $6::timestamptz, $7::timestamptz, $6, $7, 'UTC', $8, $9 from page returning number`,
      [
        pageId,
        postId === undefined ? 'button' : 'post',
        label,
        url,
        hidden,
        starts ?? null,
        ends ?? null,
        postId ?? null,
        options.pictureKey ?? null,
      ],
    )
    return rows[0]?.number ?? 0
  }

  /** Gives a page another address; the one before leads to it until then. */
  async function rename(pageId: string, slug: string, keptUntil: string): Promise<void> {
    await owner.query('update bio_slug set kept_until = $2 where page_id = $1 and kept_until is null', [
      pageId,
      keptUntil,
    ])
    await owner.query(
      'insert into bio_slug (org_id, slug, project_id, page_id) select org_id, $2, project_id, id from bio_page where id = $1',
      [pageId, slug],
    )
  }

  return { page, item, rename }
}

/** What a person's browser sends. */
export const visitFrom = (address: string, headers: IncomingHttpHeaders = {}): Visit => ({
  method: 'GET',
  address,
  headers: {
    'user-agent':
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    ...headers,
  },
})
