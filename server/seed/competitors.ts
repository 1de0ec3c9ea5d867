import { randomUUIDv7 } from 'node:crypto'
import { insertMany } from '../db/insertMany.ts'
import type { Tx } from '../db/kysely.ts'
import { followersAt } from '../simulators/accountSeries.ts'
import { worldIdOf, type Past } from '../simulators/past.ts'
import { peopleOf } from '../simulators/world.ts'
import { READING_HOURS } from './figures.ts'
import { seeded } from './random.ts'
import type { SeededProject } from './seededProject.ts'

const PLATFORM = 'mastodon'
const SERVER = 'birdhouse.simulated'
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** They were added so long ago. */
const KNOWN_DAYS = 240
/** Each was read this long ago. */
const READ_HOURS_AGO = 5

const rivals = [
  {
    name: 'Fourth Wave Roasters',
    handle: 'fourthwave',
    everyDays: 2,
    liked: 46,
    texts: [
      'Our Sidamo is back. Apricot, jasmine, and a finish that stays for the whole walk to work.',
      'Cupping on Friday at six. Bring nothing, stay as long as you like.',
      'How we dial in a new bag: dose, yield, taste, change one thing, taste again.',
      'The new grinder arrived. It weighs as much as the barista who has to move it.',
      'Decaf drinkers, we hear you. A washed Colombian, sugarcane process, from Monday.',
    ],
  },
  {
    name: 'Gentle Grind',
    handle: 'gentlegrind',
    everyDays: 4,
    liked: 24,
    texts: [
      'Slow bar today: three filters, three farms, one long counter.',
      'We visited the co-op in Huila. Photos of the drying beds, and of the dog that guards them.',
      'Oat, soy or nothing: what our regulars chose this month.',
      'A subscription that waits for you: skip a week whenever you like.',
    ],
  },
]

/** Two competitors that were read every day, and what the simulators have to know of them. */
export async function seedCompetitors(tx: Tx, project: SeededProject, now: Date): Promise<Past> {
  const { orgId, projectId, channels, people } = project
  const via = channels.find(({ platform }) => platform === PLATFORM)
  if (!via) return []
  const readAt = new Date(now.getTime() - READ_HOURS_AGO * HOUR)
  const others = peopleOf(PLATFORM, 3).filter(({ id }) => id !== worldIdOf(via.remoteId))
  const past: Past = []
  for (const [nth, { name, handle, texts, everyDays, liked }] of rivals.entries()) {
    const account = others[nth]
    if (!account) continue
    const random = seeded(6007 * (nth + 1))
    const id = randomUUIDv7()
    const since = new Date(readAt.getTime() - KNOWN_DAYS * DAY)
    const posts = postTimes(readAt, everyDays, random).map((at, place) => {
      const number = String(Math.floor(at / 1000) * 8000 + 5000 + nth * 1000 + place)
      const likes = Math.round(liked * (0.6 + random.next() * 0.8))
      const inTheEnd = { reactions: likes, comments: Math.round(likes / 9), shares: Math.round(likes / 6) }
      return { number, at, text: texts[place % texts.length] ?? '', inTheEnd }
    })
    const addressOf = (number: string) => `https://${SERVER}/@${handle}/${number}`
    await tx
      .insertInto('competitor')
      .values({
        org_id: orgId,
        id,
        project_id: projectId,
        platform: PLATFORM,
        remote_id: `${handle}@${SERVER}`,
        name,
        handle: `@${handle}@${SERVER}`,
        picture_url: account.picture,
        profile_url: `https://${SERVER}/@${handle}`,
        added_by: people[0] ?? null,
        added_at: new Date(since.getTime() + nth * HOUR),
        seen_at: now,
        via_channel_id: via.channelId,
        posts_since: since,
        state: 'read',
        read_at: readAt,
        next_at: new Date(readAt.getTime() + DAY),
      })
      .execute()
    await insertMany(
      tx,
      'competitor_figure',
      Array.from({ length: KNOWN_DAYS }, (_, back) => {
        const at = new Date(readAt.getTime() - back * DAY)
        const day = at.toISOString().slice(0, 10)
        const published = posts.filter((post) => post.at <= at.getTime()).length
        return [
          { name: 'followers', value: followersAt(account.id, at.getTime()) },
          { name: 'posts', value: published },
        ].map((figure) => ({ org_id: orgId, competitor_id: id, day, ...figure, read_at: at }))
      }).flat(),
    )
    await insertMany(
      tx,
      'competitor_post',
      posts.map(({ number, at, text, inTheEnd }) => {
        const share = 1 - Math.exp(-(readAt.getTime() - at) / HOUR / READING_HOURS)
        const figures = Object.fromEntries(
          Object.entries(inTheEnd).map(([figure, value]) => [figure, Math.round(value * share)]),
        )
        return {
          org_id: orgId,
          competitor_id: id,
          remote_id: addressOf(number),
          published_at: new Date(at),
          excerpt: text,
          permalink: addressOf(number),
          figures,
          read_at: readAt,
        }
      }),
    )
    past.push({
      platform: PLATFORM,
      account: account.id,
      name,
      handle: `@${handle}@${SERVER}`,
      items: [],
      posts: posts.map(({ number, at, text, inTheEnd }) => ({
        remoteId: number,
        postType: 'post',
        text,
        at,
        permalink: addressOf(number),
        figures: inTheEnd,
      })),
    })
  }
  return past
}

/** One every few days at different hours, oldest first. */
function postTimes(until: Date, everyDays: number, random: ReturnType<typeof seeded>): number[] {
  const times: number[] = []
  for (let back = KNOWN_DAYS - 1; back >= 0; back -= everyDays)
    times.push(until.getTime() - back * DAY - random.below(10) * HOUR - HOUR)
  return times
}
