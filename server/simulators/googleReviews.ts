import { z } from 'zod'
import { pageOf, sizeOf, type Call, type Reply, type Route, type SimulatedPost, type World } from './world.ts'

/*
 * Reviews of locations. A review is a post of kind `review` whose account is the location: `more` has stars (1 to 5), who
 * wrote it, when it was changed, and its reply. Replies that mention a phone number are rejected.
 */

const reviews = 'mybusiness.googleapis.com/v4/accounts/{account}/locations/{location}/reviews'
const words = ['STAR_RATING_UNSPECIFIED', 'ONE', 'TWO', 'THREE', 'FOUR', 'FIVE']
const Stored = z.object({
  stars: z.int(),
  reviewer: z.string(),
  updatedAt: z.number().optional(),
  reply: z.object({ comment: z.string(), at: z.number(), state: z.string() }).optional(),
})
const Written = z.object({ comment: z.string() })
const BYTES = 4096

/** Someone writes a review. Returns its id. */
export function writeReview(
  world: World,
  of: { location: string; reviewer: string; stars: number; text: string },
  now: number,
): string {
  const id = `AbFvOq${world.nextId()}`
  world.publish(
    { id, account: of.location, kind: 'review', text: of.text, more: { stars: of.stars, reviewer: of.reviewer } },
    now,
  )
  return id
}

export function reviewRoutes(world: World, place: (call: Call) => string): Route[] {
  const of = (call: Call): SimulatedPost => {
    const location = place(call)
    const review = world.live(
      ({ id, kind, account }) => id === call.path.review && kind === 'review' && account === location,
    )[0]
    return review ?? world.no('missing', 'Requested entity was not found.')
  }
  const show = (call: Call, review: SimulatedPost): Record<string, unknown> => {
    const { stars, reviewer, updatedAt = review.createdAt, reply } = Stored.parse(review.more)
    return {
      name: `accounts/${call.path.account}/locations/${call.path.location}/reviews/${review.id}`,
      reviewId: review.id,
      reviewer: {
        ...(reviewer !== '' && {
          profilePhotoUrl: `https://lh3.googleusercontent.simulated/${reviewer.toLowerCase()}.png`,
        }),
        displayName: reviewer || 'A Google user',
        ...(reviewer === '' && { isAnonymous: true }),
      },
      starRating: words[stars],
      ...(review.text !== '' && { comment: review.text }),
      createTime: new Date(review.createdAt).toISOString(),
      updateTime: new Date(updatedAt).toISOString(),
      ...(reply && { reviewReply: replyOf(reply) }),
    }
  }
  const changedAt = (review: SimulatedPost): number => Stored.parse(review.more).updatedAt ?? review.createdAt
  return [
    [
      `GET ${reviews}`,
      (call) => {
        const location = place(call)
        const all = world.live(({ kind, account }) => kind === 'review' && account === location)
        const sorted = all.toSorted((a, b) => changedAt(b) - changedAt(a))
        const { items, next } = pageOf(
          sorted,
          sizeOf(call, 'pageSize', { usual: 50, most: 50 }),
          call.text('pageToken'),
        )
        const sum = all.reduce((total, { more }) => total + Stored.parse(more).stars, 0)
        return {
          json: {
            ...(items.length > 0 && { reviews: items.map((one) => show(call, one)) }),
            ...(all.length > 0 && { averageRating: sum / all.length, totalReviewCount: all.length }),
            ...(next && { nextPageToken: next }),
          },
        }
      },
    ],
    [`GET ${reviews}/{review}`, (call) => ({ json: show(call, of(call)) })],
    [
      `PUT ${reviews}/{review}/reply`,
      (call): Reply => {
        const review = of(call)
        const { comment } = Written.parse(call.body.value)
        if (comment.trim() === '' || Buffer.byteLength(comment) > BYTES)
          world.no('request', 'Request contains an invalid argument.')
        const before = Stored.parse(review.more).reply
        const state = /\+?\d[\d ()-]{8,}\d/.test(comment) ? 'REJECTED' : 'APPROVED'
        const reply = before?.comment === comment ? before : { comment, at: call.now, state }
        review.more.reply = reply
        return { json: replyOf(reply) }
      },
    ],
    [
      `DELETE ${reviews}/{review}/reply`,
      (call): Reply => {
        const review = of(call)
        if (review.more.reply === undefined) world.no('missing', 'Requested entity was not found.')
        delete review.more.reply
        return { json: {} }
      },
    ],
  ]
}

const replyOf = ({ comment, at, state }: { comment: string; at: number; state: string }) => ({
  comment,
  updateTime: new Date(at).toISOString(),
  reviewReplyState: state,
})
