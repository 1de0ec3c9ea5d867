import { sql } from 'kysely'
import { z } from 'zod'
import { Id } from '#contract/common.ts'
import type { BulkProblem } from '#contract/bulkProblems.ts'
import { problem } from '#contract/postProblems.ts'
import type { Tx } from '../db/kysely.ts'
import { asTenant } from '../db/tenant.ts'
import { Failure, problemsOf } from '../errors.ts'
import { despiteDeadlocks } from '../http/deadlock.ts'
import { despiteNeeds } from '../http/needsFirst.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { defineJob, type AnyJob, type JobContext } from '../jobs/job.ts'
import { emit } from '../live/emit.ts'
import type { Alongside } from '../media/keep.ts'
import { importFile, type Importer } from '../media/libraryImport.ts'
import { loadPost, mustAllow } from '../posts/access.ts'
import { markDeleted } from '../posts/delete.ts'
import type { PostDeps } from '../posts/schedule.ts'
import { submit } from '../posts/submit.ts'
import { parseRow, type Plan, type StoredRow } from './access.ts'
import { contextOf } from './actor.ts'
import { columnOfSubmit } from './checkRow.ts'

/*
 * Creates the posts of confirmed rows and deletes them again, one row at a time, each in one transaction with its
 * result. So the job can be killed anywhere and run twice: what is committed is done, the rest is still to be done.
 */

const Landing = z.object({ orgId: Id, importId: Id })
type Landing = z.output<typeof Landing>
export const LAND = { name: 'bulk.land' }

/** How often a row is tried, so that one that crashes the process doesn't block the others forever. */
const TRIES = 5
/** Imports of one node at a time: emails and uploads share the worker's eight slots. */
const AT_ONCE = 3
/** Milliseconds until a run that found no slot tries again. */
const WAIT = 2_000

export type LandingDeps = PostDeps & Parameters<typeof importFile>[1]
type LandingContext = LandingDeps & JobContext & Landing

/**
 * The job that creates confirmed rows' posts and undoes them: a few imports at a time on a node, the others try again
 * later.
 */
export function landJob(deps: LandingDeps): AnyJob {
  let underWay = 0
  return defineJob({
    ...LAND,
    payload: Landing,
    run: async (job, landing) => {
      const context = { ...deps, ...job, ...landing }
      if (underWay >= AT_ONCE) return await later(context, WAIT)
      underWay += 1
      await land(context).finally(() => (underWay -= 1))
    },
  })
}

const inTenant = <T>({ databases, orgId }: LandingContext, work: (tx: Tx) => Promise<T>): Promise<T> =>
  despiteDeadlocks(() => asTenant(databases.background, orgId, work))
const later = (context: LandingContext, wait: number) =>
  inTenant(context, (tx) =>
    enqueue(
      tx,
      LAND,
      { orgId: context.orgId, importId: context.importId },
      { key: context.importId, runAt: new Date(context.clock.now().getTime() + wait) },
    ),
  )

/** Row by row, in order. Failures are left to the job's next run, which begins after the worker's wait. */
async function land(context: LandingContext): Promise<void> {
  let after = 0
  let broken: unknown
  for (;;) {
    // a shutdown: another run continues from here
    if (context.signal.aborted) return await later(context, 0)
    const row = await inTenant(context, (tx) => begin(tx, context, after))
    if (!row) break
    after = row.row
    try {
      if (row.tries > TRIES) await giveUp(context, row, [{ code: 'broken' }])
      else if (row.state === 'undoing') await takeBack(context, row)
      else await make(context, row)
    } catch (error) {
      // a file being downloaded at a shutdown is downloaded again
      if (context.signal.aborted && error === context.signal.reason) continue
      context.log.error(
        { err: error, importId: context.importId, row: row.row },
        'processing a row of an import failed',
      )
      broken ??= error
    }
  }
  if (broken !== undefined) throw broken
}

/** The next row to work on, counted as tried. */
async function begin(tx: Tx, { orgId, importId }: Landing, after: number): Promise<StoredRow | undefined> {
  const row = await tx
    .selectFrom('bulk_row')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('import_id', '=', importId)
    .where('row', '>', after)
    .where('state', 'in', ['waiting', 'undoing'])
    .orderBy('row')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return undefined
  const tries = row.tries + 1
  await tx
    .updateTable('bulk_row')
    .set({ tries })
    .where('org_id', '=', orgId)
    .where('import_id', '=', importId)
    .where('row', '=', row.row)
    .execute()
  return parseRow({ ...row, tries })
}

/** The row, locked, if it still waits for this. The import comes first, wherever both are locked. */
async function holdRow(
  tx: Tx,
  { orgId, importId }: Landing,
  row: number,
  state: 'waiting' | 'undoing',
): Promise<{ row: StoredRow; projectId: string } | undefined> {
  const found = await tx
    .selectFrom('bulk_import')
    .select('project_id')
    .where('org_id', '=', orgId)
    .where('id', '=', importId)
    .forKeyShare()
    .executeTakeFirst()
  const stored = await tx
    .selectFrom('bulk_row')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('import_id', '=', importId)
    .where('row', '=', row)
    .where('state', '=', state)
    .forUpdate()
    .executeTakeFirst()
  return found && stored ? { row: parseRow(stored), projectId: found.project_id } : undefined
}

/** Creates a row's posts through the composer's verb. A refusal is stored with the row, at its column. */
async function make(context: LandingContext, row: StoredRow): Promise<void> {
  const { plan } = row
  if (!plan) return await giveUp(context, row, [{ code: 'broken' }])
  try {
    const assetIds: string[] = []
    for (const url of plan.urls) assetIds.push(await fileOf(context, row, url))
    const submitted = () =>
      inTenant(context, async (tx) => {
        const now = context.clock.now()
        const held = await holdRow(tx, context, row.row, 'waiting')
        if (!held?.row.asked_by) return
        const c = await contextOf(
          tx,
          { orgId: context.orgId, projectId: held.projectId, personId: held.row.asked_by },
          'created',
          now,
        )
        const { posts } = await submit({ ...c, body: withFiles(plan, assetIds) }, context)
        await note(tx, context, row.row, { state: 'made', post_ids: posts.map(({ postId }) => postId) }, now)
        await c.emit({ kind: 'bulk', ref: context.importId })
      })
    await despiteNeeds(submitted, asAsker(context, row))
  } catch (error) {
    if (error instanceof RowGone) return
    if (!(error instanceof Failure)) throw error
    await giveUp(context, row, inColumns(error))
  }
}

const withFiles = ({ submit: body }: Plan, assetIds: readonly string[]): Plan['submit'] => ({
  ...body,
  channels: body.channels.map((channel) => ({
    ...channel,
    contents: channel.contents.map((content) => ({ ...content, media: assetIds.map((assetId) => ({ assetId })) })),
  })),
})

/** A file at a URL, read once per import: its row and the record of it are written in one transaction. */
async function fileOf(context: LandingContext, row: StoredRow, url: string): Promise<string> {
  const known = await fileKnown(context, url)
  if (known !== undefined) return known
  const { orgId, importId } = context
  const alongside: Alongside = async ({ tx }, assetId) => {
    const noted = await tx
      .insertInto('bulk_file')
      .values({ org_id: orgId, import_id: importId, url, asset_id: assetId })
      .onConflict((oc) => oc.doNothing())
      .returning('asset_id')
      .executeTakeFirst()
    if (!noted) throw new ReadTwice()
  }
  try {
    return await importFile({ body: { url }, org: { orgId }, inTenant: asAsker(context, row) }, context, alongside)
  } catch (error) {
    const other = error instanceof ReadTwice ? await fileKnown(context, url) : undefined
    if (other !== undefined) return other
    if (!(error instanceof Failure)) throw error
    const [found] = problemsOf(error)
    const failed = problem('link-failed', { url: url.slice(0, 200), problem: found?.problem })
    throw new Failure(error.code, { problems: { 'contents.0.media': [failed] }, cause: error })
  }
}

/** Transactions in the name of the person who confirmed the row. Throws RowGone if it no longer waits. */
const asAsker =
  (context: LandingContext, row: StoredRow): Importer['inTenant'] =>
  (fn) =>
    inTenant(context, async (tx) => {
      const held = await holdRow(tx, context, row.row, 'waiting')
      if (!held?.row.asked_by) throw new RowGone()
      const actor = { orgId: context.orgId, projectId: held.projectId, personId: held.row.asked_by }
      return await fn(await contextOf(tx, actor, 'created', context.clock.now()))
    })

async function fileKnown(context: LandingContext, url: string): Promise<string | undefined> {
  const found = await inTenant(context, (tx) =>
    tx
      .selectFrom('bulk_file')
      .select('asset_id')
      .where('org_id', '=', context.orgId)
      .where('import_id', '=', context.importId)
      .where('url', '=', url)
      .executeTakeFirst(),
  )
  return found?.asset_id
}

/** Another run of the job read the same URL in the meantime: its file is used. */
class ReadTwice extends Error {}

/** The row was undone during the download. */
class RowGone extends Error {}

/** A failure's messages, each at its column. */
const inColumns = (failure: Failure): BulkProblem[] =>
  problemsOf(failure).map(({ at, problem }) => ({
    code: 'not-accepted',
    column: at === null ? null : columnOfSubmit(at),
    problem,
  }))

/** Deletes a row's unpublished posts, each with its place in the row in one transaction; what stays says why. */
async function takeBack(context: LandingContext, row: StoredRow): Promise<void> {
  const problems: BulkProblem[] = []
  for (const postId of row.post_ids) {
    try {
      const problem = await inTenant(context, (tx) => takePostBack(tx, context, row.row, postId))
      if (problem !== undefined) problems.push({ code: problem })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (error.code === 'NOT_FOUND') await inTenant(context, (tx) => drop(tx, context, row.row, postId))
      else problems.push(...inColumns(error))
    }
  }
  await inTenant(context, (tx) =>
    note(tx, context, row.row, { state: 'undone', problems }, context.clock.now(), 'undoing'),
  )
}

type Kept = 'post-published' | 'post-unconfirmed' | 'post-being-sent'

/** Why the post stays; undefined once it's gone. */
async function takePostBack(tx: Tx, context: LandingContext, row: number, postId: string): Promise<Kept | undefined> {
  const held = await holdRow(tx, context, row, 'undoing')
  if (!held?.row.asked_by || !held.row.post_ids.includes(postId)) return undefined
  const c = await contextOf(
    tx,
    { orgId: context.orgId, projectId: held.projectId, personId: held.row.asked_by },
    'deleted',
    context.clock.now(),
  )
  const post = await loadPost(c, postId)
  if (post.state === 'PUBLISHED') return 'post-published'
  if (post.state === 'UNCONFIRMED') return 'post-unconfirmed'
  if (post.state === 'PROCESSING') return 'post-being-sent'
  if (post.state !== 'DELETED') {
    mustAllow(c, post, 'delete')
    await markDeleted(c, post)
  }
  await drop(tx, context, row, postId)
  return undefined
}

const drop = (tx: Tx, { orgId, importId }: Landing, row: number, postId: string) =>
  sql`update bulk_row set post_ids = array_remove(post_ids, ${postId}::uuid) where org_id = ${orgId} and import_id = ${importId} and row = ${row}`.execute(
    tx,
  )

/** A row that isn't retried: it says why, and a person decides. */
async function giveUp(context: LandingContext, row: StoredRow, problems: BulkProblem[]): Promise<void> {
  const from = row.state === 'undoing' ? 'undoing' : 'waiting'
  await inTenant(context, (tx) =>
    note(tx, context, row.row, { state: from === 'undoing' ? 'made' : 'failed', problems }, context.clock.now(), from),
  )
}

type Became = { state: 'made' | 'failed' | 'undone'; post_ids?: string[]; problems?: BulkProblem[] }

async function note(
  tx: Tx,
  { orgId, importId }: Landing,
  row: number,
  { problems, ...became }: Became,
  now: Date,
  from: 'waiting' | 'undoing' = 'waiting',
): Promise<void> {
  const changed = await tx
    .updateTable('bulk_row')
    .set({ ...became, ...(problems && { problems: JSON.stringify(problems) }) })
    .where('org_id', '=', orgId)
    .where('import_id', '=', importId)
    .where('row', '=', row)
    .where('state', '=', from)
    .returning('import_id')
    .executeTakeFirst()
  if (!changed) return
  const { project_id: projectId } = await tx
    .selectFrom('bulk_import')
    .select('project_id')
    .where('org_id', '=', orgId)
    .where('id', '=', importId)
    .executeTakeFirstOrThrow()
  await emit(tx, { kind: 'bulk', ref: importId, orgId, projectId }, now)
}
