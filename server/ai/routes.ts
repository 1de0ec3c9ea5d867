import * as contract from '#contract/ai.ts'
import { AiFailure, aiFailureText } from '#contract/aiFailure.ts'
import { aiHelp } from '#contract/aiHelp.ts'
import { errorCatalog, errorCodes } from '#contract/errors.ts'
import type { Gate } from '#contract/plans.ts'
import { seeChannel } from '../channels/access.ts'
import { fail } from '../errors.ts'
import { handle, handleDetached, type CallerProject, type Route } from '../http/route.ts'
import type { Tx } from '../db/kysely.ts'
import type { Dependencies } from '../dependencies.ts'
import { help } from './help.ts'
import { openModel } from './model.ts'

type Asker = { tx: Tx; org: { orgId: string }; project: CallerProject }

export function aiRoutes({ env, media, log }: Pick<Dependencies, 'env' | 'media' | 'log'>): Route[] {
  const model = openModel(env)
  /** The run of a channel that the caller sees, or undefined before there was one. */
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
        problem: run ? problemOf(run) : null,
      }
    }),
    handle(contract.aiReport, async (c) => {
      const run = await runOf(c, c.params.channelId)
      if (run?.state === 'failed') throw refusal(run, c.org.entitlements.valid ? 'ai_credits' : 'plan_expired')
      if (run?.state !== 'done' || run.finished_at === null) throw fail('NO_POSTS_FOUND')
      return {
        posts: run.posts_read,
        profile: contract.AiProfile.parse(run.profile),
        madeAt: run.finished_at.toISOString(),
      }
    }),
    handleDetached(aiHelp, (c) => help(c, { model, media, log })),
  ]
}

/** What the wizard lists. */
const MOST = 50

/** Why the run ended without drafts, as the failure that its report answers with. */
function refusal(run: Ended & { code: string | null }, gate: Gate) {
  const { code, why } = run
  const problem = problemOf(run)
  const known = errorCodes.find((one) => one === code)
  const declared =
    known === 'NO_POSTS_FOUND' || known === 'PLAN_LIMIT' || known === 'AI_NOT_SET_UP'
      ? known
      : 'AI_PROMPT_GENERATION_ERROR'
  return fail(declared, {
    ...(problem !== null && { detail: problem }),
    ...(declared === 'PLAN_LIMIT' && { meta: { gate } }),
    ...(why !== null && { meta: { why } }),
  })
}

type Ended = { why: string | null; problem: string | null }

/** Why a run brought no drafts, in words. One that only a newer node knows is said in general. */
function problemOf({ why, problem }: Ended): string | null {
  if (why === null) return problem
  const known = AiFailure.safeParse(why)
  return known.success ? aiFailureText[known.data] : errorCatalog.AI_PROMPT_GENERATION_ERROR.detail
}
