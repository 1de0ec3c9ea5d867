import { sql } from 'kysely'
import { wordsOf } from '#contract/failures/catalog.ts'
import { approvalsAll, approvalsOfMe, approvalsSent } from '#contract/approvalLists.ts'
import * as contract from '#contract/workflows.ts'
import type { Databases } from '../db/pools.ts'
import { handle, handleBytes, type Route, type ProjectContext } from '../http/route.ts'
import { fileOf } from '../media/links.ts'
import { sendFile } from '../media/send.ts'
import { loadPost } from '../posts/access.ts'
import type { PostDeps } from '../posts/schedule.ts'
import { decideByLink, fileByLink, readByLink } from './byLink.ts'
import { decide, type Decided } from './decide.ts'
import { create, edit, list, remove } from './edit.ts'
import { listMine, listSent, listWaiting } from './lists.ts'
import { nameOf } from '../people/names.ts'
import { readApproval } from './read.ts'
import { remind } from './remind.ts'

export function workflowRoutes(deps: PostDeps & { databases: Databases }): Route[] {
  const { databases, media } = deps
  const asMember = async (c: ProjectContext) =>
    ({ kind: 'member', personId: c.caller.personId, name: await nameOf(c.tx, c.caller.personId) }) as const
  const facts = ({ round }: Decided) => ({
    approvalId: round.approvalId,
    step: round.step,
    hash: round.hash.toString('hex'),
  })
  return [
    handle(contract.listWorkflows, async (c) => ({ workflows: await list(c) })),
    handle(contract.createWorkflow, async (c) => {
      const workflowId = await create(c)
      await c.audit({ entityId: workflowId, detail: { steps: c.body.steps.length } })
      await c.emit({ kind: 'taxonomy', ref: workflowId })
      return { workflowId, message: 'Workflow created' }
    }),
    handle(contract.editWorkflow, async (c) => {
      await c.audit({ entityId: c.params.workflowId, detail: await edit(c) })
      await c.emit({ kind: 'taxonomy', ref: c.params.workflowId })
      return { message: 'Workflow saved' }
    }),
    handle(contract.deleteWorkflow, async (c) => {
      await remove(c)
      await c.audit({ entityId: c.params.workflowId })
      await c.emit({ kind: 'taxonomy', ref: c.params.workflowId })
      return { message: 'Workflow deleted' }
    }),

    handle(contract.postApproval, async (c) => ({ approval: await readApproval(c, c.params.postId) })),
    handle(approvalsAll, (c) => listWaiting(c, c.query)),
    handle(approvalsOfMe, (c) => listMine(c, c.query)),
    handle(approvalsSent, (c) => listSent(c, c.query)),

    handle(contract.approvePost, async (c) => {
      const decided = await decide(c, deps, c.params.postId, await asMember(c), { decision: 'approved', ...c.body })
      await c.audit({ entityId: c.params.postId, detail: facts(decided) })
      return {
        status: decided.status,
        message: decided.failure === null ? 'Post approved' : `Post approved. ${wordsOf(decided.failure)}`,
      }
    }),
    handle(contract.rejectPost, async (c) => {
      const decided = await decide(c, deps, c.params.postId, await asMember(c), { decision: 'rejected', ...c.body })
      await c.audit({ entityId: c.params.postId, detail: facts(decided) })
      return { status: decided.status, message: 'Post rejected' }
    }),
    handle(contract.remindApprovers, async (c) => {
      await remind(c, c.params.postId)
      await c.audit({ entityId: c.params.postId })
      return { message: 'Reminder sent' }
    }),

    handle(contract.readApprovalLink, (c) => readByLink({ databases, address: c.address, now: c.now }, c.params.token)),
    handleBytes(contract.readApprovalFile, async (c) => {
      const asset = await fileByLink({ databases, address: c.address, now: c.now }, c.params.token, c.query)
      return await sendFile(media, fileOf(asset), c.request, 'private, max-age=3600')
    }),
    handle(contract.decideByLink, (c) => decideByLink(c, databases, deps)),
    handle(contract.revokeApprovalLink, async (c) => {
      await endLinks(c, c.params.postId)
      await c.audit({ entityId: c.params.postId })
      return { message: 'Links ended' }
    }),
  ]
}

/** Ends every link to a post, including those still to be emailed. The next round creates new ones. */
async function endLinks(c: ProjectContext, postId: string): Promise<void> {
  await loadPost(c, postId)
  await sql`update approval set links_ended_at = ${c.now} where org_id = ${c.org.orgId} and post_id = ${postId} and state = 'open'`.execute(
    c.tx,
  )
  await sql`update approval_link l set revoked_at = ${c.now} from approval a where a.org_id = ${c.org.orgId} and a.post_id = ${postId} and l.org_id = a.org_id and l.approval_id = a.id and l.revoked_at is null`.execute(
    c.tx,
  )
  await c.emit({ kind: 'post', ref: postId })
}
