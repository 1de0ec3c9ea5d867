import { sql } from 'kysely'
import { z } from 'zod'
import { BIO } from '#contract/linkInBio/limits.ts'
import { BioUrl, isOwnRedirect } from '#contract/linkInBio/links.ts'
import { postLabel } from '#contract/linkInBio/postLabel.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { defineJob, type JobContext } from '../jobs/job.ts'
import { emit } from '../live/emit.ts'
import { keepPictures } from './pictures.ts'
import { insertFirst } from './tiles.ts'

const Payload = z.object({ orgId: z.uuid(), postId: z.uuid() })
const Wish = z.object({ pageId: z.uuid(), url: BioUrl })

type Published = {
  project_id: string
  batch_id: string | null
  excerpt: string
  wish: unknown
}

/** Puts a published post on the page that it asks for (functions/link_in_bio.sql). `origins` are the installation's own. */
export const showPostJob = (origins: readonly string[]) =>
  defineJob({
    name: 'linkInBio.show',
    payload: Payload,
    run: async ({ databases, clock }: JobContext, { orgId, postId }) =>
      await asSystem(databases.system, (tx) => showPost(tx, { orgId, postId, origins, now: clock.now() })),
  })

/**
 * Shows the post first in the grid, once: posts that were submitted together are one there. In a full grid the last one makes room. Nothing
 * happens if the page, or the post, isn't there any more.
 */
async function showPost(
  tx: Tx,
  { orgId, postId, origins, now }: z.infer<typeof Payload> & { origins: readonly string[]; now: Date },
): Promise<void> {
  const { rows: found } = await sql<Published>`
    select p.project_id, p.batch_id, p.excerpt, p.details -> 'bioLink' as wish
    from post p join measured_post m on m.org_id = p.org_id and m.id = p.id and m.listed
    where p.org_id = ${orgId} and p.id = ${postId} and p.state = 'PUBLISHED'`.execute(tx)
  const [post] = found
  const wish = Wish.safeParse(post?.wish)
  if (!post || !wish.success || isOwnRedirect(wish.data.url, origins)) return
  const { pageId, url } = wish.data
  const page = await tx
    .selectFrom('bio_page')
    .select('next_number')
    .where('org_id', '=', orgId)
    .where('project_id', '=', post.project_id)
    .where('id', '=', pageId)
    .forUpdate()
    .executeTakeFirst()
  if (!page) return
  const { rows: there } = await sql<{ number: number; picture: string | null; same: boolean }>`
    select i.number, i.picture_key as picture, i.post_id = ${postId} or p.batch_id = ${post.batch_id} as same
    from bio_item i left join post p on p.org_id = i.org_id and p.id = i.post_id
    where i.org_id = ${orgId} and i.page_id = ${pageId} and i.kind = 'post' order by i.position, i.number`.execute(tx)
  if (there.some(({ same }) => same)) return
  const leaving = there.slice(BIO.posts - 1)
  if (leaving.length > 0) {
    await tx
      .deleteFrom('bio_item')
      .where('org_id', '=', orgId)
      .where('page_id', '=', pageId)
      .where(
        'number',
        'in',
        leaving.map(({ number }) => number),
      )
      .execute()
    await keepPictures(
      { tx, org: { orgId } },
      pageId,
      leaving.flatMap(({ picture }) => picture ?? []),
    )
  }
  await insertFirst(tx, { orgId, pageId, number: page.next_number, postId, label: postLabel(post.excerpt), url, now })
  await emit(tx, { orgId, projectId: post.project_id, kind: 'bio', ref: pageId }, now)
}
