import { sql } from 'kysely'
import { BIO } from '#contract/linkInBio/limits.ts'
import { fail } from '../errors.ts'
import type { Asker, PageRow } from './access.ts'

const DAY_MS = 86_400_000
/** How many addresses of deleted pages a project may keep from others at the same time. */
const KEPT_BY_PROJECT = 40

const keptUntil = (now: Date): Date => new Date(now.getTime() + BIO.slugDays * DAY_MS)

/**
 * Gives the page this address. An address that its project keeps from before is its own. Throws NAME_TAKEN if another page has it, or had
 * it in the last 90 days.
 */
export async function takeSlug({ tx, org, project }: Asker, pageId: string, slug: string): Promise<void> {
  const { rows } = await sql`
    insert into bio_slug (org_id, slug, project_id, page_id, kept_until) values (${org.orgId}, ${slug}, ${project.projectId}, ${pageId}, null)
    on conflict do nothing returning slug`.execute(tx)
  if (rows.length > 0) return
  const own = await sql`
    update bio_slug set page_id = ${pageId}, kept_until = null
    where org_id = ${org.orgId} and slug = ${slug} and project_id = ${project.projectId} and kept_until is not null and (page_id is null or page_id = ${pageId})
    returning slug`.execute(tx)
  if (own.rows.length === 0) throw taken()
}

const taken = () => fail('NAME_TAKEN', { errors: { slug: ['This address is taken. Choose another one.'] } })

/** Lets the page's address go: it leads to the page for 90 days. Throws BAD_INPUT if the page keeps as many as it may. */
export async function leaveSlug(c: Asker, page: PageRow): Promise<void> {
  const kept = await earlierOf(c, page.id)
  const [oldest] = kept
  if (oldest && kept.length >= BIO.earlierSlugs)
    throw fail('BAD_INPUT', {
      errors: {
        slug: [
          `This page has ${kept.length} earlier addresses already. You can change its address again on ${oldest.until.toISOString().slice(0, 10)}.`,
        ],
      },
    })
  await c.tx
    .updateTable('bio_slug')
    .set({ kept_until: keptUntil(c.now) })
    .where('org_id', '=', c.org.orgId)
    .where('page_id', '=', page.id)
    .where('kept_until', 'is', null)
    .execute()
}

/** Keeps the addresses of a page that is about to be deleted from others, for 90 days. */
export async function keepSlugs({ tx, org, now }: Asker, pageId: string): Promise<void> {
  await tx
    .updateTable('bio_slug')
    .set({ kept_until: keptUntil(now), page_id: null })
    .where('org_id', '=', org.orgId)
    .where('page_id', '=', pageId)
    .execute()
}

/** Throws BAD_INPUT if the project keeps too many addresses of deleted pages to create another page. */
export async function mustHaveFewKept({ tx, org, project, now }: Asker): Promise<void> {
  const { n, first } = await tx
    .selectFrom('bio_slug')
    .select((e) => [e.fn.countAll<number>().as('n'), e.fn.min('kept_until').as('first')])
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('page_id', 'is', null)
    .where('kept_until', '>', now)
    .executeTakeFirstOrThrow()
  if (n >= KEPT_BY_PROJECT && first)
    throw fail('BAD_INPUT', {
      errors: {
        slug: [
          `The addresses of ${n} deleted pages are still kept for you. You can create pages again on ${first.toISOString().slice(0, 10)}.`,
        ],
      },
    })
}

/** The page's earlier addresses that still lead to it, those that end first at the beginning. */
export async function earlierOf({ tx, org, now }: Asker, pageId: string): Promise<{ slug: string; until: Date }[]> {
  const rows = await tx
    .selectFrom('bio_slug')
    .select(['slug', 'kept_until'])
    .where('org_id', '=', org.orgId)
    .where('page_id', '=', pageId)
    .where('kept_until', '>', now)
    .orderBy('kept_until')
    .execute()
  return rows.flatMap(({ slug, kept_until: until }) => (until ? [{ slug, until }] : []))
}
