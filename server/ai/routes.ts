import * as contract from '#contract/ai.ts'
import { aiHelp } from '#contract/aiHelp.ts'
import { AiRunProblem, describeAiRunProblem } from '#contract/aiRunProblem.ts'
import type { Gate } from '#contract/plans.ts'
import { seeChannel } from '../access/channels.ts'
import { fail } from '../errors.ts'
import { handle, handleDetached, type CallerProject, type Route } from '../http/route.ts'
import type { Tx } from '../db/kysely.ts'
import type { Dependencies } from '../dependencies.ts'
import { help } from './help.ts'
import { openModel } from './model.ts'

type Asker = { tx: Tx; org: { orgId: string }; project: CallerProject }

export function aiRoutes({
  env,
  media,
  log,
  databases,
}: Pick<Dependencies, 'env' | 'media' | 'log' | 'databases'>): Route[] {
  const model = openModel(env)
  /** The run of a channel that the caller can see, or undefined if there was none. */
  const runOf = async (c: Asker, channelId: string) => {
    await seeChannel(c, channelId)
    if (env.AI_BASE_URL === undefined) throw fail('AI_NOT_SET_UP')
    return await c.tx
      .selectFrom('ai_run')
      .selectAll()
      .where('org_id', '=', c.org.orgId)
      .where('channel_id', '=', channelId)
      .executeTakeFirst()
  }
  return [
    handle(contract.aiPosts, async (c) => {
      const run = await runOf(c, c.params.channelId)
      const state = contract.aiRunStates.find((known) => known === run?.state) ?? 'none'
      const problem = run ? problemOf(run) : null
      const posts = await c.tx
        .selectFrom('post')
        .select(['id', 'excerpt', 'created_at'])
        .where('org_id', '=', c.org.orgId)
        .where('channel_id', '=', c.params.channelId)
        .where('origin', '=', 'ai')
        .where('state', '=', 'DRAFTS')
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(MOST)
        .execute()
      return {
        posts: posts.map((post) => ({
          postId: post.id,
          excerpt: post.excerpt,
          createdAt: post.created_at.toISOString(),
        })),
        state,
        problem: problem && describeAiRunProblem(problem),
      }
    }),
    handle(contract.aiReport, async (c) => {
      const run = await runOf(c, c.params.channelId)
      if (run?.state === 'failed')
        throw refusal(problemOf(run) ?? { code: 'broken' }, c.org.entitlements.valid ? 'ai_credits' : 'plan_expired')
      if (run?.state !== 'done' || run.finished_at === null) throw fail('NO_POSTS_FOUND')
      return {
        posts: run.posts_read,
        profile: contract.AiProfile.parse(run.profile),
        madeAt: run.finished_at.toISOString(),
      }
    }),
    handleDetached(aiHelp, (c) => help(c, { model, media, log, databases })),
  ]
}

/** What the wizard lists. */
const MOST = 50

/** Why the run ended without drafts. A reason only a newer node knows is worded in general terms. */
function problemOf({ problem }: { problem: unknown }): AiRunProblem | null {
  return problem === null ? null : (AiRunProblem.safeParse(problem).data ?? { code: 'broken' })
}

const errorOf = {
  'no-posts': 'NO_POSTS_FOUND',
  'out-of-credits': 'PLAN_LIMIT',
  'plan-ended': 'PLAN_LIMIT',
  'not-set-up': 'AI_NOT_SET_UP',
  ai: 'AI_PROMPT_GENERATION_ERROR',
  platform: 'AI_PROMPT_GENERATION_ERROR',
  disconnected: 'AI_PROMPT_GENERATION_ERROR',
  broken: 'AI_PROMPT_GENERATION_ERROR',
} as const

/** The same failure that the run's report returns. */
function refusal(problem: AiRunProblem, gate: Gate) {
  const code = errorOf[problem.code]
  return fail(code, {
    detail: describeAiRunProblem(problem),
    ...(code === 'PLAN_LIMIT' && { meta: { gate } }),
    ...(problem.code === 'ai' && { meta: { why: problem.why } }),
  })
}
