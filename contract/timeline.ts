import { z } from 'zod'
import { AiHelpKind } from './aiHelp.ts'
import { sentenceOf, wordsOf } from './failures/catalog.ts'
import { StoredReason } from './failures/define.ts'
import { FollowUp, followUpName } from './failures/publishing.ts'

/** What an entry of a post's timeline adds to its kind: stored as a code with parameters, worded by `detailText`. */
export const StoredDetail = z.discriminatedUnion('code', [
  /** Why it happened, to the post or to a follow-up; with `withAdvice` also what to do about it. */
  z.object({
    code: z.literal('reason'),
    reason: StoredReason,
    followUp: FollowUp.optional(),
    withAdvice: z.boolean().optional(),
  }),
  z.object({ code: z.literal('follow-up-sent'), followUp: FollowUp }),
  z.object({ code: z.literal('found'), followUp: FollowUp.optional(), platform: z.string() }),
  /** It wasn't on the platform; the second send uses the same key, so it can't be published twice. */
  z.object({ code: z.literal('sent-again'), followUp: FollowUp.optional(), platform: z.string() }),
  /** A person's answer about a post, or about its follow-ups, that we couldn't confirm ourselves. */
  z.object({
    code: z.literal('resolved'),
    outcome: z.enum(['published', 'send_again', 'failed']),
    followUps: z.boolean(),
  }),
  /** An approver's comment; `from` is the name of an approver who isn't a member. */
  z.object({ code: z.literal('decision'), from: z.string().nullable(), comment: z.string() }),
  z.object({ code: z.literal('workflow'), name: z.string() }),
  z.object({ code: z.literal('ai-helped'), kinds: z.array(AiHelpKind) }),
  z.object({ code: z.literal('ai-written') }),
  z.object({ code: z.literal('on-platform'), did: z.enum(['edited', 'deleted']) }),
  z.object({ code: z.literal('campaign'), name: z.string(), did: z.enum(['paused', 'released']) }),
  z.object({ code: z.literal('once-approved'), next: z.enum(['queued', 'published']) }),
  z.object({ code: z.literal('clocks-changed'), version: z.string() }),
  z.object({ code: z.literal('restored') }),
  z.object({ code: z.literal('deletion-undone') }),
  /** A sentence stored before details had codes. No longer written. */
  z.object({ code: z.literal('text'), text: z.string() }),
])
export type StoredDetail = z.infer<typeof StoredDetail>
/** What may be written now. */
export type TimelineDetail = Exclude<StoredDetail, { code: 'text' }>

/** The detail that gives a reason. The platform's own code isn't copied: it stays with the failure. */
export const reasonDetail = ({ code, params }: Pick<StoredReason, 'code' | 'params'>, withAdvice = false) => ({
  code: 'reason' as const,
  reason: { code, ...(params && { params }) },
  ...(withAdvice && { withAdvice }),
})

const helped: Record<AiHelpKind, string> = {
  write: 'wrote the text',
  shorten: 'shortened the text',
  adapt: 'adapted the text to the channel',
  hashtags: 'found hashtags',
  altText: 'described a picture',
}
const resolved = {
  post: {
    published: 'It was found on the platform.',
    send_again: "It wasn't on the platform, so it was sent again.",
    failed: 'It was marked as not published.',
  },
  followUps: {
    published: 'The follow-up was found on the platform.',
    send_again: "The follow-up wasn't on the platform, so it was sent again.",
    failed: 'The follow-up was marked as not published.',
  },
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
const nameOf = (followUp: FollowUp): string => capital(followUpName(followUp))
const ofFollowUp = (followUp: FollowUp | undefined, text: string): string =>
  followUp ? `${nameOf(followUp)}: ${text}` : text

/**
 * A stored detail in words; null if there is none. One that this version can't read says so, and doesn't hide the
 * others.
 */
export function detailText(stored: unknown): string | null {
  if (stored === null) return null
  const { data } = StoredDetail.safeParse(stored)
  return data ? wordsOfDetail(data) : "This version of Rookery can't show the details of this entry."
}

function wordsOfDetail(detail: StoredDetail): string {
  switch (detail.code) {
    case 'reason':
      return ofFollowUp(detail.followUp, detail.withAdvice ? wordsOf(detail.reason) : sentenceOf(detail.reason))
    case 'follow-up-sent':
      return nameOf(detail.followUp)
    case 'found':
      return ofFollowUp(detail.followUp, `Found on ${detail.platform}.`)
    case 'sent-again':
      return ofFollowUp(detail.followUp, `It isn't on ${detail.platform}, so we're sending it again.`)
    case 'resolved':
      return resolved[detail.followUps ? 'followUps' : 'post'][detail.outcome]
    case 'decision':
      return [detail.from === null ? '' : `By ${detail.from}, from outside your organization.`, detail.comment]
        .filter(Boolean)
        .join(' ')
    case 'workflow':
      return detail.name
    case 'ai-helped':
      return `AI ${detail.kinds.map((kind) => helped[kind]).join(', ')}.`
    case 'ai-written':
      return "Written by AI, based on the channel's recent posts."
    case 'on-platform':
      return detail.did === 'edited' ? 'Changed on the platform, too.' : 'Deleted on the platform, too.'
    case 'campaign':
      return detail.did === 'paused'
        ? `The campaign ${detail.name} was disabled.`
        : `The campaign ${detail.name} no longer holds it back.`
    case 'once-approved':
      return detail.next === 'queued'
        ? "It joins the queue once it's approved."
        : "It's published as soon as it's approved."
    case 'clocks-changed':
      return `This time zone changed its clocks (time zone data ${detail.version}).`
    case 'restored':
      return "Rookery's database was restored from a backup or copied."
    case 'deletion-undone':
      return 'The deletion was undone.'
    case 'text':
      break
  }
  return detail.text
}
