import { sql } from 'kysely'
import type { z } from 'zod'
import type { PostState } from '#contract/postStates.ts'
import { draftContents, type deleteDraft, type DraftBody, type saveDraft } from '#contract/drafts.ts'
import { setCampaigns } from '../campaigns/join.ts'
import { reaches } from '../access/channels.ts'
import { fail, Failure } from '../errors.ts'
import type { Context } from '../http/route.ts'
import { setLabels } from '../labels/tag.ts'
import { noteUses } from '../media/uses.ts'
import { findPost, loadPost, mayChange, type PostRecord } from './access.ts'
import { aiTimelineEvents, newlyHelped } from './aiHelped.ts'
import { assetIdsOf } from '#contract/content.ts'
import { updatePost, draftColumns } from './updatePost.ts'
import { draftOf } from './content.ts'
import { markDeleted } from './delete.ts'
import { alreadySubmitted, lockDraftId, wasSubmitted } from './draftId.ts'
import { storeDraft } from './newDraft.ts'
import { isSame, stale } from './stale.ts'
import { addTimelineEvent } from '../publishing/timeline.ts'
import { locked } from './locked.ts'

type Save = Context<typeof saveDraft>
type Saved = z.output<(typeof saveDraft)['reply']>

/**
 * Saves a draft under the ID that the composer chose; version 0 creates it. Saving what is already stored succeeds,
 * so that a save whose answer was lost can be repeated. A save that creates the draft waits for a submit with the
 * same ID. Throws STALE_VERSION if the draft was changed elsewhere since `version`, POST_LOCKED if it was submitted
 * or deleted, BAD_INPUT for a channel or workflow that isn't the project's.
 */
export async function save(c: Save): Promise<Saved> {
  const { version } = c.body
  const saved = (version: number): Saved => ({ version, savedAt: c.now.toISOString() })
  if (version === 0 && (await create(c))) return saved(1)
  const post = await loadPost(c, c.params.postId).catch((error: unknown) => notFoundOrSent(c, error))
  if (post.state !== 'DRAFTS') throw alreadySubmitted(post.state)
  if (!mayChange(c, post, 'edit')) throw fail('FORBIDDEN')
  const stored = draftOf(post)
  const draft = await ofThisProject(c, stored)
  if (isSame(stored, draft)) return saved(post.version)
  if (post.version !== version) throw stale(post.version, pairsOf(draft, stored))
  const next = await updatePost(c, post, {
    ...draftColumns(draft, c.now, post.zone),
    channel_id: await onlyChannel(c, draft),
  })
  await saveTaxonomy(c, draft, stored)
  await noteAiHelp(c, draft, stored)
  return saved(next)
}

async function create(c: Save): Promise<boolean> {
  await lockDraftId(c, c.params.postId)
  if (await wasSubmitted(c, c.params.postId)) throw alreadySubmitted(await stateIfVisible(c))
  const { orgId } = c.org
  const { projectId, zone } = c.project
  const draft = await ofThisProject(c, null)
  const made = await storeDraft(
    c.tx,
    {
      orgId,
      projectId,
      postId: c.params.postId,
      channelId: await onlyChannel(c, draft),
      authorId: c.caller.personId,
      draft,
      zone,
      origin: 'person',
    },
    c.now,
  )
  if (!made) return false
  await saveTaxonomy(c, draft, null)
  await noteAiHelp(c, draft, null)
  return true
}

const noteAiHelp = (c: Save, draft: DraftBody, before: DraftBody | null): Promise<void> =>
  addTimelineEvent(
    c.tx,
    c.org.orgId,
    c.now,
    aiTimelineEvents([c.params.postId], newlyHelped(draft, before), c.caller.personId),
  )

/**
 * The columns that lists show and filter by, and the files in use. A deleted or archived label or campaign is no
 * reason not to save someone's work: the submit reports it.
 */
async function saveTaxonomy(c: Save, draft: DraftBody, before: DraftBody | null): Promise<void> {
  const { postId } = c.params
  await noteUses(c.tx, c.org.orgId, [{ postId, assetIds: assetsOf(draft) }])
  if (!isSame(draft.labelIds, before?.labelIds))
    await setLabels(c, 'post', [postId], await existing(c, 'label', draft.labelIds ?? []), 'labels')
  if (!isSame(draft.campaignIds, before?.campaignIds) && !c.org.entitlements.closed.includes('campaigns'))
    await setCampaigns(c, [postId], await existing(c, 'campaign', draft.campaignIds ?? []), 'campaignIds')
}

/**
 * The draft without IDs of other projects and organizations. Deleted channels and workflows keep their rows, so an
 * unknown one is a mistake and refused. A label or campaign that was just deleted looks like a foreign one, so those
 * are skipped instead. What the draft already names may stay.
 */
async function ofThisProject(c: Save, before: DraftBody | null): Promise<DraftBody> {
  const { draft } = c.body
  const channelsOf = (body: DraftBody | null) => [...(body?.channelIds ?? []), ...Object.keys(body?.variants ?? {})]
  const kept = new Set([
    ...channelsOf(before),
    before?.workflowId,
    ...(before?.labelIds ?? []),
    ...(before?.campaignIds ?? []),
  ])
  const named = [...new Set(channelsOf(draft))].filter((id) => !kept.has(id))
  const channels = await known(c, 'channel', named)
  if (named.some((id) => !channels.has(id) || !reaches(c.project, id)))
    throw fail('BAD_INPUT', {
      errors: { 'draft.channelIds': ["This channel doesn't exist, or you don't have access to it."] },
    })
  const { workflowId, labelIds, campaignIds } = draft
  if (workflowId && !kept.has(workflowId) && (await known(c, 'workflow', [workflowId])).size === 0)
    throw fail('BAD_INPUT', { errors: { 'draft.workflowId': ["This workflow doesn't exist."] } })
  const [labels, campaigns] = [await known(c, 'label', labelIds ?? []), await known(c, 'campaign', campaignIds ?? [])]
  return {
    ...draft,
    ...(labelIds && { labelIds: labelIds.filter((id) => kept.has(id) || labels.has(id)) }),
    ...(campaignIds && { campaignIds: campaignIds.filter((id) => kept.has(id) || campaigns.has(id)) }),
  }
}

/** Those of the IDs that the project has, even deleted ones. */
async function known(
  { tx, org, project }: Save,
  table: 'channel' | 'workflow' | 'label' | 'campaign',
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{
    id: string
  }>`select id from ${sql.table(table)} where org_id = ${org.orgId} and project_id = ${project.projectId} and id = any(${[...ids]}::uuid[])`.execute(
    tx,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Those labels and campaigns that can be added to a post. */
async function existing(c: Save, table: 'label' | 'campaign', ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where org_id = ${c.org.orgId} and project_id = ${c.project.projectId} and id = any(${[...ids]}::uuid[]) and state = 'ACTIVE'
      ${table === 'campaign' ? sql`and completed_at is null` : sql``} for share`.execute(c.tx)
  return rows.map(({ id }) => id)
}

/** Every file that a draft uses, in all of its channels: their variants, and their link previews. */
function assetsOf(draft: DraftBody): string[] {
  const own = Object.values(draft.variants ?? {}).map(({ contents = [], additionalDetails = {} }) => ({
    contents,
    details: additionalDetails,
  }))
  return [{ contents: draftContents(draft), details: draft.additionalDetails }, ...own].flatMap(assetIdsOf)
}

/** A draft for one channel is shown as that channel's; one for several belongs to none yet. */
async function onlyChannel(c: Save, { channelIds }: DraftBody): Promise<string | null> {
  const [only] = channelIds
  if (only === undefined || channelIds.length > 1 || !reaches(c.project, only)) return null
  const { rows } =
    await sql`select 1 from channel where org_id = ${c.org.orgId} and project_id = ${c.project.projectId} and id = ${only} and deleted_at is null`.execute(
      c.tx,
    )
  return rows.length > 0 ? only : null
}

/** The status of the post with this ID; undefined if the caller can't see one. */
async function stateIfVisible(c: Save): Promise<PostState | undefined> {
  try {
    return (await findPost(c, c.params.postId)).state
  } catch (error) {
    if (error instanceof Failure && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}

async function notFoundOrSent(c: Save, error: unknown): Promise<PostRecord> {
  if (await wasSubmitted(c, c.params.postId)) throw alreadySubmitted()
  throw error
}

function pairsOf(sent: DraftBody, stored: DraftBody | null): Record<string, readonly [unknown, unknown]> {
  return {
    text: [sent.text, stored?.text],
    media: [sent.media, stored?.media],
    channelIds: [sent.channelIds, stored?.channelIds],
    additionalDetails: [sent.additionalDetails, stored?.additionalDetails],
    schedule: [sent.schedule, stored?.schedule],
    title: [sent.title, stored?.title],
    thread: [sent.thread, stored?.thread],
    firstComment: [sent.firstComment, stored?.firstComment],
    variants: [sent.variants, stored?.variants],
    labels: [sent.labelIds, stored?.labelIds],
    campaigns: [sent.campaignIds, stored?.campaignIds],
    workflow: [sent.workflowId, stored?.workflowId],
    unfinished: [sent.unfinished, stored?.unfinished],
  }
}

/** Deletes a draft; the deletion can be undone like that of any post. */
export async function discard(c: Context<typeof deleteDraft>): Promise<{ message: string }> {
  const post = await loadPost(c, c.params.postId)
  if (!mayChange(c, post, 'delete')) throw fail('FORBIDDEN')
  if (post.state !== 'DRAFTS') throw locked('delete', post.state)
  await markDeleted(c, post)
  return { message: 'Post deleted successfully' }
}
