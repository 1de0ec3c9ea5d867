import { foundPost, type FoundPost, type OwnPosts } from '../ownPosts.ts'
import { call, withSecret } from './client.ts'
import { metricsIn } from './metrics.ts'
import { addressOf } from './publish.ts'
import { refusalOf } from './refusals.ts'
import { OwnPins, type OwnPin } from './schemas.ts'

/** Of the 250 that Pinterest allows: each comes with its figures. */
const PAGE = 100

/**
 * The account's own Pins on its public boards, whoever has the board, without those that it saved from others. Pinterest promises no
 * order: a page is sorted here. A page follows the last Pin of the one before (`bookmark`).
 */
export const ownPosts: OwnPosts = {
  most: PAGE,
  list: withSecret(async (reach, own, _account, { cursor, atMost = PAGE }) => {
    const list = await call(reach, own, {
      path: '/pins',
      query: {
        page_size: String(Math.min(PAGE, atMost)),
        pin_filter: 'exclude_repins',
        pin_metrics: 'true',
        bookmark: cursor ?? undefined,
      },
      reply: OwnPins,
    })
    if (list.kind !== 'ok') return refusalOf(list, { doing: 'show-pins', irreversible: false })
    const posts = list.value.items.flatMap((pin) => (isOwn(pin) ? (postOf(pin) ?? []) : []))
    return {
      kind: 'posts',
      posts: posts.toSorted((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime()),
      next: list.value.bookmark,
    }
  }),
}

const isOwn = ({ is_owner: isOwner, parent_pin_id: savedFrom }: OwnPin): boolean => isOwner !== false && !savedFrom

const postOf = (pin: OwnPin): FoundPost | undefined =>
  foundPost({
    remoteId: pin.id,
    postType: 'pin',
    publishedAt: pin.created_at,
    text: [pin.title, pin.description].filter((words) => words.trim() !== '').join('\n\n'),
    permalink: addressOf(pin.id),
    pictureUrl: pin.media,
    figures: metricsIn(pin.pin_metrics),
  })
