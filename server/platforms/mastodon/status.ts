import { z } from 'zod'
import { answeredBy, itemOf } from '../parts.ts'
import type { Outgoing, FollowUpToSend } from '../platform.ts'

export type Item = Outgoing['contents'][number]

const visibilities = ['public', 'unlisted', 'private'] as const
/** What we read of a post's details, which the contract checked when the post was saved. */
const Details = z.object({
  privacy: z.enum(visibilities).catch('public'),
  contentWarning: z.string().trim().catch(''),
  languages: z.array(z.string()).catch([]),
})

/** The body of `POST /api/v1/statuses` (docs.joinmastodon.org, methods/statuses). */
export type StatusBody = {
  status?: string
  media_ids?: string[]
  in_reply_to_id?: string
  /** Posts are public or for followers; replies have the visibility of what they reply to. */
  visibility?: string
  sensitive?: boolean
  spoiler_text?: string
  language?: string
  media_attributes?: { id: string; description: string }[]
}

/** The status for an item. Empty fields are left out. */
export function bodyOf(
  item: Item,
  details: Outgoing['details'],
  mediaIds: readonly string[],
  replyTo?: string,
): StatusBody {
  const { privacy, contentWarning, languages } = Details.parse(details)
  // the server uses ISO 639 codes, mostly without a region
  const language = languages[0]?.toLowerCase().replace(/-.*$/, '')
  const text = item.text.trim()
  return {
    ...(text && { status: text }),
    ...(mediaIds.length > 0 && { media_ids: [...mediaIds] }),
    ...(replyTo !== undefined && { in_reply_to_id: replyTo }),
    visibility: privacy,
    ...(contentWarning && { spoiler_text: contentWarning, sensitive: true }),
    ...(language && /^[a-z]{2,3}$/.test(language) && { language }),
  }
}

export const warningOf = (details: Outgoing['details']): string => Details.parse(details).contentWarning

/** The content of a follow-up and what it replies to: a thread item the one before it, a comment the post. */
export function pieceOf(post: Outgoing, part: FollowUpToSend): { item: Item; replyTo: string } | undefined {
  const [item, replyTo] = [itemOf(post, part), answeredBy(part)]
  return item && replyTo !== undefined ? { item, replyTo } : undefined
}

export const filesOf = ({ contents }: Pick<Outgoing, 'contents'>): Item['media'] =>
  contents.flatMap(({ media }) => media)
