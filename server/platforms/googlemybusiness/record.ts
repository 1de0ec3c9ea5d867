import { because, type Reason } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import type { Outgoing, Refusal } from '../platform.ts'

const Wall = z.object({ date: z.iso.date(), time: z.string().regex(/^\d\d:\d\d$/) })
const Details = z.object({
  callToAction: z.object({ action: z.string(), url: z.string().optional() }).optional().catch(undefined),
  offer: z
    .object({ couponCode: z.string().optional(), redeemUrl: z.string().optional(), terms: z.string().optional() })
    .optional()
    .catch(undefined),
  event: z.object({ start: Wall, end: Wall }).optional().catch(undefined),
})

export const TOPICS = { update: 'STANDARD', events: 'EVENT', offers: 'OFFER' } as const
/** Google's name for this kind of post. */
export const topicOf = ({ postType }: Pick<Outgoing, 'postType'>): (typeof TOPICS)[keyof typeof TOPICS] =>
  postType === 'events' ? TOPICS.events : postType === 'offers' ? TOPICS.offers : TOPICS.update

const wants = (reason: Reason, platformCode: string): Refusal => ({
  kind: 'rejected',
  reason: { ...reason, platformCode },
})

/** Local times at the location: Google takes no time zone here. */
function momentOf({ date, time }: z.infer<typeof Wall>): {
  date: { year: number; month: number; day: number }
  time: { hours: number; minutes: number }
} {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return { date: { year, month, day }, time: { hours, minutes } }
}

/**
 * The content of a post without its picture, which updates can't change. Its fields are also those of the update mask.
 */
export function wordsOf(post: Outgoing): { kind: 'words'; words: Record<string, unknown> } | Refusal {
  const { callToAction: button, offer, event } = Details.parse(post.details)
  const [item] = post.contents
  const topic = topicOf(post)
  const summary = item?.text ?? ''
  const words: Record<string, unknown> = summary === '' ? {} : { summary }
  if (topic !== 'STANDARD') {
    if (!event) return wants(because('google-event-without-times'), 'no-event')
    const [start, end] = [momentOf(event.start), momentOf(event.end)]
    words.event = {
      title: item?.title ?? '',
      schedule: { startDate: start.date, startTime: start.time, endDate: end.date, endTime: end.time },
    }
  }
  if (topic === 'OFFER' && offer)
    words.offer = {
      ...(offer.couponCode && { couponCode: offer.couponCode }),
      ...(offer.redeemUrl && { redeemOnlineUrl: offer.redeemUrl }),
      ...(offer.terms && { termsConditions: offer.terms }),
    }
  // an offer has a code and a link instead of a button
  if (topic !== 'OFFER' && button) {
    if (button.action !== 'CALL' && !button.url) return wants(because('google-button-without-link'), 'no-button-url')
    words.callToAction =
      button.action === 'CALL' ? { actionType: 'CALL' } : { actionType: button.action, url: button.url }
  }
  return { kind: 'words', words }
}

/** The whole post. Google fetches the picture from one of our URLs. */
export function recordOf(post: Outgoing): { kind: 'record'; record: Record<string, unknown> } | Refusal {
  const said = wordsOf(post)
  if (said.kind !== 'words') return said
  const [photo] = post.contents[0]?.media ?? []
  const url = photo?.url()
  if (url === null) return wants(because('google-no-public-address'), 'no-public-address')
  return {
    kind: 'record',
    record: {
      topicType: topicOf(post),
      ...said.words,
      ...(url !== undefined && { media: [{ mediaFormat: 'PHOTO', sourceUrl: url }] }),
    },
  }
}
