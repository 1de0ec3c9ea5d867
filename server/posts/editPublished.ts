import type { z } from 'zod'
import type { editPost } from '#contract/posts.ts'
import type { Wanted } from '../delivery/claim.ts'
import { fail } from '../errors.ts'
import type { DetachedContext, ProjectContext } from '../http/route.ts'
import { shortCodes } from '../links/codes.ts'
import { deliveriesOf } from '../publishing/deliveries.ts'
import { findPost, loadPost, mayChange, mustPublish, type PostRecord } from './access.ts'
import { mustHavePlan } from '../plans/gates.ts'
import { mustBeAccepted, platformOf } from './checks.ts'
import { saysOf } from './content.ts'
import { edit } from './edit.ts'
import { withFittedSays } from './fitFiles.ts'
import { withLinkDetails, withStoredFacts } from './linkDetails.ts'
import { beginLiveChange, makeLiveChange, type LiveDeps } from './liveChanges.ts'
import { editDetails, editSubject } from './liveSubjects.ts'
import { locked } from './locked.ts'
import { isSame, stale } from './stale.ts'
import { composedOf } from './updatePost.ts'

type Edit = DetachedContext<typeof editPost>
type Reply = z.output<(typeof editPost)['reply']>

/** Changes a post's content: here, or on its platform once it's published. */
export async function editAnywhere(c: Edit, deps: LiveDeps): Promise<Reply> {
  const done = await c.inTenant(async (t) => {
    const found = await findPost(t, c.params.postId)
    if (found.state !== 'PUBLISHED') return { here: await edit({ ...c, ...t }, deps) }
    return { live: await begin(c, t, deps, await loadPost(t, found.id)) }
  })
  return done.here ?? (await editPublished(c, deps, done.live))
}

/**
 * Checks the change and reserves it. Throws POST_LOCKED if the platform accepts none or another one is in progress,
 * and for what can't be changed: further thread items and the first comment, which are separate posts there.
 */
async function begin(c: Edit, t: ProjectContext, deps: LiveDeps, post: PostRecord): Promise<Wanted> {
  const { contents, additionalDetails, firstComment, mentions, version, scope } = c.body
  if (!mayChange(t, post, 'edit')) throw fail('FORBIDDEN')
  // if nothing can be changed, nothing else matters
  if (post.state !== 'PUBLISHED' || post.remote_id === null) throw locked('edit', post.state)
  const before = saysOf(post)
  const asked = withStoredFacts(
    {
      contents,
      details: additionalDetails ?? before.details,
      firstComment: firstComment ?? before.firstComment,
      mentions: mentions ?? before.mentions,
    },
    before,
  )
  const says = await withFittedSays(t, deps.media, post, await withLinkDetails(t, deps, post, asked))
  const composed = await composedOf(t, post, says)
  if (!deps.platforms(platformOf(composed.channel))?.publish.edit) throw locked('edit', post.state)
  mustPublish(t)
  mustHavePlan(t)
  if (post.version !== version)
    throw stale(post.version, {
      contents: [says.contents, before.contents],
      additionalDetails: [asked.details, before.details],
      firstComment: [says.firstComment, before.firstComment],
    })
  const delivery = (await deliveriesOf(t.tx, t.org.orgId, [post.id]))(post.id)
  if (delivery.step !== null || delivery.goesOn)
    throw fail('POST_LOCKED', {
      detail: 'The rest of this post is still being published. Wait a moment.',
      meta: { state: post.state },
    })
  if (
    scope !== 'this' ||
    !isSame(says.contents.slice(1), before.contents.slice(1)) ||
    says.firstComment !== before.firstComment
  )
    throw fail('POST_LOCKED', {
      detail:
        "You can only edit the first item of a published post. Its thread, its first comment and the rest of its series can't be changed.",
      meta: { state: post.state },
    })
  await mustBeAccepted(t, [composed], true)
  return await beginLiveChange(t, deps, post, 'edit', editDetails(t.caller.personId, says))
}

/** Changes the platform's post, and ours with it; never only ours. Throws CHANNEL_REFUSED or CHANNEL_UNREACHABLE. */
async function editPublished(c: Edit, deps: LiveDeps, begun: Wanted): Promise<Reply> {
  const codes = shortCodes(deps.databases.background, deps.clock)
  await makeLiveChange(c, deps, editSubject({ address: c.address, shortCodes: codes }), begun)
  return await c.inTenant(async (t) => {
    const { version, state, due_at: dueAt } = await findPost(t, begun.subject_id)
    // its audit entry was written with the platform's answer
    await t.audit([])
    return {
      version,
      status: state,
      dueAt: dueAt?.toISOString() ?? null,
      changed: 1,
      kept: [],
      message: 'Post updated successfully',
    }
  })
}
