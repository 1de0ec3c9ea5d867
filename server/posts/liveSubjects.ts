import { z } from 'zod'
import { AdditionalDetails, assetIdsOf, Mention, PostContent } from '#contract/content.ts'
import { because, type Reason } from '#contract/failures/catalog.ts'
import { deletePost, editPost } from '#contract/posts.ts'
import { PostState } from '#contract/postStates.ts'
import { writeAudit } from '../audit/write.ts'
import type { Tx } from '../db/kysely.ts'
import type { Claimed } from '../delivery/claim.ts'
import { failureOf } from '../delivery/failures.ts'
import type { Operations, Subject } from '../delivery/subject.ts'
import { emit } from '../live/emit.ts'
import type { ShortCodes } from '../links/codes.ts'
import { noteUses } from '../media/uses.ts'
import { takeOffLane } from '../publishing/lane.ts'
import { postOf } from '../publishing/loaded.ts'
import { buildOutgoing } from '../publishing/outgoing.ts'
import type { PostChange } from '../publishing/postSubject.ts'
import { endApproval } from '../approvals/open.ts'
import type { PostRecord } from './access.ts'
import { saysColumns, type Says } from './content.ts'
import { addTimelineEvent } from '../publishing/timeline.ts'
import { recordDeletion, updatePost, type PostUpdate } from './updatePost.ts'

/*
 * The edit and the deletion of a published post on its platform, as subjects of the delivery engine. A request sends
 * them itself (delivery/attended.ts). Our row only ever changes in the commit that records the platform's answer.
 */

/** Who asked for it, and from where: only the request knows, for the audit log. */
type Asker = { address?: string }
/** How an edit learns the codes of its short links. */
type Codes = { shortCodes: ShortCodes }

const EditDetails = z.object({
  personId: z.string(),
  says: z.object({
    contents: z.array(PostContent),
    details: AdditionalDetails,
    firstComment: z.string(),
    mentions: z.array(Mention),
  }),
})
const DeletionDetails = z.object({ personId: z.string() })

/** What an edit stores in its delivery: who made it, and the full new content. */
export const editDetails = (personId: string, says: Says) => ({ personId, says })
export const deletionDetails = (personId: string): z.infer<typeof DeletionDetails> => ({ personId })

/** A lost answer is left to the person: there's no way to read what an edit left there, and saving again is harmless. */
export const editSubject = ({ address, shortCodes }: Asker & Codes): Subject & { kind: 'edit' } => ({
  ...liveSubject(because('edit-unconfirmed')),
  kind: 'edit',
  operations: async (claimed, { publish: { edit } }, openMedia) => {
    const { post, ...ids } = postOf(claimed)
    const { says } = EditDetails.parse(claimed.details)
    const { remote_id: remoteId } = post
    if (!edit || remoteId === null) return {}
    // this isn't the content that was approved
    const edited = { ...post, ...saysFields(says), approval_state: null }
    const outgoing = await buildOutgoing({ ...ids, post: edited }, openMedia, shortCodes)
    return (
      outgoing && {
        send: async ({ reach, secret, account }) => {
          const answer = await edit(reach, secret, account, outgoing, remoteId)
          return answer.kind === 'edited' ? sentAs(answer.remoteId) : answer
        },
      }
    )
  },
  alongside: (claimed, decision, _notify, now) =>
    decision.kind === 'delivered'
      ? (tx) => recordEdit(tx, claimed, decision.remote_id ?? null, now, address)
      : undefined,
})

/** Platforms accept a second deletion: after a lost answer it's deleted again. */
export const deletionSubject = ({ address }: Asker = {}): Subject & { kind: 'deletion' } => ({
  ...liveSubject(because('deletion-unconfirmed')),
  kind: 'deletion',
  operations: async (claimed, { publish: { remove } }): Promise<Operations> => {
    const { remote_id: remoteId } = postOf(claimed).post
    if (!remove || remoteId === null) return {}
    return {
      sendIsRepeatable: true,
      send: async ({ reach, secret, account }) => {
        const answer = await remove(reach, secret, account, remoteId)
        return answer.kind === 'removed' ? sentAs(remoteId) : answer
      },
      reconcile: async () => ({ kind: 'absent' }),
    }
  },
  alongside: (claimed, decision, _notify, now) =>
    decision.kind === 'delivered' ? (tx) => recordDeletionThere(tx, claimed, now, address) : undefined,
})

const sentAs = (remoteId: string) => ({ kind: 'sent' as const, remoteId, progress: {} })
const saysFields = ({ contents, details, firstComment, mentions }: Says) => ({
  contents,
  details,
  first_comment: firstComment,
  mentions,
})

/** What both have in common. The post stays PUBLISHED; its page shows what a person has to do. */
const liveSubject = (
  unresolved: Reason,
): Pick<Subject, 'objection' | 'wasLost' | 'unconfirmed' | 'unresolved' | 'change'> => ({
  objection: () => undefined,
  wasLost: () => false,
  unconfirmed: (_, reason) => failureOf('unknown', reason),
  unresolved: () => failureOf('unknown', unresolved),
  change: (_, { state }): PostChange => ({ shows: state !== undefined }),
})

/** The post, changed by the engine in a person's name; undefined when it's gone. The outcome locks its row. */
async function changedBy(tx: Tx, { org_id: orgId, subject, subject_id: postId }: Claimed, now: Date) {
  const row = await tx
    .selectFrom('post')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', '=', postId)
    .executeTakeFirst()
  if (!row) return undefined
  await tx
    .updateTable('delivery')
    .set({ details: '{}' })
    .where('org_id', '=', orgId)
    .where('subject', '=', subject)
    .where('subject_id', '=', postId)
    .execute()
  const post: PostRecord = { ...row, state: PostState.parse(row.state) }
  const c: PostUpdate = {
    tx,
    now,
    org: { orgId },
    emit: (events) =>
      emit(
        tx,
        ('kind' in events ? [events] : events).map((event) => ({ projectId: post.project_id, ...event, orgId })),
        now,
      ),
  }
  return { post, c }
}

async function recordEdit(
  tx: Tx,
  claimed: Claimed,
  remoteId: string | null,
  now: Date,
  address: string | undefined,
): Promise<void> {
  const { personId, says } = EditDetails.parse(claimed.details)
  const changed = await changedBy(tx, claimed, now)
  if (!changed) return
  const { post, c } = changed
  const orgId = claimed.org_id
  const version = await updatePost(c, post, { ...saysColumns(says), remote_id: remoteId })
  // the approved content is published, and this differs: don't block the remaining follow-ups because of it
  await endApproval(c, [post.id])
  await noteUses(tx, orgId, [{ postId: post.id, assetIds: assetIdsOf(says) }])
  await addTimelineEvent(tx, orgId, now, [
    { postId: post.id, kind: 'edited', personId, detail: { code: 'on-platform', did: 'edited' } },
  ])
  const entry = {
    orgId,
    projectId: post.project_id,
    personId,
    entityId: post.id,
    detail: { version, onPlatform: true },
  }
  await writeAudit(tx, [{ ...entry, ...editPost.audit, address }], now)
}

async function recordDeletionThere(tx: Tx, claimed: Claimed, now: Date, address: string | undefined): Promise<void> {
  const { personId } = DeletionDetails.parse(claimed.details)
  const changed = await changedBy(tx, claimed, now)
  // it's gone on the platform, whatever happened here in the meantime
  if (!changed || changed.post.state === 'DELETED') return
  const { post, c } = changed
  await takeOffLane(tx, claimed.org_id, post.id)
  await recordDeletion(
    {
      ...c,
      caller: { personId },
      audit: (facts) =>
        writeAudit(
          tx,
          [{ orgId: claimed.org_id, projectId: post.project_id, personId, ...deletePost.audit, ...facts, address }],
          now,
        ),
    },
    post,
    { remote_id: null, permalink: null },
  )
}
