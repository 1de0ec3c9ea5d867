import { sql, type Selectable } from 'kysely'
import { z } from 'zod'
import { mediaErrors } from '#contract/checkMedia.ts'
import { channelProblem } from '#contract/checkPost.ts'
import { because, wordsOf, type Reason } from '#contract/failures/catalog.ts'
import { inboxRules, whyNotDone } from '#contract/platforms/inboxRegistry.ts'
import type { ReplyRules } from '#contract/platforms/inboxRules.ts'
import type { ConversationKind } from '#contract/inbox/terms.ts'
import { replyFiles } from '#contract/platforms/replyFiles.ts'
import { replyLength, type Answered } from '#contract/platforms/replyText.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import type { PlatformKey, PostRules } from '#contract/platforms/rules.ts'
import { problem, problemSentence, type PostProblem } from '#contract/postProblems.ts'
import { limitsOf, type ChannelRow } from '../../access/channels.ts'
import type { Database } from '../../db/schema.ts'
import { fail } from '../../errors.ts'
import type { ProjectContext } from '../../http/route.ts'
import { assetsById } from '../../media/access.ts'
import { mediaFactsOf } from '../../media/facts.ts'
import { whyNotReady } from '../../media/refused.ts'
import type { Inbox } from '../../platforms/inbox.ts'
import type { Platform } from '../../platforms/platform.ts'
import { mustHavePlan } from '../../plans/gates.ts'
import type { ConversationRecord } from '../access.ts'
import { windowAt } from '../answering.ts'
import { answeredOften, answersTo } from '../mostAnswers.ts'
import { replyLimit } from '../replyLimit.ts'

/** Who asks adapters. */
export type Platforms = (key: PlatformKey) => Platform | undefined

const NOT_FROM_HERE = "You can't reply from here yet. Reply on the platform."
const SIGNED_OUT = 'The channel is signed out of the platform. Reconnect it first.'
const PAUSED = 'The channel is paused. Resume it first.'
const DELETING = 'The channel is being deleted.'

/** The refusal of something that the platform, its channel or the moment doesn't allow. */
export const refusal = (detail: string) => fail('REPLY_REFUSED', { detail })
const refusedFor = (reason: Reason) => refusal(wordsOf(reason, 'inbox'))

/**
 * The channel of a conversation as it can be written to now. Throws PLAN_LIMIT without a valid plan, and REPLY_REFUSED
 * where it's signed out, paused, over the plan or being deleted.
 */
export async function writableChannel(
  c: ProjectContext,
  { channel_id: channelId }: Pick<ConversationRecord, 'channel_id'>,
): Promise<ChannelRow & { credentials: string }> {
  mustHavePlan(c)
  const row = await c.tx
    .selectFrom('channel')
    .leftJoin('lane', (join) =>
      join.onRef('lane.org_id', '=', 'channel.org_id').onRef('lane.channel_id', '=', 'channel.id'),
    )
    .selectAll('channel')
    .select(['lane.paused', 'lane.credentials'])
    .where('channel.org_id', '=', c.org.orgId)
    .where('channel.id', '=', channelId)
    .executeTakeFirst()
  if (!row) throw fail('NOT_FOUND')
  const { paused, credentials, ...channel } = row
  if (channel.deleting_at !== null || channel.deleted_at !== null) throw refusal(DELETING)
  if (channel.status !== 'CONNECTED') throw refusal(SIGNED_OUT)
  const trouble = channelProblem({ ...channel, planLocked: channel.plan_locked }, true)
  if (trouble) throw refusal(sentence(trouble))
  if (paused) throw refusal(PAUSED)
  return { ...channel, credentials: credentials ?? 'own' }
}

/** A problem as a sentence of its own. */
const sentence = (found: PostProblem): string => {
  const words = problemSentence(found)
  return words.slice(0, 1).toUpperCase() + words.slice(1) + (words.endsWith('.') ? '' : '.')
}

/** What the adapter answers with. Throws REPLY_REFUSED with the platform's sentence, or after the answering window. */
export function mustTakeReplies(
  { kind, last_received_at: receivedAt }: Pick<ConversationRecord, 'kind' | 'last_received_at'>,
  platform: PlatformKey,
  platforms: Platforms,
  now: Date,
): { rules: ReplyRules; replies: NonNullable<Inbox['replies']> } {
  const rules = inboxRules[platform].kinds[kind]?.reply
  if (!rules) throw refusal(whyNotDone(platform, kind, 'reply') ?? NOT_FROM_HERE)
  const replies = platforms(platform)?.inbox?.replies
  if (!replies) throw refusal(NOT_FROM_HERE)
  if (windowAt(platform, kind, receivedAt, now) === 'over')
    throw refusedFor(because('reply-window-over', { platform: platformLabel(platform) }))
  return { rules, replies }
}

/** What a reply answers: the item, or the other side of a conversation where it answers no item. */
export async function answeredBy(
  { tx, org }: ProjectContext,
  { person_id: personId }: Pick<ConversationRecord, 'person_id'>,
  itemId: string | null,
): Promise<Answered | undefined> {
  const { rows } = await sql<Answered>`
    select p.handle, coalesce(i.text, '') as text, i.warning from (select 1) one
    left join inbox_item i on i.org_id = ${org.orgId} and i.id = ${itemId}::uuid
    left join inbox_person p on p.org_id = ${org.orgId} and p.id = case when ${itemId}::uuid is null then ${personId}::uuid else i.person_id end`.execute(
    tx,
  )
  return rows[0]
}

/** What a reply says and shows. Alt texts are by the file's id; without one, the file's own counts. */
type Written = {
  kind: ConversationKind
  text: string
  assetIds: readonly string[]
  altTexts: Readonly<Record<string, string>>
}
const AltTexts = z.record(z.string(), z.string())

/** What a stored reply says and shows. */
export const writtenIn = (
  reply: Pick<Selectable<Database['reply']>, 'text' | 'asset_ids' | 'alt_texts'>,
  { kind }: Pick<ConversationRecord, 'kind'>,
): Written => ({ kind, text: reply.text, assetIds: reply.asset_ids, altTexts: AltTexts.parse(reply.alt_texts) })

/** Throws BAD_INPUT at `text` or `assetIds`: empty, too long as the platform counts, or files that it doesn't take. */
export async function mustFit(
  c: ProjectContext,
  channel: ChannelRow,
  platform: PlatformKey,
  rules: ReplyRules,
  { kind, text, assetIds, altTexts }: Written,
  answered: Answered | undefined,
): Promise<void> {
  const files = replyFiles(platform, kind, limitsOf(channel))
  const pictures = files?.rules.images.most ?? 0
  const limit = replyLimit(platform, rules, limitsOf(channel))
  const { max } = limit
  const used = replyLength(rules, limit, text, answered, channel.handle)
  if (text === '' && assetIds.length === 0) throw fail('BAD_INPUT', { errors: { text: ['Write something'] } })
  if (used > max) {
    const unit = limit.unit === 'utf8bytes' || limit.unit === 'emojibytes' ? 'byte' : 'character'
    throw fail('BAD_INPUT', {
      problems: { text: [problem('text-too-long', { what: 'text', by: used - max, max, unit })] },
    })
  }
  if (assetIds.length > pictures)
    throw fail('BAD_INPUT', {
      errors: {
        assetIds: [
          pictures === 0
            ? `${platformLabel(platform)} doesn't take pictures in a reply`
            : `A reply can have up to ${pictures} ${pictures === 1 ? 'picture' : 'pictures'}`,
        ],
      },
    })
  if (files && assetIds.length > 0) await mustBeTaken(c, files.rules, assetIds, altTexts)
}

/** Throws BAD_INPUT for files that aren't there, aren't ready, or break the rules. */
async function mustBeTaken(
  c: ProjectContext,
  rules: PostRules,
  assetIds: readonly string[],
  altTexts: Written['altTexts'],
): Promise<void> {
  const assets = await assetsById(c, assetIds)
  const problems = assetIds.flatMap((id) => {
    const asset = assets.get(id)
    if (!asset) return [problem('file-gone')]
    const notReady = whyNotReady(asset)
    if (notReady) return [notReady]
    return mediaErrors(rules, mediaFactsOf(asset, altTexts[id]), 'assetIds').map((error) => error.problem)
  })
  if (problems.length > 0) throw fail('BAD_INPUT', { problems: { assetIds: problems } })
}

/** Throws REPLY_REFUSED where the platform takes no further answer to this item. */
export async function mustTakeAnother(
  { tx, org }: ProjectContext,
  platform: PlatformKey,
  itemId: string,
  most: number,
): Promise<void> {
  const { rows } = await sql<{ n: number }>`select ${answersTo(org.orgId, sql`${itemId}::uuid`)} as n`.execute(tx)
  if ((rows[0]?.n ?? 0) >= most) throw refusal(answeredOften(platform, most))
}
