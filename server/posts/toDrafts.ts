import { PostState } from '#contract/postStates.ts'
import type { Tx } from '../db/kysely.ts'
import { takeOffLane } from '../publishing/lane.ts'
import type { Desk, PostRecord } from './access.ts'
import { change, planColumns } from './change.ts'
import { contentsOf, detailsOf, scheduleOf } from './content.ts'
import { takeBack } from './schedule.ts'
import { composerSchedule } from './time.ts'
import { note } from './timeline.ts'

/** Takes one post off the schedule: it becomes a draft, planned for the time that it had. */
export async function toDraft(c: Desk, post: PostRecord): Promise<void> {
  await takeBack(c, post.id)
  await change(c, post, { ...draftOfPost(post, c.now), state: 'DRAFTS' })
  await note(c.tx, c.org.orgId, c.now, [{ postId: post.id, kind: 'drafted', personId: c.caller.personId }])
}

/** The composer's state of a post that was already composed. Its contents stay: a draft of several parts keeps them all. */
function draftOfPost(post: PostRecord, now: Date) {
  const [first] = contentsOf(post)
  const body = { text: first?.text ?? '', media: first?.media ?? [], channelIds: post.channel_id ? [post.channel_id] : [], additionalDetails: detailsOf(post), schedule: composerSchedule(scheduleOf(post), post.zone) }
  return planColumns(body, now, post.zone)
}

type Channel = { orgId: string; projectId: string; channelId: string; words: string; personId: string }

/**
 * Turns everything that waits on a channel into drafts without a channel, as when the channel is deleted. What is being
 * sent at this moment goes on; what could not be settled stays for a person to say. Answers how many became drafts.
 */
export async function channelToDrafts(tx: Tx, { orgId, channelId, words, personId }: Channel, now: Date): Promise<string[]> {
  const rows = await tx
    .selectFrom('post')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('channel_id', '=', channelId)
    .where('state', 'in', ['SCHEDULED', 'QUEUED', 'NEEDS_APPROVAL', 'APPROVED', 'REJECTED', 'DRAFTS', 'UNCONFIRMED'])
    .orderBy('id')
    .forUpdate()
    .execute()
  const posts = rows.map((row) => ({ ...row, state: PostState.parse(row.state) }))
  await Promise.all(posts.map((post) => takeOffLane(tx, orgId, post.id)))
  const waiting = posts.filter((post) => post.state !== 'UNCONFIRMED')
  for (const post of waiting) {
    const columns = post.state === 'DRAFTS' ? {} : draftOfPost({ ...post, channel_id: null }, now)
    await tx.updateTable('post').set({ ...columns, state: 'DRAFTS', channel_id: null, version: post.version + 1, updated_at: now }).where('org_id', '=', orgId).where('id', '=', post.id).execute()
  }
  const drafted = waiting.filter((post) => post.state !== 'DRAFTS')
  await note(tx, orgId, now, drafted.map((post) => ({ postId: post.id, kind: 'drafted', personId, note: words })))
  return drafted.map((post) => post.id)
}
