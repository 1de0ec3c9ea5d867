import { sql } from 'kysely'
import type { z } from 'zod'
import type { PostFilter } from '#contract/postLists.ts'
import { readSeen, revisionAt } from '../http/revision.ts'
import { passThrough, rawJsonOf, type ProjectContext, type RawJson } from '../http/route.ts'
import { listPosts } from '../posts/list.ts'
import { eligibleApprovers } from '../approvals/eligibleApprovers.ts'
import { judge, openRoundsFor } from '../approvals/rounds.ts'
import { slotsOf } from '../approvals/steps.ts'

type Filter = z.output<typeof PostFilter>
const WAITING = ['NEEDS_APPROVAL'] as const

/** Posts waiting for approval that the caller can see. */
export const listWaiting = (c: ProjectContext, filter: Filter): Promise<RawJson> =>
  listPosts(c, { ...filter, status: [...WAITING] })

/** Those that the caller sent, or resent after a change. */
export function listSent(c: ProjectContext, filter: Filter): Promise<RawJson> {
  const among = sql`p.id in (select post_id from approval where org_id = ${c.org.orgId} and sent_by = ${c.caller.personId} and state = 'open')`
  return listPosts(c, { ...filter, status: [...WAITING], among })
}

/**
 * Posts that the caller can decide on now: by name, as a member of a role, or because nobody else is left. Without an
 * ETag if that depends on links of external people, which expire without an event.
 */
export async function listMine(c: ProjectContext, filter: Filter): Promise<RawJson> {
  // read before the list: a change in between makes its tag outdated
  const [seen, asked] = await Promise.all([readSeen(c.tx, c.project.projectId), postsAskedOf(c)])
  const among = sql`p.id = any(${asked.postIds}::uuid[])`
  const list = await listPosts(c, { ...filter, status: [...WAITING], among })
  const asOf = { revision: revisionAt(seen.place, c, c.now), recent: seen.recent }
  return passThrough(rawJsonOf(list) ?? '', asked.dependsOnLinks ? undefined : asOf)
}

async function postsAskedOf(c: ProjectContext): Promise<{ postIds: string[]; dependsOnLinks: boolean }> {
  const place = { orgId: c.org.orgId, projectId: c.project.projectId }
  const { personId } = c.caller
  const eligible = await eligibleApprovers(c.tx, place)
  const self = eligible.find((member) => member.personId === personId)
  if (!self) return { postIds: [], dependsOnLinks: false }
  const rounds = await openRoundsFor(c.tx, place, { personId, roleIds: self.roleIds, anyStep: self.isOrgAdmin })
  const judged = await judge(c.tx, place, rounds, c.now, eligible)
  return {
    postIds: judged.flatMap(({ round, standing }) =>
      slotsOf({ kind: 'member', personId }, standing).length > 0 ? [round.postId] : [],
    ),
    // organization admins decide in place of external people whose link has ended
    dependsOnLinks:
      self.isOrgAdmin &&
      judged.some(({ standing }) => standing.step.approvers.some((approver) => approver.kind === 'external')),
  }
}
