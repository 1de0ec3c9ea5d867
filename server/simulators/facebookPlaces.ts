import { z } from 'zod'
import { fieldsOf, graphError } from './graphParts.ts'
import type { HandRule } from './handRule.ts'
import { pageOf, type Route, type World } from './world.ts'

/*
 * The search for Pages (developers.facebook.com/documentation/pages-api/search-pages), which no API description has: it
 * finds Pages, and those with a location are places. Switch of the world: `no search`, an app without Page Public
 * Metadata Access.
 */

export const placeRules: readonly HandRule[] = [
  {
    platforms: ['facebook', 'instagram'],
    host: /^graph\.facebook\.com$/,
    method: 'GET',
    path: /^\/v\d+\.\d+\/pages\/search$/,
    params: z.strictObject({
      q: z.string().min(1),
      fields: z
        .string()
        .regex(
          /^(id|name|location|link|is_eligible_for_branded_content)(,(id|name|location|link|is_eligible_for_branded_content))*$/,
        ),
      limit: z.string().regex(/^\d+$/).optional(),
    }),
    token: 'bearer',
  },
]

const known = [
  {
    id: '309968765748101',
    name: 'Harbour Market',
    location: {
      street: '1 Quay Street',
      city: 'Bristol',
      country: 'United Kingdom',
      latitude: 51.45,
      longitude: -2.6,
      zip: 'BS1',
    },
  },
  {
    id: '194776097220801',
    name: 'Harbour Books',
    location: { city: 'Hamburg', country: 'Germany', latitude: 53.54, longitude: 9.99 },
  },
  { id: '166793820034304', name: 'Harbour fans' },
  {
    id: '477776097220802',
    name: 'City Library',
    location: { street: 'Am Platz 3', city: 'Berlin', country: 'Germany', latitude: 52.51, longitude: 13.4 },
  },
]

export const facebookPlaceRoutes = (world: World): Route[] => [
  [
    'GET graph.facebook.com/{v}/pages/search',
    (call) => {
      // an app's own token: its ID and its secret
      if (!/^Bearer [^|]+\|[^|]+$/.test(call.headers.authorization ?? '')) world.who(call)
      if (world.switches.has('no search'))
        return graphError(
          10,
          undefined,
          "(#10) To use 'Page Public Metadata Access' your use of this endpoint must be reviewed and approved by Facebook.",
        )
      const wanted = call.text('q').toLowerCase()
      return {
        json: {
          data: pageOf(
            known.filter(({ name }) => name.toLowerCase().includes(wanted)),
            Number(call.text('limit')) || 25,
            '',
          ).items.map((page) => fieldsOf(call, page)),
        },
      }
    },
  ],
]
