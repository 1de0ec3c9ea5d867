import { sentenceOf } from '#contract/failures/catalog.ts'
import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import type { AiFailure } from '#contract/aiFailure.ts'
import type { AiRunProblem } from '#contract/aiRunProblem.ts'
import { Id } from '#contract/common.ts'
import { channelsById } from '../access/channels.ts'
import type { Tx } from '../db/kysely.ts'
import { asTenant } from '../db/tenant.ts'
import type { Env } from '../env.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import type { Dependencies } from '../dependencies.ts'
import { storeDraft } from '../posts/newDraft.ts'
import { WRITE_DRAFTS } from '../channels/requestDrafts.ts'
import { composeDrafts, DRAFTS, type Composed } from './compose.ts'
import { openModel, type Model } from './model.ts'
import { readPosts, type ReadDeps } from './readPosts.ts'
import { channelOf, countTry, endRun, lockRun, reserve, uncountTry, type RunChannel, type RunKey } from './runs.ts'

/** How often the job is tried. The worker waits in between: about 3, 7 and 20 seconds. */
export const TRIES = 4
/** One for each draft, one for the profile. */
export const CREDITS = DRAFTS + 1

export type AiDeps = ReadDeps &
  Pick<Dependencies, 'platforms' | 'log'> & { env: Pick<Env, 'AI_BASE_URL' | 'AI_API_KEY' | 'AI_MODEL'> }

/** Runs of one node at a time. A model takes its time, and emails and uploads share the worker's eight slots. */
const AT_ONCE = 3
/** Milliseconds until a run that found no slot tries again. */
const WAIT = 3_000

export function aiJobs(deps: AiDeps): AnyJob[] {
  const model = openModel(deps.env)
  let underWay = 0
  return [
    defineJob({
      ...WRITE_DRAFTS,
      payload: z.object({ orgId: Id, channelId: Id }),
      run: async ({ signal }, key) => {
        const context = { ...deps, model, signal }
        if (underWay >= AT_ONCE)
          return await inTenant(context, key, (tx) =>
            enqueue(tx, WRITE_DRAFTS, key, { key: key.channelId, runAt: new Date(deps.clock.now().getTime() + WAIT) }),
          )
        underWay += 1
        await writeDrafts(context, key).finally(() => (underWay -= 1))
      },
    }),
  ]
}

type DraftsContext = AiDeps & { model: Model | undefined; signal: AbortSignal }

/**
 * Reads a channel's recent posts, has drafts written in their style, and stores these with the profile, all or nothing.
 * Repeating it does nothing once the run has ended. Throws to be retried.
 */
async function writeDrafts(context: DraftsContext, key: RunKey): Promise<void> {
  const begun = await inTenant(context, key, async (tx) => ({
    tries: await countTry(tx, key),
    channel: await channelOf(tx, key),
  }))
  const { tries, channel } = begun
  if (tries === undefined) return
  if (!channel) return await giveUp(context, key, { code: 'disconnected' })
  if (!context.model) return await giveUp(context, key, { code: 'not-set-up' })
  const platform = context.platforms(channel.platform)
  if (!platform || tries > TRIES) return await giveUp(context, key, { code: 'broken' })

  const read = await readPosts(context, platform, channel, context.signal)
  if (read.kind === 'retry' || read.kind === 'unknown') return await again(context, key, tries, sentenceOf(read.reason))
  if (read.kind !== 'posts') return await giveUp(context, key, { code: 'platform', reason: read.reason })
  if (read.posts.length === 0) return await giveUp(context, key, { code: 'no-posts' })

  if (!(await mayAsk(context, key))) return
  const reply = await composeDrafts(context.model, channel, read.posts, context.signal)
  if (reply.kind === 'away') return await again(context, key, tries, reply.log, reply.why)
  if (reply.kind === 'refused') {
    if (reply.why === 'misconfigured')
      context.log.error(
        { why: reply.log },
        'the AI endpoint rejects requests: check AI_BASE_URL, AI_API_KEY and AI_MODEL',
      )
    return await giveUp(context, key, { code: 'ai', why: reply.why })
  }
  await keep(context, key, channel, read.posts.length, reply.answer)
}

const inTenant = <T>({ databases }: DraftsContext, { orgId }: RunKey, work: (tx: Tx) => Promise<T>): Promise<T> =>
  asTenant(databases.background, orgId, work)

/** The worker retries after a wait, unless the tries are used up. */
async function again(context: DraftsContext, key: RunKey, tries: number, why: string, ai?: AiFailure): Promise<void> {
  if (context.signal.aborted) await inTenant(context, key, (tx) => uncountTry(tx, key))
  if (tries < TRIES || context.signal.aborted) throw new Error(why)
  context.log.warn({ why, tries }, 'no drafts were written')
  await giveUp(context, key, ai === undefined ? { code: 'broken' } : { code: 'ai', why: ai })
}

async function giveUp(context: DraftsContext, key: RunKey, problem: AiRunProblem): Promise<void> {
  await inTenant(context, key, async (tx) => {
    const run = await lockRun(tx, key)
    if (run) await endRun(tx, run, { state: 'failed', problem }, context.clock.now())
  })
}

/** Takes the credits before the model is asked. Returns false if the run has ended, here or elsewhere. */
async function mayAsk(context: DraftsContext, key: RunKey): Promise<boolean> {
  return await inTenant(context, key, async (tx) => {
    const run = await lockRun(tx, key)
    const problem = run && (await reserve(tx, run, CREDITS, context.clock.now()))
    if (run && problem) await endRun(tx, run, { state: 'failed', problem }, context.clock.now())
    return run !== undefined && problem === undefined
  })
}

async function keep(
  context: DraftsContext,
  key: RunKey,
  channel: RunChannel,
  postsRead: number,
  { drafts, profile }: Composed,
): Promise<void> {
  const now = context.clock.now()
  const { orgId, channelId } = key
  const { projectId, zone } = channel
  await inTenant(context, key, async (tx) => {
    // the channel before its run, as when reconnecting it
    const there = await channelsById({ tx, org: { orgId }, project: { projectId, channelIds: null } }, [channelId])
    const run = await lockRun(tx, key)
    if (!run) return
    if (!there.has(channelId)) return await endRun(tx, run, { state: 'failed', problem: { code: 'disconnected' } }, now)
    // ids order what is shown of one instant, newest first: the model's first draft gets the last one
    const ids = drafts
      .map(() => randomUUIDv7())
      .toSorted()
      .toReversed()
    for (const [i, text] of drafts.entries()) {
      const draft = {
        text,
        media: [],
        channelIds: [channelId],
        additionalDetails: {},
        schedule: { mode: 'now' as const, date: '', time: '', timezone: zone },
      }
      await storeDraft(
        tx,
        {
          orgId,
          projectId,
          postId: ids[i] ?? randomUUIDv7(),
          channelId,
          authorId: channel.connectedBy,
          draft,
          zone,
          origin: 'ai',
        },
        now,
      )
    }
    await endRun(tx, run, { state: 'done', used: drafts.length + 1, postsRead, profile }, now)
  })
}
