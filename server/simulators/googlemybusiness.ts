import { daysBetween, valueOfDay } from './accountSeries.ts'
import { z } from 'zod'
import { googleError, googleRefusal } from './google.ts'
import { reviewRoutes } from './googleReviews.ts'
import { pull, type Surroundings } from './pull.ts'
import {
  pageOf,
  peopleOf,
  seedOf,
  sizeOf,
  World,
  type Call,
  type PlatformSimulator,
  type Reply,
  type Route,
  type SimulatedPost,
} from './world.ts'

/** Google Business Profile: a person's accounts, their locations, and posts that go live only after a review. */
const right = 'https://www.googleapis.com/auth/business.manage'
const photos = { types: ['image/jpeg', 'image/png'], bytes: 5_000_000 }
const places = 'mybusiness.googleapis.com/v4/accounts/{account}/locations/{location}/localPosts'

const Post = z.looseObject({
  topicType: z.string().optional(),
  summary: z.string().default(''),
  media: z.array(z.object({ sourceUrl: z.string() })).default([]),
  scheduledTime: z.string().optional(),
})

export function googleMyBusinessSimulator(around: Surroundings, google: World): PlatformSimulator {
  // the people are Google's; each owns a business account with locations
  const businesses = google.accounts.map((person, i) => {
    const account = String(100_000_000_000 + (seedOf(`business ${person.id}`) % 1_000_000_000))
    const own = ['Old Harbour', 'Mill Lane'].slice(0, 2 - (i % 2)).map((street) => ({
      id: String(2_000_000_000_000 + seedOf(`${person.id}${street}`)),
      name: `${person.name}, ${street}`,
      handle: street,
      picture: '',
      owns: [],
    }))
    return {
      person: person.id,
      account: { id: account, name: person.name, handle: person.handle, picture: person.picture, owns: own },
    }
  })
  const world = new World(
    'googlemybusiness',
    peopleOf('googlemybusiness', 0).concat(businesses.map(({ account }) => account)),
    googleRefusal,
    google.tokens,
  )
  const topics: Partial<Record<string, string>> = { events: 'EVENT', offers: 'OFFER' }
  world.usualType = 'update'
  world.native = ({ account: location, number, text, postType }) => {
    const topicType = topics[postType] ?? 'STANDARD'
    const owner = world.accounts.find(({ owns }) => owns.some(({ id }) => id === location))
    return {
      id: `accounts/${owner?.id}/locations/${location}/localPosts/${number}`,
      kind: topicType,
      permalink: `https://local.google.com/place?id=${location}&use=posts&lpsid=${number}`,
      more: { content: { topicType, summary: text, media: [] }, state: 'LIVE' },
    }
  }
  const accountOf = (call: Call): (typeof businesses)[number]['account'] => {
    const { account } = world.who(call, right)
    return (
      businesses.find(({ person }) => person === account)?.account ??
      world.no('missing', 'Requested entity was not found.')
    )
  }
  const place = (call: Call): string => {
    const account = accountOf(call)
    if (account.id !== call.path.account || !account.owns.some(({ id }) => id === call.path.location))
      world.no('missing', 'Requested entity was not found.')
    return call.path.location ?? ''
  }
  return {
    world,
    hosts: [
      'mybusiness',
      'mybusinessaccountmanagement',
      'mybusinessbusinessinformation',
      'mybusinessnotifications',
      'businessprofileperformance',
    ].map((name) => `${name}.googleapis.com`),
    routes: [
      [
        'GET mybusinessaccountmanagement.googleapis.com/v1/accounts',
        (call) => ({
          json: {
            accounts: [accountOf(call)].map(({ id, name }) => ({
              name: `accounts/${id}`,
              accountName: name,
              type: 'PERSONAL',
              verificationState: 'UNVERIFIED',
              vettedState: 'NOT_VETTED',
            })),
          },
        }),
      ],
      [
        'GET mybusinessbusinessinformation.googleapis.com/v1/accounts/{account}/locations',
        (call) => {
          if (!call.text('readMask')) world.no('request', 'read_mask is required.')
          const account = accountOf(call)
          if (account.id !== call.path.account) world.no('missing', 'Requested entity was not found.')
          const { items, next } = pageOf(account.owns, Number(call.text('pageSize')) || 10, call.text('pageToken'))
          return {
            json: {
              locations: items.map(({ id, name, handle }) => ({
                name: `locations/${id}`,
                title: name,
                storefrontAddress: { regionCode: 'GB', locality: 'Whitby', addressLines: [handle] },
                metadata: { canOperateLocalPost: true, mapsUri: `https://maps.google.com/maps?cid=${id}` },
              })),
              totalSize: account.owns.length,
              ...(next && { nextPageToken: next }),
            },
          }
        },
      ],
      ...posts(world, around, place),
      ...reviewRoutes(world, place),
      [
        'GET businessprofileperformance.googleapis.com/v1/locations/{location}:fetchMultiDailyMetricsTimeSeries',
        (call) => {
          accountOf(call)
          const part = (end: string, name: string) => call.text(`dailyRange.${end}.${name}`).padStart(2, '0')
          const dateOf = (end: string) => `${part(end, 'year')}-${part(end, 'month')}-${part(end, 'day')}`
          const days = daysBetween(dateOf('startDate'), dateOf('endDate'))
          const series = call.url.searchParams.getAll('dailyMetrics').map((dailyMetric) => ({
            dailyMetric,
            timeSeries: {
              datedValues: days.map((day) => {
                const [year, month, date] = day.split('-').map(Number)
                const place = { account: call.path.location ?? '', name: dailyMetric, day, about: 20 }
                const value = valueOfDay(place, call.now, { delayHours: 72, finalHours: 120 })
                // the newest days have no value yet
                return { date: { year, month, day: date }, ...(value !== null && { value: String(value) }) }
              }),
            },
          }))
          return { json: { multiDailyMetricTimeSeries: [{ dailyMetricTimeSeries: series }] } }
        },
      ],
    ],
  }
}

function posts(world: World, around: Surroundings, place: (call: Call) => string): Route[] {
  const find = (call: Call): SimulatedPost => {
    place(call)
    return world.post(`accounts/${call.path.account}/locations/${call.path.location}/localPosts/${call.path.post}`)
  }
  return [
    [
      `POST ${places}`,
      async (call) => {
        const location = place(call)
        const content = Post.parse(call.body.value)
        if (/\+?\d[\d ()-]{8,}\d/.test(content.summary)) return rejected(world, call, location, content)
        for (const { sourceUrl } of content.media) {
          const file = await pull(around.pull, sourceUrl, photos)
          if (typeof file === 'string' || file.bytes < 10_240)
            return googleError(
              400,
              'badRequest',
              `PHOTO_FETCH_FAILED: ${typeof file === 'string' ? `the photo ${file}` : 'the photo is smaller than 10 KB'}`,
            )
        }
        if (content.scheduledTime !== undefined && Date.parse(content.scheduledTime) <= call.now)
          world.no('request', 'scheduledTime must be in the future.')
        return {
          json: node(
            world,
            put(world, call, location, content, content.scheduledTime === undefined ? 'PROCESSING' : 'SCHEDULED'),
            false,
          ),
        }
      },
    ],
    [
      `GET ${places}`,
      (call) => {
        const location = place(call)
        // a token goes on after the post that it names, even if that one is gone
        const [, after] = /^after-(.+)$/.exec(call.text('pageToken')) ?? []
        const ever = world.newestFirst((post) => post.account === location && post.kind !== 'review')
        const rest = ever.slice(ever.findIndex(({ id }) => id === after) + 1).filter(({ deleted }) => !deleted)
        const items = rest.slice(0, sizeOf(call, 'pageSize', { usual: 20, most: 100 }))
        return {
          json: {
            localPosts: items.map((post) => node(world, post, true)),
            ...(items.length < rest.length && { nextPageToken: `after-${items.at(-1)?.id}` }),
          },
        }
      },
    ],
    [`GET ${places}/{post}`, (call) => ({ json: node(world, find(call), true) })],
    [
      `PATCH ${places}/{post}`,
      (call) => {
        const post = find(call)
        const mask = call.text('updateMask').split(',')
        if (mask.includes('media')) world.no('request', 'The media of a post cannot be changed.')
        const changed = Post.parse(call.body.value)
        if (mask.includes('summary')) post.text = changed.summary
        post.more.content = {
          ...Post.parse(post.more.content),
          ...Object.fromEntries(Object.entries(changed).filter(([name]) => mask.includes(name))),
        }
        return { json: node(world, post, false) }
      },
    ],
    [
      `DELETE ${places}/{post}`,
      (call) => {
        find(call).deleted = true
        return { json: {} }
      },
    ],
  ]
}

function put(world: World, call: Call, location: string, content: z.infer<typeof Post>, state: string): SimulatedPost {
  const name = `accounts/${call.path.account}/locations/${location}/localPosts/${world.nextId()}`
  return world.publish(
    {
      id: name,
      account: location,
      kind: content.topicType ?? 'STANDARD',
      text: content.summary,
      media: content.media.map(({ sourceUrl }) => sourceUrl),
      permalink: `https://local.google.com/place?id=${location}&use=posts&lpsid=${name.split('/').at(-1)}`,
      more: { content, state },
    },
    call.now,
  )
}

/** A phone number in the text is against the rules: the post is accepted, then rejected. */
function rejected(world: World, call: Call, location: string, content: z.infer<typeof Post>): Reply {
  return { json: node(world, put(world, call, location, content, 'REJECTED'), false) }
}

function node(world: World, post: SimulatedPost, look: boolean): Record<string, unknown> {
  if ((look || world.looks === 0) && post.more.state === 'PROCESSING' && world.done(post.more)) post.more.state = 'LIVE'
  const { topicType, summary, callToAction, event, offer } = Post.parse(post.more.content)
  const at = new Date(post.createdAt).toISOString()
  return {
    name: post.id,
    languageCode: 'en',
    summary: post.text || summary,
    topicType,
    state: post.more.state,
    createTime: at,
    updateTime: at,
    ...(post.more.state !== 'REJECTED' && { searchUrl: post.permalink }),
    ...(callToAction !== undefined && { callToAction }),
    ...(event !== undefined && { event }),
    ...(offer !== undefined && { offer }),
    ...(post.media.length > 0 && {
      media: post.media.map((sourceUrl) => ({ mediaFormat: 'PHOTO', sourceUrl, googleUrl: sourceUrl })),
    }),
  }
}
