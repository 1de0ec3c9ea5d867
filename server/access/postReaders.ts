import { sql } from 'kysely'
import type { ProjectContext } from '../http/route.ts'
import { memberMay } from './memberMay.ts'
import { visibleToMember } from './visiblePosts.ts'

/** Those of the people who can read notes on the post: who see it and may read notes. */
export async function postReaders(
  c: Pick<ProjectContext, 'tx' | 'org' | 'project'>,
  post: Parameters<typeof visibleToMember>[0],
  people: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ person_id: string }>`
    select m.person_id from member m
    left join project_member pm on pm.org_id = m.org_id and pm.project_id = ${c.project.projectId} and pm.person_id = m.person_id
    left join role r on r.org_id = pm.org_id and r.id = pm.role_id
    where m.org_id = ${c.org.orgId} and m.removed_at is null and m.person_id = any(${[...people]}::uuid[])
      and ${memberMay('note', 'view')} and ${visibleToMember(post)}`.execute(c.tx)
  return new Set(rows.map((row) => row.person_id))
}
