import { because } from '#contract/failures/catalog.ts'
import type { z } from 'zod'
import type { editPost } from '#contract/posts.ts'
import { refusedConnection } from '../channels/connect.ts'
import { fail } from '../errors.ts'
import type { DetachedContext, ProjectContext } from '../http/route.ts'
import { assetsById } from '../media/access.ts'
import { mediaLinks } from '../media/links.ts'
import { mediaFile } from '../media/open.ts'
import { noteUses } from '../media/uses.ts'
import type { Outgoing, Refusal } from '../platforms/platform.ts'
import { deliveriesOf, type PostDelivery } from '../publishing/deliveries.ts'
import { outgoingOf } from '../publishing/outgoing.ts'
import { assetIdsOf } from '#contract/content.ts'
import { plain } from '../delivery/plain.ts'
import { findPost, loadPost, mayChange, mustHavePlan, mustPublish, type PostRecord } from './access.ts'
import { updatePost, composedOf } from './updatePost.ts'
import { mustBeAccepted, platformOf, type Composed } from './checks.ts'
import { saysColumns, saysOf, type Says } from './content.ts'
import { edit } from './edit.ts'
import { endApproval } from '../workflows/open.ts'
import { channelOf, withToken, type RemovalDeps } from './removeFromPlatform.ts'
import { isSame, stale } from './stale.ts'
import { addTimelineEvent } from './timeline.ts'
import { locked } from './locked.ts'

type Edit = DetachedContext<typeof editPost>
type Reply = z.output<(typeof editPost)['reply']>
const EDIT_MS = 60_000
/** So long nobody else changes the post there: two calls, each behind a renewal of the token. Afterwards whoever began is gone. */
const HELD_MS = 200_000

/** Changes what a post says: here, or at its platform once it is published there. */
export async function editAnywhere(c: Edit, deps: RemovalDeps): Promise<Reply> {
  const done = await c.inTenant(async (t) => {
    const found = await findPost(t, c.params.postId)
    if (found.state !== 'PUBLISHED') return { here: await edit({ ...c, ...t }, deps) }
    return { live: await begin(c, t, deps, await loadPost(t, found.id)) }
  })
  return done.here ?? (await editPublished(c, deps, done.live))
}

type Begun = { post: PostRecord; says: Says; outgoing: Outgoing }

/**
 * Checks the change and writes down that it begins. Throws POST_LOCKED where the platform takes none, while another is being made there, and for what a change
 * cannot be about: further items of a thread and the first comment, which are posts of their own there.
 */
async function begin(c: Edit, t: ProjectContext, deps: RemovalDeps, post: PostRecord): Promise<Begun> {
  const { contents, additionalDetails, firstComment, mentions, version, scope } = c.body
  if (!mayChange(t, post, 'edit')) throw fail('FORBIDDEN')
  // where nothing can be changed, nothing else is asked
  if (post.state !== 'PUBLISHED' || post.remote_id === null) throw locked('edit', post.state)
  const before = saysOf(post)
  const says: Says = {
    contents,
    details: additionalDetails ?? before.details,
    firstComment: firstComment ?? before.firstComment,
    mentions: mentions ?? before.mentions,
  }
  const composed = await composedOf(t, post, says)
  if (!deps.platforms(platformOf(composed.channel))?.publish.edit) throw locked('edit', post.state)
  mustPublish(t)
  mustHavePlan(t)
  if (post.version !== version)
    throw stale(post.version, {
      contents: [says.contents, before.contents],
      additionalDetails: [says.details, before.details],
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
  const outgoing = await toSend(t, deps, post, delivery, composed)
  // the post is locked: of two who begin at once the second sees what the first has written
  const begun = await t.tx
    .selectFrom('post_edit')
    .select('held_until')
    .where('org_id', '=', t.org.orgId)
    .where('post_id', '=', post.id)
    .executeTakeFirst()
  if (begun?.held_until && begun.held_until > t.now)
    throw fail('POST_LOCKED', {
      detail: 'This post is being updated on its platform. Wait a moment, then check it again.',
      meta: { state: post.state },
    })
  const row = {
    says: JSON.stringify(says),
    began_at: t.now,
    person_id: t.caller.personId,
    held_until: new Date(t.now.getTime() + HELD_MS),
  }
  await t.tx
    .insertInto('post_edit')
    .values({ org_id: t.org.orgId, post_id: post.id, ...row })
    .onConflict((oc) => oc.columns(['org_id', 'post_id']).doUpdateSet(row))
    .execute()
  return { post, says, outgoing }
}

/** What the platform is to be sent. Throws POST_REFUSED when a file is gone. */
async function toSend(
  t: ProjectContext,
  deps: RemovalDeps,
  post: PostRecord,
  delivery: PostDelivery,
  composed: Composed,
): Promise<Outgoing> {
  const links = mediaLinks(deps)
  const assets = await assetsById(t, assetIdsOf(composed))
  const outgoing = outgoingOf(
    {
      ...composed,
      postId: post.id,
      createdAt: post.due_at ?? post.created_at,
      sendKey: delivery.sendKey ?? '',
      progress: delivery.progress,
    },
    new Map([...assets].map(([id, asset]) => [id, mediaFile(deps.media, asset, links)])),
  )
  if (!outgoing) throw fail('POST_REFUSED', { errors: { media: ['A file of this post no longer exists.'] } })
  return outgoing
}

/**
 * Changes the platform's post, and ours once it has done so; never only ours. An answer that is lost leaves the beginning in
 * the journal, and the post says so until it is saved again, which is harmless. Throws CHANNEL_REFUSED or CHANNEL_UNREACHABLE.
 */
async function editPublished(c: Edit, deps: RemovalDeps, { post, says, outgoing }: Begun): Promise<Reply> {
  const answer = await ask(c, deps, post, outgoing).catch(async (error: unknown) => {
    // it never came to a call, or to a second one after a refusal
    await c.inTenant((t) => forget(t, post.id))
    throw error
  })
  if (answer.kind !== 'edited') {
    await c.inTenant((t) => (answer.kind === 'unknown' ? letOthers(t, post.id) : forget(t, post.id)))
    throw refusedConnection(answer, 'edit')
  }
  return await c.inTenant(async (t) => {
    const current = await loadPost(t, post.id)
    // it was changed there whatever happened here meanwhile
    const version = await updatePost(t, current, { ...saysColumns(says), remote_id: answer.remoteId })
    await forget(t, post.id)
    // what was approved is out, and these are other words: what is still to follow the post is not held against them
    await endApproval(t, [current.id])
    await noteUses(t.tx, t.org.orgId, [{ postId: post.id, assetIds: assetIdsOf(says) }])
    await addTimelineEvent(t.tx, t.org.orgId, t.now, [
      { postId: post.id, kind: 'edited', personId: t.caller.personId, detail: { code: 'on-platform', did: 'edited' } },
    ])
    await t.audit({ entityId: post.id, detail: { version, onPlatform: true } })
    return {
      version,
      status: current.state,
      dueAt: current.due_at?.toISOString() ?? null,
      changed: 1,
      kept: [],
      message: 'Post updated successfully',
    }
  })
}

async function forget(t: ProjectContext, postId: string): Promise<void> {
  await t.tx.deleteFrom('post_edit').where('org_id', '=', t.org.orgId).where('post_id', '=', postId).execute()
}

/** What became of it stays unknown, and the next one may begin. */
async function letOthers(t: ProjectContext, postId: string): Promise<void> {
  await t.tx
    .updateTable('post_edit')
    .set({ held_until: null })
    .where('org_id', '=', t.org.orgId)
    .where('post_id', '=', postId)
    .execute()
}

/** Asks the platform to change the post. */
async function ask(
  c: Edit,
  deps: RemovalDeps,
  post: PostRecord,
  outgoing: Outgoing,
): Promise<{ kind: 'edited'; remoteId: string } | Refusal> {
  const channel = await channelOf(c, post, 'be changed')
  const platform = deps.platforms(platformOf(channel))
  const make = platform?.publish.edit
  if (!platform || !make) throw locked('edit', post.state)
  return await withToken(deps, platform, channel, EDIT_MS, async (reach, secret, account) => {
    try {
      return plain(await make(reach, secret, account, outgoing, post.remote_id ?? ''))
    } catch (error) {
      // a fault of ours in the middle of it: nobody knows how far it came
      c.request.log.error({ err: error, postId: post.id }, 'a published post could not be edited')
      return { kind: 'unknown' as const, reason: because('edit-crashed') }
    }
  })
}
