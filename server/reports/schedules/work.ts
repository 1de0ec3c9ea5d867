import { todayIn } from '../../analytics/scope.ts'
import type { JobContext } from '../../jobs/job.ts'
import { claimRun, type Claimed } from './claim.ts'
import { endHeld, isHeld, wakeHeld } from './held.ts'
import { makeFiles, type FileDeps } from './makeFiles.ts'
import { notifyFailed, notifyUndelivered } from './notify.ts'
import { notePause } from './pause.ts'
import { findReaders, type Readers } from './readers.ts'
import { asHolder, LostRun, noteRun, readOrder, readSubject, type RunOrder, type RunReason } from './run.ts'
import { noteCutOff, noteMails, sendMails, type SendDeps } from './sendMails.ts'

export type RunDeps = FileDeps & SendDeps
/** Runs under way on this node. */
export type Node = { working: number }

/** Runs at a time on a node: each may have a document compiled. */
const AT_ONCE = 3
const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Tries to make a report, and how often workers may die with it. */
const TRIES = 3
const DEATHS = 12
const AGAIN_MS = 5 * MINUTE
/** Waits between tries to hand mails to the mail server, in minutes; then they have failed. */
const MAIL_WAITS = [5, 10, 30, 60, 120, 240]

type Order = RunOrder & { today: string }

/** Works on runs whose time has come, in all organizations or in one, as many at a time as a node may. Returns how many. */
export async function workOnRuns(deps: RunDeps, context: JobContext, node: Node, orgId?: string): Promise<number> {
  const held = await isHeld(context.databases)
  if (held) await wakeHeld(context)
  const without: string[] = []
  let worked = 0
  const place = async () => {
    while (!context.signal.aborted && node.working < AT_ONCE) {
      node.working += 1
      try {
        const found = await claimRun(context.databases, { orgId, without }, context.clock.now())
        if (!found) return
        // looked at once in each pass, so that one that can't be taken stops no other
        without.push(found.runId)
        const run = await found.claimed()
        if (!run) continue
        worked += 1
        await workOn(context, run, () => (held ? endHeld(context, run) : advance(deps, context, run)))
      } catch (error) {
        context.log.error({ err: error }, "a run of a report couldn't be taken")
      } finally {
        node.working -= 1
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, place))
  return worked
}

/** Brings a run as far as it gets now. What fails is tried again; the third time, the run has failed. */
async function workOn(context: JobContext, run: Claimed, work: () => Promise<void>): Promise<void> {
  try {
    if (run.tries > DEATHS) throw new Error('workers have died with this run again and again')
    await work()
  } catch (error) {
    if (error instanceof LostRun) return
    context.log.error({ err: error, runId: run.runId, tries: run.tries + 1 }, "a run of a report couldn't be finished")
    await noteFailure(context, run).catch((unwritten: unknown) => {
      if (!(unwritten instanceof LostRun)) throw unwritten
    })
  }
}

async function noteFailure(context: JobContext, run: Claimed): Promise<void> {
  await asHolder(context, run, async (tx, now) => {
    const order = await readSubject(tx, run)
    const { tries } = await tx
      .selectFrom('report_run')
      .select('tries')
      .where('org_id', '=', run.orgId)
      .where('id', '=', run.runId)
      .executeTakeFirstOrThrow()
    if (tries + 1 < TRIES)
      return await noteRun(
        tx,
        run,
        order.reportId,
        { tries: tries + 1, nextTryAt: new Date(now.getTime() + AGAIN_MS * (tries + 1)) },
        now,
      )
    await tx
      .updateTable('report_mail')
      .set({ state: 'failed', reason: 'broken', at: now })
      .where('org_id', '=', run.orgId)
      .where('run_id', '=', run.runId)
      .where('state', '=', 'pending')
      .execute()
    await noteRun(tx, run, order.reportId, { state: 'failed', reason: 'broken', tries: tries + 1 }, now)
    await notifyFailed(tx, run, order, 'broken', now)
  })
}

async function advance(deps: RunDeps, context: JobContext, run: Claimed): Promise<void> {
  if (run.state !== 'sending') {
    const begun = await asHolder(context, run, async (tx, now) => {
      const order = await readOrder(tx, run)
      const today = todayIn({ now: run.dueAt, project: order })
      return { order: { ...order, today }, readers: await findReaders(tx, run, order, now) }
    })
    if (!(await make(deps, context, run, begun))) return
  }
  await deliver(deps, context, run)
}

/** Makes the run's files and notes its mails, unless it waits or ends. Returns whether there are mails to send. */
async function make(
  deps: RunDeps,
  context: JobContext,
  run: Claimed,
  { order, readers }: { order: Order; readers: Readers },
): Promise<boolean> {
  const { obstacle, audiences, leftOut } = readers
  if (obstacle) return await end(context, run, order, obstacle)
  if (audiences.length === 0) return await end(context, run, order, 'noRecipients')
  if (run.state === 'waiting' && (await waits(deps, context, run, order, audiences))) return false
  await asHolder(context, run, (tx, now) =>
    noteRun(
      tx,
      run,
      order.reportId,
      { state: 'making', ...(run.state === 'waiting' && { tries: 0, notFinal: [] }) },
      now,
    ),
  )
  const { orgId, projectId } = run
  const { reportId, ownerId: personId, today } = order
  await deps.makers.renew({ orgId, projectId, reportId, personId, today, now: context.clock.now() })
  const made = await makeFiles(deps, context, run, order, audiences)
  if ('ended' in made) {
    // perhaps only because the machine was busy
    if (made.ended === 'tooSlow' && run.tries + 1 < TRIES) throw new Error('making a report took too long')
    return await end(context, run, order, made.ended)
  }
  if (made.files.length === 0) return await end(context, run, order, 'noRecipients')
  const withFile = new Set(made.files.map(({ audience }) => audience))
  const without = audiences
    .filter((audience) => !withFile.has(audience))
    .flatMap(({ recipients }) => recipients.map(({ row, email }) => ({ row, email, reason: 'noRight' as const })))
  await asHolder(context, run, (tx, now) =>
    noteMails(tx, run, order, { files: made.files, leftOut: [...leftOut, ...without], links: deps.links }, now),
  )
  return true
}

/** Whether a run waits for final figures; then it's looked at again in an hour, and at the end of its time at the latest. */
async function waits(
  { makers }: RunDeps,
  context: JobContext,
  run: Claimed,
  { reportId, today }: Order,
  audiences: Readers['audiences'],
): Promise<boolean> {
  const now = context.clock.now()
  const { waitUntil } = run
  if (waitUntil === null || waitUntil <= now) return false
  const notFinal = new Set<string>()
  for (const { personId } of audiences) {
    const { orgId, projectId } = run
    for (const name of await makers.notFinal({ orgId, projectId, reportId, personId, today, now })) notFinal.add(name)
  }
  if (notFinal.size === 0) return false
  await asHolder(context, run, (tx, at) =>
    noteRun(
      tx,
      run,
      reportId,
      {
        notFinal: [...notFinal].toSorted(),
        nextTryAt: new Date(Math.min(at.getTime() + HOUR, waitUntil.getTime())),
        tries: 0,
      },
      at,
    ),
  )
  return true
}

const failures: readonly RunReason[] = ['tooLarge', 'tooSlow']

/** Ends a run without sending anything, and tells the owner why. */
async function end(context: JobContext, run: Claimed, order: Order, reason: RunReason): Promise<false> {
  await asHolder(context, run, async (tx, now) => {
    const state = failures.includes(reason) ? 'failed' : 'skipped'
    await noteRun(tx, run, order.reportId, { state, reason }, now)
    if (reason === 'plan' || reason === 'owner') {
      const schedule = await tx
        .selectFrom('report_schedule')
        .selectAll()
        .where('org_id', '=', run.orgId)
        .where('id', '=', run.scheduleId)
        .forUpdate()
        .executeTakeFirst()
      if (schedule && schedule.paused !== 'person')
        await notePause(tx, schedule, { reportName: order.reportName, why: reason }, now)
    } else if (reason === 'tooLarge' || reason === 'tooSlow' || reason === 'noRecipients')
      await notifyFailed(tx, run, order, reason, now)
  })
  return false
}

/** Sends the run's mails. It's done when all have ended; those that the mail server didn't take are tried again for some hours. */
async function deliver(deps: RunDeps, context: JobContext, run: Claimed): Promise<void> {
  const order = await asHolder(context, run, async (tx, now) => {
    await noteCutOff(tx, run, now)
    return await readOrder(tx, run)
  })
  await sendMails(deps, context, run, order)
  await asHolder(context, run, async (tx, now) => {
    const { pending } = await tx
      .selectFrom('report_mail')
      .select((e) => e.fn.countAll<number>().as('pending'))
      .where('org_id', '=', run.orgId)
      .where('run_id', '=', run.runId)
      .where('state', '=', 'pending')
      .executeTakeFirstOrThrow()
    const { tries } = await tx
      .selectFrom('report_run')
      .select('tries')
      .where('org_id', '=', run.orgId)
      .where('id', '=', run.runId)
      .executeTakeFirstOrThrow()
    const wait = MAIL_WAITS[tries]
    // cut short by a shutdown: another worker goes on at once
    const nextTryAt = context.signal.aborted
      ? now
      : wait === undefined
        ? undefined
        : new Date(now.getTime() + wait * MINUTE)
    if (pending > 0 && nextTryAt)
      return await noteRun(
        tx,
        run,
        order.reportId,
        { nextTryAt, tries: context.signal.aborted ? tries : tries + 1 },
        now,
      )
    await tx
      .updateTable('report_mail')
      .set({ state: 'failed', reason: 'delayed', at: now })
      .where('org_id', '=', run.orgId)
      .where('run_id', '=', run.runId)
      .where('state', '=', 'pending')
      .execute()
    await noteRun(tx, run, order.reportId, { state: 'done', reason: null }, now)
    await notifyUndelivered(tx, run, order, now)
  })
}
