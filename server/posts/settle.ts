import type { PostFailure, settlePost } from '#contract/posts.ts'
import type { Context } from '../http/route.ts'
import { loadPostFor, mustHavePlan, type PostRecord } from './access.ts'
import { change } from './change.ts'
import { send } from './move.ts'
import { takeBack, type PostParts } from './schedule.ts'
import { planTime } from './time.ts'
import { note } from './timeline.ts'

type Settle = Context<typeof settlePost>

/** A person's word on a post whose sending could not be settled: it went out, it did not and goes again, or it is given up. */
export async function settle(c: Settle, parts: PostParts): Promise<{ message: string }> {
  const post = await loadPostFor(c, c.params.postId, 'settle')
  const { outcome } = c.body
  if (outcome === 'send_again') mustHavePlan(c)
  // what the machine is reading at this moment comes too late: the person has spoken
  await takeBack(c, post.id)
  const message = await outcomes[outcome](c, parts, post)
  await c.audit({ entityId: post.id, detail: { outcome } })
  return { message }
}

const outcomes: Record<Settle['body']['outcome'], (c: Settle, parts: PostParts, post: PostRecord) => Promise<string>> = {
  async published(c, _, post) {
    const at = post.sent_at ?? c.now
    await change(c, post, { state: 'PUBLISHED', published_at: at, shown_at: at, permalink: c.body.permalink ?? post.permalink, failure: null })
    await settled(c, post, 'A person found the post on the platform.')
    return 'Post Published Successfully'
  },
  async send_again(c, parts, post) {
    await settled(c, post, 'A person saw that the post was not there and sent it again.')
    await send(c, parts, post, planTime({ type: 'NOW' }, c.now, post.zone))
    return 'Post sent for processing'
  },
  async failed(c, _, post) {
    const failure: PostFailure = { class: 'unknown', reason: 'Whether the post went out could not be read, and a person gave it up.', advice: 'Look at the account before you send it again.', action: 'retry', platformCode: null }
    await change(c, post, { state: 'FAILED', failure: JSON.stringify(failure) })
    await settled(c, post, 'A person gave the post up.')
    return 'Post updated successfully'
  },
}

async function settled(c: Settle, post: PostRecord, words: string): Promise<void> {
  await note(c.tx, c.org.orgId, c.now, [{ postId: post.id, kind: 'settled', personId: c.caller.personId, note: words }])
}
