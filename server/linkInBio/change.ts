import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { BodyOf } from '#contract/endpoint.ts'
import { BIO } from '#contract/linkInBio/limits.ts'
import { isOwnRedirect } from '#contract/linkInBio/links.ts'
import { postLabel } from '#contract/linkInBio/postLabel.ts'
import type { addPostToBioPage, createBioPage } from '#contract/linkInBio/pages.ts'
import { fail } from '../errors.ts'
import { mustHavePlan } from '../plans/gates.ts'
import { changePage, lockPage, mustNotBeBlocked, pagesOf, type Asker, type PageRow } from './access.ts'
import { mustSeePosts } from './choices.ts'
import { keepPictures } from './pictures.ts'
import { OWN_REDIRECT, type Changer } from './save.ts'
import { insertFirst } from './tiles.ts'
import { keepSlugs, leaveSlug, mustHaveFewKept, takeSlug } from './slugs.ts'

/** Creates a page that isn't live yet and returns its ID. Throws PLAN_LIMIT, NAME_TAKEN, BAD_INPUT. */
export async function createPage(
  c: Asker & { caller: { personId: string } },
  { name, slug }: BodyOf<typeof createBioPage>,
): Promise<string> {
  mustHavePlan(c)
  // one at a time, so that the limit holds
  await sql`select pg_advisory_xact_lock(hashtextextended(${`link in bio ${c.project.projectId}`}, 0))`.execute(c.tx)
  if ((await pagesOf(c)).length >= c.org.entitlements.bioPages)
    throw fail('PLAN_LIMIT', { meta: { gate: 'bio_pages' } })
  await mustHaveFewKept(c)
  const id = randomUUIDv7()
  await c.tx
    .insertInto('bio_page')
    .values({
      org_id: c.org.orgId,
      id,
      project_id: c.project.projectId,
      name,
      theme: 'paper',
      live: false,
      created_at: c.now,
      created_by: c.caller.personId,
      updated_at: c.now,
    })
    .execute()
  await takeSlug(c, id, slug)
  return id
}

/** Gives the page another address; the one before leads to it for 90 days. Throws what `takeSlug` and `leaveSlug` throw, PAGE_BLOCKED. */
export async function renamePage(c: Asker, pageId: string, slug: string): Promise<PageRow> {
  const page = await changePage(c, pageId)
  mustNotBeBlocked(page)
  const { rows } = await sql`
    select from bio_slug where org_id = ${c.org.orgId} and page_id = ${pageId} and slug = ${slug} and kept_until is null`.execute(
    c.tx,
  )
  if (rows.length > 0) return page
  await leaveSlug(c, page)
  await takeSlug(c, pageId, slug)
  return page
}

/** Deletes the page with its figures. Throws NOT_FOUND, PAGE_BLOCKED: what was reported can still be looked at. */
export async function deletePage(c: Asker, pageId: string): Promise<void> {
  mustNotBeBlocked(await lockPage(c, pageId))
  await keepSlugs(c, pageId)
  const pictures = await c.tx
    .selectFrom('bio_item')
    .select('picture_key')
    .where('org_id', '=', c.org.orgId)
    .where('page_id', '=', pageId)
    .execute()
  await keepPictures(
    c,
    pageId,
    pictures.flatMap((row) => row.picture_key ?? []),
  )
  await c.tx.deleteFrom('bio_page').where('org_id', '=', c.org.orgId).where('id', '=', pageId).execute()
}

/**
 * Shows a published post first in the page's grid, and returns its number. Throws NOT_FOUND, NAME_TAKEN if the page has it, BAD_INPUT for a
 * link through ourselves or a full page.
 */
export async function addPost(
  c: Changer,
  pageId: string,
  { postId, url }: BodyOf<typeof addPostToBioPage>,
  origins: readonly string[],
): Promise<number> {
  const page = await changePage(c, pageId)
  if (isOwnRedirect(url, origins)) throw fail('BAD_INPUT', { errors: { url: [OWN_REDIRECT] } })
  await mustSeePosts(c, [postId])
  const { rows } = await sql<{ n: number; has: boolean; label: string }>`
    select count(i.number)::int as n, coalesce(bool_or(i.post_id = ${postId}), false) as has,
      (select coalesce(p.excerpt, m.excerpt, '') from measured_post m left join post p on p.org_id = m.org_id and p.id = m.id and not m.elsewhere where m.org_id = ${c.org.orgId} and m.id = ${postId}) as label
    from bio_item i where i.org_id = ${c.org.orgId} and i.page_id = ${pageId} and i.kind = 'post'`.execute(c.tx)
  const { n = 0, has = false, label = '' } = rows[0] ?? {}
  if (has) throw fail('NAME_TAKEN', { detail: 'This post is on the page already.' })
  if (n >= BIO.posts)
    throw fail('BAD_INPUT', { errors: { postId: [`A page has room for ${BIO.posts} posts. Remove one first.`] } })
  await insertFirst(c.tx, {
    orgId: c.org.orgId,
    pageId,
    number: page.next_number,
    postId,
    label: postLabel(label),
    url,
    now: c.now,
  })
  await keepPictures(c, pageId)
  return page.next_number
}
