import { sql } from 'kysely'
import { paginationOf } from '#contract/common.ts'
import type { QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { bioPostChoices } from '#contract/linkInBio/pages.ts'
import { addressesIn } from '#contract/platforms/webAddresses.ts'
import { picturesFor } from '../analytics/postPictures.ts'
import { fail } from '../errors.ts'
import type { CallerProject } from '../http/route.ts'
import type { Asker } from './access.ts'
import { postColumns, presentPost, type Presenting } from './present.ts'

type Reader = Asker & { project: Pick<CallerProject, 'projectId' | 'permissions' | 'channelIds'> }

/** The published posts that the page could show, of the channels that the role includes, newest first. */
export async function readChoices(
  c: Reader,
  pageId: string,
  { page, limit, search }: QueryOf<typeof bioPostChoices>,
  how: Presenting,
): Promise<ReplyOf<typeof bioPostChoices>> {
  const pictures = picturesFor(c.project, how.link)
  const found = search ? sql`and strpos(lower(coalesce(p.excerpt, m.excerpt, '')), ${search.toLowerCase()}) > 0` : sql``
  const posts = sql`
    from measured_post m join channel ch on ch.org_id = m.org_id and ch.id = m.channel_id left join post p on p.org_id = m.org_id and p.id = m.id and not m.elsewhere
    where m.org_id = ${c.org.orgId} and m.project_id = ${c.project.projectId} and m.listed and m.gone_at is null ${ofRole(c)} ${found}`
  const { rows: counted } = await sql<{ n: number }>`select count(*)::int as n ${posts}`.execute(c.tx)
  const { rows } = await sql<Parameters<typeof presentPost>[1] & { said: string; added: boolean }>`
    select ${postColumns(pictures)}, coalesce(p.contents #>> '{0,text}', m.excerpt, '') as said,
      exists (select from bio_item i where i.org_id = m.org_id and i.page_id = ${pageId} and i.post_id = m.id) as added
    ${posts} order by m.published_at desc, m.id desc limit ${limit} offset ${(page - 1) * limit}`.execute(c.tx)
  return {
    posts: rows.flatMap((row) => {
      const post = presentPost(c, row, pictures)
      const [link] = addressesIn(row.said, 'written')
      return post ? [{ ...post, firstLink: link ?? null, added: row.added }] : []
    }),
    pagination: paginationOf({ page, limit }, counted[0]?.n ?? 0),
  }
}

/** Throws NOT_FOUND if one of the posts isn't published in the project, or is of a channel that the role doesn't include. */
export async function mustSeePosts(
  c: Asker & { project: Pick<CallerProject, 'projectId' | 'channelIds'> },
  postIds: readonly string[],
): Promise<void> {
  if (postIds.length === 0) return
  const { rows } = await sql`
    select from measured_post m where m.org_id = ${c.org.orgId} and m.project_id = ${c.project.projectId} and m.id = any(${[...postIds]}::uuid[]) and m.listed ${ofRole(c)}`.execute(
    c.tx,
  )
  if (rows.length < new Set(postIds).size) throw fail('NOT_FOUND')
}

const ofRole = ({ project }: { project: Pick<CallerProject, 'channelIds'> }) =>
  project.channelIds === null ? sql`` : sql`and m.channel_id = any(${[...project.channelIds]}::uuid[])`
