import { HASHTAG } from '#contract/analytics/filter.ts'
import { z } from 'zod'
import { listed } from './facebookInbox.ts'
import { graphError, graphTime } from './graphParts.ts'
import type { HandRule } from './handRule.ts'
import { Refused, seedOf, type Call, type Reply, type Route, type World } from './world.ts'

/*
 * Public posts by hashtag (Instagram Platform, Hashtag Search). IDs hold the hashtag's name, so they stay the same. Nobody has posted
 * with one that begins with "silent", and one that begins with "offensive" is refused.
 */

const DAY = 24 * 3_600_000
const MOST = 30
const PREFIX = '1784'

/** Only on the host of Facebook's sign-in. */
export const hashtagRules: readonly HandRule[] = [
  {
    platforms: ['instagram'],
    host: /^graph\.facebook\.com$/,
    method: 'GET',
    path: /^\/v\d+\.\d+\/ig_hashtag_search$/,
    params: z.strictObject({
      user_id: z.string().regex(/^\d+$/),
      q: z.string().regex(HASHTAG),
    }),
    token: 'bearer',
  },
]

/** Whether a call is about hashtags, and so Instagram's. */
export const isOfHashtags = (path: string): boolean =>
  /^\/v[\d.]+\/(ig_hashtag_search|\d+\/(top|recent)_media)$/.test(path)

/** The routes; `own` is the account that a call names, if its sign-in may act for it. */
export function hashtagRoutes(world: World, facebook: World, own: (call: Call, id: string) => string): Route[] {
  /** When each account asked for a hashtag first, of the last 7 days. */
  const asked = new Map<string, Map<string, number>>()
  const allow = (call: Call, name: string): void => {
    const account = own(call, call.text('user_id'))
    if (facebook.switches.has('no public content'))
      throw new Refused(graphError(10, undefined, "(#10) The app lacks the feature 'Instagram Public Content Access'"))
    const theirs = new Map([...(asked.get(account) ?? [])].filter(([, at]) => at > call.now - 7 * DAY))
    if (!theirs.has(name) && theirs.size >= MOST)
      throw new Refused(graphError(18, undefined, '(#18) Too many hashtags were queried in 7 days.'))
    if (!theirs.has(name)) theirs.set(name, call.now)
    asked.set(account, theirs)
  }
  const edge = (list: 'top' | 'recent'): Route => [
    `GET graph.facebook.com/{v}/{id}/${list}_media`,
    (call) => {
      const name = nameOf(call.path.id ?? '') ?? world.no('missing', `Object ${call.path.id} does not exist.`)
      allow(call, name)
      return media(world, call, name, list)
    },
  ]
  return [
    [
      'GET graph.facebook.com/{v}/ig_hashtag_search',
      (call) => {
        const name = call.text('q').toLowerCase()
        allow(call, name)
        return name.startsWith('offensive')
          ? graphError(24, 2_207_024, 'The requested resource does not exist')
          : { json: { data: [{ id: idOf(name) }] } }
      },
    ],
    edge('top'),
    edge('recent'),
  ]
}

const idOf = (name: string): string => `${PREFIX}${BigInt(`0x01${Buffer.from(name).toString('hex')}`)}`

function nameOf(id: string): string | undefined {
  if (!id.startsWith(PREFIX)) return undefined
  const hex = BigInt(id.slice(PREFIX.length)).toString(16)
  return Buffer.from(hex.slice(1), 'hex').toString()
}

const kinds = ['IMAGE', 'VIDEO', 'CAROUSEL_ALBUM'] as const

/** Posts of others: more counts the higher they are among the top ones, all of the last day among the recent ones. */
function media(world: World, call: Call, name: string, list: 'top' | 'recent'): Reply {
  const count = name.startsWith('silent') ? 0 : 6 + (seedOf(name) % 10)
  const nodes = Array.from({ length: count }, (_, nth) => {
    const seed = seedOf(`${name} ${list} ${nth}`)
    const weight = list === 'top' ? 40 * (count - nth) : 3
    const id = String(18_000_000_000_000_000n + BigInt(seed))
    return {
      id,
      caption: `${['A quiet morning', 'Made by hand', 'New in today', 'From the weekend'][seed % 4]} #${name}`,
      media_type: kinds[seed % 3],
      permalink: `https://www.instagram.com/p/${BigInt(id).toString(36)}/`,
      timestamp: graphTime(call.now - (list === 'top' ? 2 * DAY * (nth + 1) : ((nth + 1) * DAY) / (count + 1))),
      // left out where the owner hides it
      ...(nth % 5 !== 4 && { like_count: weight * (1 + (seed % 9)) }),
      comments_count: Math.floor((weight * (seed % 7)) / 10),
    }
  })
  if (/\busername\b/.test(call.text('fields'))) world.no('request', 'username cannot be requested.')
  return listed(call, nodes, (node) => node)
}
