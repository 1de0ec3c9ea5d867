import { sql } from 'kysely'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { bioPath } from '#contract/linkInBio/slugs.ts'
import { BioPage, type BioItem } from '#contract/linkInBio/pages.ts'
import { coverAddress, coverVersion, picturesFor, type Pictures } from '../analytics/postPictures.ts'
import type { PictureLink } from '../channels/foreignPictures.ts'
import type { CallerProject } from '../http/route.ts'
import { assetsById, previewUrl } from '../media/access.ts'
import { iso } from '../posts/rowJson.ts'
import { isEditable, pagesOf, type Asker, type PageRow } from './access.ts'
import { earlierOf } from './slugs.ts'

/** What presenting pages needs: where the installation is, and how pictures of posts on platforms are linked. */
export type Presenting = { publicUrl: string; link: PictureLink }
type Reader = Asker & { project: Pick<CallerProject, 'projectId' | 'permissions' | 'channelIds'> }

/** What identifies a page, and whether people can see and change it. */
export const headOf = (
  c: Asker,
  pages: readonly PageRow[],
  page: PageRow,
  slug: string,
  { publicUrl }: Presenting,
) => ({
  pageId: page.id,
  slug,
  address: `${publicUrl}${bioPath(slug)}`,
  name: page.name,
  live: page.live,
  blocked:
    page.blocked_at === null ? null : { since: page.blocked_at.toISOString(), reason: page.blocked_reason ?? '' },
  editable: isEditable(c, pages, page.id),
})

/** The pages' own addresses, by page. */
export async function slugsOf({ tx, org, project }: Asker): Promise<Map<string, string>> {
  const rows = await tx
    .selectFrom('bio_slug')
    .select(['page_id', 'slug'])
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('kept_until', 'is', null)
    .execute()
  return new Map(rows.flatMap(({ page_id: pageId, slug }) => (pageId === null ? [] : [[pageId, slug] as const])))
}

/** A page as its editor has it. */
export async function presentPage(c: Reader, page: PageRow, how: Presenting): Promise<BioPage> {
  const pages = await pagesOf(c)
  const slugs = await slugsOf(c)
  const picture = page.picture_asset_id
  const asset = picture === null ? undefined : (await assetsById(c, [picture])).get(picture)
  return {
    ...headOf(c, pages, page, slugs.get(page.id) ?? '', how),
    about: page.about,
    pictureAssetId: asset ? asset.id : null,
    pictureUrl: asset ? previewUrl(asset) : null,
    theme: BioPage.shape.theme.catch('paper').parse(page.theme),
    noindex: page.noindex,
    earlier: (await earlierOf(c, page.id)).map(({ slug, until }) => ({ slug, until: until.toISOString() })),
    version: page.version,
    items: await itemsOf(c, page.id, picturesFor(c.project, how.link)),
  }
}

type ItemRow = {
  number: number
  kind: string
  label: string
  url: string
  hidden: boolean
  starts_wall: string | null
  ends_wall: string | null
  zone: string | null
  startsAt: string | null
  endsAt: string | null
} & PostColumns

/** The columns of an item's post; null throughout for a button. */
type PostColumns = {
  postId: string | null
  platform: string | null
  excerpt: string | null
  publishedAt: string | null
  permalink: string | null
  picture: string | null
  cover: number | null
}

/** Columns that describe the post `m`, on the channel `ch`, `p` if it's ours. */
export const postColumns = (pictures: Pictures) => sql`
  m.id as "postId", ch.platform, coalesce(p.excerpt, m.excerpt, '') as excerpt, ${iso('m.published_at')} as "publishedAt",
  coalesce(p.permalink, m.permalink) as permalink, m.picture_url as picture, ${coverVersion(pictures)} as cover`

async function itemsOf(c: Reader, pageId: string, pictures: Pictures): Promise<BioItem[]> {
  const { rows } = await sql<ItemRow>`
    select i.number, i.kind, i.label, i.url, i.hidden, i.starts_wall, i.ends_wall, i.zone, ${iso('i.starts_at')} as "startsAt", ${iso('i.ends_at')} as "endsAt",
      ${postColumns(pictures)}
    from bio_item i left join measured_post m on m.org_id = i.org_id and m.id = i.post_id left join channel ch on ch.org_id = m.org_id and ch.id = m.channel_id
      left join post p on p.org_id = m.org_id and p.id = m.id and not m.elsewhere
    where i.org_id = ${c.org.orgId} and i.page_id = ${pageId} order by i.kind, i.position, i.number`.execute(c.tx)
  return rows.map((row) => ({
    number: row.number,
    kind: row.kind === 'post' ? 'post' : 'button',
    label: row.label,
    url: row.url,
    hidden: row.hidden,
    starts: momentOf(row.starts_wall),
    ends: momentOf(row.ends_wall),
    zone: row.zone,
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    post: presentPost(c, row, pictures),
  }))
}

/** A post of the grid, or one that could be. */
export function presentPost(c: Reader, row: PostColumns, pictures: Pictures): BioItem['post'] {
  const platform = PlatformKey.safeParse(row.platform)
  if (row.postId === null || row.publishedAt === null || !platform.success) return null
  const at = { orgId: c.org.orgId, projectId: c.project.projectId, postId: row.postId }
  return {
    postId: row.postId,
    platform: platform.data,
    excerpt: row.excerpt ?? '',
    publishedAt: row.publishedAt,
    permalink: row.permalink,
    pictureUrl: row.cover === null ? pictures.link(at.orgId, row.picture, c.now) : coverAddress(at, row.cover),
  }
}

function momentOf(wall: string | null): BioItem['starts'] {
  const [date, time] = wall?.split('T') ?? []
  return date !== undefined && time !== undefined ? { date, time } : null
}
