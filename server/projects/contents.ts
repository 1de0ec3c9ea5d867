import { sql } from 'kysely'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { projectContents } from '#contract/orgSettings.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'

type Counts = Omit<ReplyOf<typeof projectContents>, 'publishedSince'> & { publishedSince: Date | null }

/** Counts what will be unreachable once the project is deleted, without deleted posts and files. Throws NOT_FOUND. */
export async function countContents(
  { tx, org }: { tx: Tx; org: { orgId: string } },
  projectId: string,
): Promise<ReplyOf<typeof projectContents>> {
  const { rows } = await sql<Counts>`
    select p.*,
      (select count(*)::int from member m where m.org_id = pr.org_id and m.removed_at is null
        and (m.is_admin or exists (select from project_member pm where pm.org_id = m.org_id and pm.project_id = pr.id and pm.person_id = m.person_id))) as users,
      (select count(*)::int from channel c where c.org_id = pr.org_id and c.project_id = pr.id and c.deleted_at is null) as channels,
      (select count(*)::int from asset a where a.org_id = pr.org_id and a.project_id = pr.id and a.state = 'ready' and a.deleted_at is null) as files,
      (select count(*)::int from campaign k where k.org_id = pr.org_id and k.project_id = pr.id) as campaigns
    from project pr cross join lateral (
      select count(*) filter (where state in ('SCHEDULED', 'QUEUED', 'NEEDS_APPROVAL'))::int as "scheduledPosts",
        count(*) filter (where state = 'DRAFTS')::int as drafts,
        count(*) filter (where state = 'PUBLISHED')::int as "publishedPosts",
        min(published_at) filter (where state = 'PUBLISHED') as "publishedSince"
      from post where post.org_id = pr.org_id and post.project_id = pr.id) p
    where pr.org_id = ${org.orgId} and pr.id = ${projectId} and pr.deleted_at is null`.execute(tx)
  const [found] = rows
  if (!found) throw fail('NOT_FOUND')
  return { ...found, publishedSince: found.publishedSince?.toISOString() ?? null }
}
