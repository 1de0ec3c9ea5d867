import type { ProjectContext } from '../http/route.ts'

/** Adds these people to a discussion, so that they're notified of its messages. */
export async function joinDiscussion(
  { tx, org }: Pick<ProjectContext, 'tx' | 'org'>,
  discussionId: string,
  people: readonly string[],
): Promise<void> {
  if (people.length === 0) return
  await tx
    .insertInto('discussion_member')
    .values(
      [...new Set(people)]
        .toSorted()
        .map((person_id) => ({ org_id: org.orgId, discussion_id: discussionId, person_id })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Who takes part, also those who can't see it any longer. */
export async function membersOf(
  { tx, org }: Pick<ProjectContext, 'tx' | 'org'>,
  discussionId: string,
): Promise<string[]> {
  const rows = await tx
    .selectFrom('discussion_member')
    .select('person_id')
    .where('org_id', '=', org.orgId)
    .where('discussion_id', '=', discussionId)
    .execute()
  return rows.map((row) => row.person_id)
}
