import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { z } from 'zod'
import { allows } from '#contract/permissions.ts'
import {
  WorkflowStep,
  type createWorkflow,
  type editWorkflow,
  type deleteWorkflow,
  type Workflow,
} from '#contract/workflows.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import type { Context, ProjectContext } from '../http/route.ts'
import { mustHaveGate } from '../plans/gates.ts'
import { visibleTo } from '../access/visiblePosts.ts'
import { eligibleApprovers } from '../approvals/eligibleApprovers.ts'
import { namesOf } from '../people/names.ts'

type Body = z.output<(typeof createWorkflow)['body']>
type Asker = Pick<ProjectContext, 'tx' | 'org' | 'project'>

/** Every project's first workflow: one step that any Admin approves. It can't be deleted. */
export async function createDefaultWorkflow(
  tx: Tx,
  { orgId, projectId, adminRoleId }: { orgId: string; projectId: string; adminRoleId: string },
  now: Date,
): Promise<void> {
  const steps: WorkflowStep[] = [{ needs: 'any', approvers: [{ kind: 'role', roleId: adminRoleId }] }]
  await tx
    .insertInto('workflow')
    .values({
      org_id: orgId,
      id: randomUUIDv7(),
      project_id: projectId,
      name: 'Any Admin',
      is_default: true,
      steps: JSON.stringify(steps),
      created_at: now,
    })
    .execute()
}

/**
 * Creates a workflow; returns its id. Throws PLAN_LIMIT, NAME_TAKEN, ignoring case, and BAD_INPUT at an approver who
 * can't approve.
 */
export async function create(c: Context<typeof createWorkflow>): Promise<string> {
  mustHaveGate(c, 'approval_workflows')
  await mustBeAble(c, c.body.steps)
  const id = randomUUIDv7()
  const made = await c.tx
    .insertInto('workflow')
    .values({
      org_id: c.org.orgId,
      id,
      project_id: c.project.projectId,
      name: c.body.name,
      steps: stepsOf(c.body),
      created_at: c.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) throw taken()
  return id
}

/** A workflow, for the audit log. */
type Summary = { name: string; steps: number }

/**
 * Changes a workflow; returns its name and number of steps before and after. Waiting posts keep the steps they were
 * sent with. Throws as `create`, and NOT_FOUND.
 */
export async function edit(c: Context<typeof editWorkflow>): Promise<{ before: Summary; after: Summary }> {
  const workflow = await loadWorkflow(c, c.params.workflowId)
  mustHaveGate(c, 'approval_workflows')
  const steps = WorkflowStep.array().parse(workflow.steps)
  await mustBeAble(c, c.body.steps, outsiders(steps))
  const { rows } =
    await sql`select from workflow where org_id = ${c.org.orgId} and project_id = ${c.project.projectId} and deleted_at is null and lower(name) = lower(${c.body.name}) and id <> ${workflow.id}`.execute(
      c.tx,
    )
  if (rows.length > 0) throw taken()
  await c.tx
    .updateTable('workflow')
    .set({ name: c.body.name, steps: stepsOf(c.body) })
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', workflow.id)
    .execute()
  return {
    before: { name: workflow.name, steps: steps.length },
    after: { name: c.body.name, steps: c.body.steps.length },
  }
}

/**
 * Deletes a workflow. Waiting posts keep their steps. Throws NOT_FOUND, and POST_LOCKED for every project's first one.
 */
export async function remove(c: Context<typeof deleteWorkflow>): Promise<void> {
  const workflow = await loadWorkflow(c, c.params.workflowId)
  if (workflow.is_default)
    throw fail('POST_LOCKED', {
      detail: "Every project needs this workflow, so it can't be deleted. Change its steps instead.",
    })
  await c.tx
    .updateTable('workflow')
    .set({ deleted_at: c.now })
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', workflow.id)
    .execute()
}

const taken = () =>
  fail('NAME_TAKEN', {
    detail: 'A workflow with this name already exists.',
    errors: { name: ['A workflow with this name already exists.'] },
  })
const stepsOf = ({ steps }: Body): string =>
  JSON.stringify(steps.map((step) => ({ needs: step.needs, approvers: once(step.approvers) })))

/** Each approver once in a step. */
function once(approvers: WorkflowStep['approvers']): WorkflowStep['approvers'] {
  return [...new Map(approvers.map((one) => [idOf(one), one])).values()]
}
const idOf = (one: WorkflowStep['approvers'][number]): string =>
  one.kind === 'member' ? one.userId : one.kind === 'role' ? one.roleId : one.email

async function loadWorkflow(
  { tx, org, project }: Asker,
  workflowId: string,
): Promise<{ id: string; name: string; is_default: boolean; steps: unknown }> {
  const row = await tx
    .selectFrom('workflow')
    .select(['id', 'name', 'is_default', 'steps'])
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('id', '=', workflowId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw fail('NOT_FOUND')
  return row
}

const outsiders = (steps: readonly WorkflowStep[]): string[] =>
  steps.flatMap(({ approvers }) => approvers.flatMap((one) => (one.kind === 'external' ? [one.email] : [])))

/**
 * Approvers must be able to decide: members and roles of the project that may approve. A role may have no members yet.
 * External people approve on the authority of the member who named them, so only members who may approve can name new
 * ones: otherwise anyone could approve their own posts with a second mailbox. `kept` may stay.
 */
async function mustBeAble(c: Asker, steps: readonly WorkflowStep[], kept: readonly string[] = []): Promise<void> {
  const mayApprove = allows(c.project.permissions, 'workflow', 'approve')
  const eligible = await eligibleApprovers(c.tx, { orgId: c.org.orgId, projectId: c.project.projectId })
  const { rows } = await sql<{
    id: string
    able: boolean
  }>`select id, coalesce(permissions -> 'workflow' ? 'approve', false) as able from role where org_id = ${c.org.orgId} and project_id = ${c.project.projectId}`.execute(
    c.tx,
  )
  const roles = new Map(rows.map(({ id, able }) => [id, able]))
  const errors: Record<string, string[]> = {}
  for (const [i, { approvers }] of steps.entries()) {
    for (const [j, approver] of approvers.entries()) {
      const at = `steps.${i}.approvers.${j}`
      if (approver.kind === 'member' && !eligible.some(({ personId }) => personId === approver.userId))
        errors[at] = ["This person isn't in the project, or their role doesn't allow approving."]
      if (approver.kind === 'external' && !mayApprove && !kept.includes(approver.email))
        errors[at] = ['Only people who can approve posts can add someone outside the project.']
      if (approver.kind === 'role' && roles.get(approver.roleId) !== true)
        errors[at] = [roles.has(approver.roleId) ? "This role doesn't allow approving." : 'This role no longer exists.']
    }
  }
  if (Object.keys(errors).length > 0) throw fail('BAD_INPUT', { errors })
}

type Row = { id: string; name: string; is_default: boolean; steps: unknown; waiting: number }

/** The project's workflows, the default one first, with the number of waiting posts that the caller can see. */
export async function list(c: Asker & Pick<ProjectContext, 'caller'>): Promise<Workflow[]> {
  const { orgId } = c.org
  const { rows } = await sql<Row>`
    select w.id, w.name, w.is_default, w.steps,
      (select count(*)::int from approval a join post p on p.org_id = a.org_id and p.id = a.post_id where a.org_id = w.org_id and a.workflow_id = w.id and a.state = 'open' and p.state = 'NEEDS_APPROVAL' and ${visibleTo(c)}) as waiting
    from workflow w where w.org_id = ${orgId} and w.project_id = ${c.project.projectId} and w.deleted_at is null
    order by w.is_default desc, lower(w.name), w.id`.execute(c.tx)
  const eligible = await eligibleApprovers(c.tx, { orgId, projectId: c.project.projectId })
  const parsed = rows.map((row) => ({ ...row, steps: WorkflowStep.array().parse(row.steps) }))
  const names = await namesOf(
    c.tx,
    orgId,
    parsed.flatMap(({ steps }) =>
      steps.flatMap(({ approvers }) => approvers.flatMap((one) => (one.kind === 'external' ? [] : [idOf(one)]))),
    ),
  )
  return parsed.map(({ id, name, is_default: isDefault, steps, waiting }) => ({
    workflowId: id,
    name,
    isDefault,
    waiting,
    steps: steps.map(({ needs, approvers }) => ({
      needs,
      approvers: approvers.map((one) => ({
        kind: one.kind,
        id: idOf(one),
        name:
          one.kind === 'external'
            ? one.name
            : names.get(idOf(one)) || (one.kind === 'role' ? 'A role that was deleted' : 'Someone'),
        gone:
          one.kind === 'member'
            ? !eligible.some(({ personId }) => personId === one.userId)
            : one.kind === 'role' && !eligible.some(({ roleIds }) => roleIds.includes(one.roleId)),
      })),
    })),
  }))
}
