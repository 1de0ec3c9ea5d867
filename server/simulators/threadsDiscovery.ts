import { z } from 'zod'
import { followersAt } from './accountSeries.ts'
import { edgePage, fieldsOf, graphError, graphRefusal, within } from './graphParts.ts'
import type { HandRule } from './handRule.ts'
import { Refused, type Call, type Route, type SimulatedAccount, type SimulatedPost, type World } from './world.ts'

const graph = 'graph.threads.net/v1.0'
const DAY = 24 * 3600
/** Profiles of others are only shown from this many followers on, and an account may look up so many in 24 hours. */
const LEAST_FOLLOWERS = 100
const MOST_LOOKUPS = 1000

/** Other people's profiles and posts, by their exact name (profile discovery). */
export function discoveryRoutes(
  world: World,
  node: (world: World, post: SimulatedPost) => Record<string, unknown>,
): Route[] {
  const asked = new Map<string, number[]>()
  const profileOf = (call: Call): SimulatedAccount => {
    const token = world.who(call, 'threads_profile_discovery')
    const recent = (asked.get(token.account) ?? []).filter((at) => at > call.now - DAY * 1000)
    if (recent.length >= MOST_LOOKUPS) throw new Refused(graphRefusal('limit', 'Application request limit reached'))
    asked.set(token.account, [...recent, call.now])
    const name = call.text('username')
    // without Meta's approval, there are only Meta's own profiles
    if (world.switches.has('standard access') && !['meta', 'threads', 'instagram', 'facebook'].includes(name))
      throw new Refused(graphError(10, undefined, '(#10) Application does not have permission for this action'))
    const account = world.accounts.find(({ handle }) => handle === name)
    if (!account || world.switches.has('few followers') || followersAt(account.id, call.now) < LEAST_FOLLOWERS)
      return world.no('request', 'The profile is not available.')
    return account
  }
  return [
    [
      `GET ${graph}/profile_lookup`,
      (call) => {
        const { id, handle, name, picture } = profileOf(call)
        const counts = { likes_count: 40, quotes_count: 2, replies_count: 9, reposts_count: 3, views_count: 800 }
        const whole = {
          username: handle,
          name,
          profile_picture_url: picture,
          biography: '',
          is_verified: false,
          follower_count: followersAt(id, call.now),
          ...counts,
        }
        // profiles of others have no ID
        const { id: _, ...shown } = fieldsOf(call, whole)
        return { json: shown }
      },
    ],
    [
      `GET ${graph}/profile_posts`,
      (call) => {
        const { id } = profileOf(call)
        const theirs = world.live((post) => post.account === id && post.parent === null)
        return edgePage(call, within(call, theirs), 100, (post) => fieldsOf(call, node(world, post)))
      },
    ],
  ]
}

/** The calls of profile discovery, of which there is no description. */
export const discoveryRules: readonly HandRule[] = [
  { path: /^\/v1\.0\/profile_lookup$/, params: {} },
  {
    path: /^\/v1\.0\/profile_posts$/,
    params: {
      limit: z
        .string()
        .regex(/^([1-9]\d?|100)$/)
        .optional(),
    },
  },
].map(({ path, params }) => ({
  platforms: ['threads'],
  host: /^graph\.threads\.net$/,
  method: 'GET',
  path,
  params: z.strictObject({ username: z.string().regex(/^[\w.]{1,30}$/), fields: z.string().optional(), ...params }),
  token: 'bearer',
}))
