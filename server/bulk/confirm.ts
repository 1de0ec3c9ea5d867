import { sql } from 'kysely'
import type { BulkImportDetail, confirmBulk, undoBulk } from '#contract/bulk.ts'
import { fail } from '../errors.ts'
import type { Context, ProjectContext } from '../http/route.ts'
import { enqueue } from '../jobs/enqueue.ts'
import type { LinkHosts } from '../links/hosts.ts'
import { mustPublish, mustSendForApproval } from '../posts/access.ts'
import { mustHaveGate, mustHavePlan } from '../plans/gates.ts'
import { mustFitCap } from '../posts/cap.ts'
import { loadImport, mustBeVersion, mustRest, rowsOf, type Plan } from './access.ts'
import { LAND } from './landing.ts'
import { look, present, type Looked } from './look.ts'
import { raise } from './prepare.ts'

type Reply = BulkImportDetail & { message: string }
const rowsInWords = (n: number): string => `${n.toLocaleString('en')} ${n === 1 ? 'row' : 'rows'}`

/**
 * Accepts the rows without errors. They're checked once more, and all refused if a different number than announced
 * would be scheduled (STALE_VERSION), or a cap would be exceeded (SCHEDULE_CAP with the channels). What was shown is
 * stored with each row; the job creates the posts.
 */
export async function confirm(c: Context<typeof confirmBulk>, hosts: LinkHosts): Promise<Reply> {
  const { version, rows: told, workflowId } = c.body
  const found = await loadImport(c, c.params.importId)
  mustBeVersion(found, version)
  await mustBeAllowed(c, workflowId)
  const looked = await look(c, found, hosts)
  mustRest(looked.rows)
  if (looked.ready.length !== told)
    throw fail('STALE_VERSION', {
      detail: `By now ${rowsInWords(looked.ready.length)} can be scheduled, not ${told.toLocaleString('en')}. Review them again.`,
      meta: { ready: looked.ready.length },
    })
  await mustFit(c, looked)
  const plans = looked.ready.flatMap(({ row }) => {
    const planned = looked.checked.get(row)?.planned
    return planned
      ? [
          {
            row,
            plan: {
              ...planned,
              submit: {
                ...planned.submit,
                ...(workflowId !== undefined && { intent: 'NEEDS_APPROVAL' as const, workflowId }),
              },
            },
          },
        ]
      : []
  })
  await accept(c, found.id, plans)
  await enqueue(c.tx, LAND, { orgId: c.org.orgId, importId: found.id }, { key: found.id })
  await c.audit({
    entityId: found.id,
    detail: { rows: looked.ready.length, ...(workflowId !== undefined && { workflowId }) },
  })
  const left = await present(c, await look(c, await raise(c, found), hosts))
  return {
    ...left,
    message: workflowId === undefined ? `Scheduling ${rowsInWords(told)}` : `Sending ${rowsInWords(told)} for approval`,
  }
}

/** The same permissions and gates as a submit, checked once for all rows. */
async function mustBeAllowed(c: ProjectContext, workflowId: string | undefined): Promise<void> {
  if (workflowId === undefined) mustPublish(c)
  else mustSendForApproval(c)
  mustHavePlan(c)
  if (workflowId === undefined) return
  mustHaveGate(c, 'approval_workflows')
  const there = await c.tx
    .selectFrom('workflow')
    .select('id')
    .where('org_id', '=', c.org.orgId)
    .where('project_id', '=', c.project.projectId)
    .where('id', '=', workflowId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!there)
    throw fail('NOT_FOUND', {
      detail: 'This workflow no longer exists. Choose another one.',
      errors: { workflowId: ['This workflow no longer exists.'] },
    })
}

/** The cap, with the channels' lanes locked, so that two simultaneous confirmations can't both take the last places. */
async function mustFit(c: ProjectContext, { refusal, ready, checked }: Looked): Promise<void> {
  if (refusal) throw refusal
  const parts = ready.flatMap(({ row }) => {
    const one = checked.get(row)
    return one?.at && one.at > c.now ? one.channels : []
  })
  const channels = [...new Set(parts)]
  await mustFitCap(
    c,
    channels.map((channel) => ({ channel, at: '', posts: parts.filter((one) => one === channel).length })),
  )
}

async function accept(
  c: ProjectContext,
  importId: string,
  plans: readonly { row: number; plan: Plan }[],
): Promise<void> {
  await sql`
    update bulk_row r set state = 'waiting', plan = w.plan, asked_by = ${c.caller.personId}, problems = '[]', tries = 0
    from json_to_recordset(${JSON.stringify(plans)}::json) as w(row int, plan jsonb)
    where r.org_id = ${c.org.orgId} and r.import_id = ${importId} and r.row = w.row`.execute(c.tx)
}

/**
 * Undoes an import: rows that aren't scheduled yet are open again immediately, and the job deletes the posts of the
 * others unless they're published by then. Throws POST_LOCKED if there's nothing to undo.
 */
export async function undo(c: Context<typeof undoBulk>, hosts: LinkHosts): Promise<Reply> {
  const found = await loadImport(c, c.params.importId)
  const rows = await rowsOf(c, found.id)
  const made = rows.filter(({ state }) => state === 'made').length
  const waiting = rows.filter(({ state }) => state === 'waiting').length
  if (made + waiting === 0) throw fail('POST_LOCKED', { detail: "There's nothing to undo in this import." })
  const of = sql`org_id = ${c.org.orgId} and import_id = ${found.id}`
  await sql`update bulk_row set state = 'open', plan = null, asked_by = null where ${of} and state = 'waiting'`.execute(
    c.tx,
  )
  await sql`update bulk_row set state = 'undoing', asked_by = ${c.caller.personId}, tries = 0, problems = '[]' where ${of} and state = 'made'`.execute(
    c.tx,
  )
  await enqueue(c.tx, LAND, { orgId: c.org.orgId, importId: found.id }, { key: found.id })
  await c.audit({ entityId: found.id, detail: { made, waiting } })
  return {
    ...(await present(c, await look(c, await raise(c, found), hosts))),
    message: made > 0 ? `Undoing ${rowsInWords(made)}` : 'Nothing was scheduled',
  }
}
