import { z } from 'zod'
import { pageOf, type Call, type Reply, type Route, type SimulatedPost, type World } from './world.ts'

/*
 * Posts that mention an account, which X charges for: each post and each person that an answer shows. Replies mention the
 * one they answer.
 */

const api = 'api.x.com/2'
const Hidden = z.object({ hidden: z.boolean() })
/** US dollars, prices of August 2026. */
const PRICES = { post: 0.005, user: 0.01 }

/** Notes what an answer costs. */
export const charge = (world: World, dollars: number): void => void charges.set(world, chargedFor(world) + dollars)

const charges = new WeakMap<World, number>()
/** What readings of mentions have cost, in US dollars. */
export const chargedFor = (world: World): number => charges.get(world) ?? 0

export function mentions(world: World, show: (post: SimulatedPost, call: Call) => Record<string, unknown>): Route[] {
  const isAbout = (post: SimulatedPost, account: string): boolean => {
    const handle = world.account(account)?.handle ?? ''
    return (
      post.account !== account &&
      (new RegExp(`@${handle}\\b`, 'i').test(post.text) || world.posts.get(post.parent ?? '')?.account === account)
    )
  }
  return [
    [
      `GET ${api}/users/{id}/mentions`,
      (call): Reply => {
        const { account } = world.who(call, 'tweet.read')
        if (call.path.id !== account) world.no('scope', 'You may read your own mentions only.')
        const size = Number(call.text('max_results')) || 10
        if (size < 5 || size > 100) world.no('request', 'max_results must be between 5 and 100.')
        const since = call.text('since_id')
        const start = Date.parse(call.text('start_time')) || 0
        const all = world
          .live(
            (post) =>
              isAbout(post, account) && post.createdAt >= start && (since === '' || BigInt(post.id) > BigInt(since)),
          )
          .toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1))
        const { items, next } = pageOf(all, size, call.text('pagination_token'))
        const asked = call.text('expansions').split(',')
        const users = new Set(
          items.flatMap((post) => [
            ...(asked.includes('author_id') ? [post.account] : []),
            ...(asked.includes('in_reply_to_user_id')
              ? [world.posts.get(post.parent ?? '')?.account ?? []].flat()
              : []),
          ]),
        )
        charge(world, items.length * PRICES.post + users.size * PRICES.user)
        return {
          json: {
            ...(items.length > 0 && { data: items.map((post) => show(post, call)) }),
            ...(users.size > 0 && { includes: { users: [...users].map((id) => person(world, id)) } }),
            meta: {
              result_count: items.length,
              ...(items[0] && { newest_id: items[0].id, oldest_id: items.at(-1)?.id }),
              ...(next && { next_token: next }),
            },
          },
        }
      },
    ],
    [
      `PUT ${api}/tweets/{id}/hidden`,
      (call): Reply => {
        const { account } = world.who(call, 'tweet.moderate.write')
        const post = world.post(call.path.id ?? '')
        const { hidden } = Hidden.parse(call.body.value)
        if (post.parent === null || rootOf(world, post).account !== account)
          world.no('scope', 'You may hide replies to your own posts only.')
        post.more.hiddenReply = hidden
        return { json: { data: { hidden } } }
      },
    ],
  ]
}

const rootOf = (world: World, post: SimulatedPost): SimulatedPost => {
  const above = post.parent === null ? undefined : world.posts.get(post.parent)
  return above ? rootOf(world, above) : post
}

export const person = (world: World, id: string): Record<string, unknown> => {
  const one = world.account(id)
  return { id, name: one?.name ?? '', username: one?.handle ?? '', profile_image_url: one?.picture ?? '' }
}
