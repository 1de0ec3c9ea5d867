import type { z } from 'zod'
import type { bulkPosts, BulkAction } from '#contract/bulkPosts.ts'
import { Failure } from '../errors.ts'
import type { DetachedContext, ProjectContext } from '../http/route.ts'
import { changeLabels } from '../labels/tag.ts'
import { loadPostFor, mustAllow, loadPost } from './access.ts'
import { markDeleted, restoreOne } from './delete.ts'
import { movePost } from './reschedule.ts'
import { retryPost } from './retry.ts'
import type { PostDeps } from './schedule.ts'
import { addTimelineEvent } from '../publishing/timeline.ts'

type Bulk = DetachedContext<typeof bulkPosts>
type Reply = z.output<(typeof bulkPosts)['reply']>
type Result = Reply['results'][number]

/**
 * Does one thing to many posts, each in its own transaction, so that one refusal doesn't affect the others. Returns
 * the results in the order of the request, each refusal with its reason.
 */
export async function bulk(c: Bulk, deps: PostDeps): Promise<Reply> {
  const { body } = c
  const results: Result[] = []
  for (const postId of new Set(body.postIds)) results.push(await one(c, postId, (t) => verb(t, deps, postId, body)))
  const done = results.filter(({ ok }) => ok).length
  const failed = results.length - done
  // a request that changed nothing gets a message too
  if (done === 0)
    await c.inTenant((t) => t.audit({ entityId: t.project.projectId, detail: { action: body.action, failed } }))
  return { results, done, failed, message: wordsOf(body.action, done, failed) }
}

async function one(c: Bulk, postId: string, act: (t: ProjectContext) => Promise<void>): Promise<Result> {
  try {
    await c.inTenant(act)
    return { postId, ok: true }
  } catch (error) {
    if (error instanceof Failure)
      return {
        postId,
        ok: false,
        code: error.code,
        reason: Object.values(error.facts.errors ?? {})[0]?.[0] ?? error.message,
      }
    // the others have been or will be done: the response has to say which
    c.request.log.error({ err: error, postId }, 'changing a post in a bulk action failed')
    return { postId, ok: false, code: 'INTERNAL', reason: 'Something went wrong. Please Try again later.' }
  }
}

async function verb(t: ProjectContext, deps: PostDeps, postId: string, body: BulkAction): Promise<void> {
  if (body.action === 'reschedule') await movePost(t, deps, postId, { schedule: body.schedule })
  else if (body.action === 'retry') await retryPost(t, deps, postId)
  else if (body.action === 'restore') await restoreOne(t, deps, postId)
  else if (body.action === 'delete') await markDeleted(t, await loadPostFor(t, postId, 'delete'))
  else await label(t, postId, body)
}

/** Labels don't reach the platform: they can be set in every status in which the post still exists. */
async function label(
  t: ProjectContext,
  postId: string,
  { add, remove }: Extract<BulkAction, { action: 'label' }>,
): Promise<void> {
  const post = await loadPost(t, postId)
  mustAllow(t, post, 'label')
  await changeLabels(t, 'post', [postId], { add, remove }, 'add')
  await t.emit({ kind: 'post', ref: postId })
  await addTimelineEvent(t.tx, t.org.orgId, t.now, [{ postId, kind: 'labeled', personId: t.caller.personId }])
  await t.audit({ entityId: postId, detail: { labels: { add, remove } } })
}

const did = {
  reschedule: 'rescheduled',
  label: 'labeled',
  delete: 'deleted',
  restore: 'restored',
  retry: 'sent for processing',
} as const

function wordsOf(action: BulkAction['action'], done: number, failed: number): string {
  const posts = (n: number) => `${n} ${n === 1 ? 'post' : 'posts'}`
  const said = `${posts(done)} ${did[action]}.`
  return failed === 0 ? said : `${said} ${posts(failed)} couldn't be.`
}
