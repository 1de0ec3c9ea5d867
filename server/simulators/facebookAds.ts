import { z } from 'zod'
import { fieldsOf, graphError, graphTime } from './graphParts.ts'
import type { HandRule } from './handRule.ts'
import { pageOf, Refused, seedOf, type Call, type Reply, type Route, type World } from './world.ts'

/*
 * The Marketing API behind a promoted post. We have no API description of it, so the rules are handwritten, from its
 * reference (developers.facebook.com/docs/marketing-api/reference). Created objects are in `world.pending` as
 * `ads/<id>`. Switches of the world: `disapproved` by the review, `unpaid` account, `ineligible` posts.
 */

const graph = 'graph.facebook.com/{v}'
const text = z.string().min(1)
const number = z.coerce.number().int().positive()
const json = <T extends z.ZodType>(schema: T) =>
  z
    .union([
      z.string().transform((value, ctx): unknown => {
        try {
          return JSON.parse(value)
        } catch {
          ctx.addIssue('no JSON')
          return z.NEVER
        }
      }),
      z.unknown(),
    ])
    .pipe(schema)
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')])
const status = z.enum(['ACTIVE', 'PAUSED'])

const Campaign = z.strictObject({
  name: text,
  objective: z.enum([
    'OUTCOME_AWARENESS',
    'OUTCOME_TRAFFIC',
    'OUTCOME_ENGAGEMENT',
    'OUTCOME_LEADS',
    'OUTCOME_APP_PROMOTION',
    'OUTCOME_SALES',
  ]),
  status: status.default('ACTIVE'),
  special_ad_categories: json(z.array(z.string())),
  is_adset_budget_sharing_enabled: flag,
  buying_type: z.literal('AUCTION').optional(),
})
const Targeting = z.looseObject({
  publisher_platforms: z.array(z.enum(['facebook', 'instagram', 'audience_network', 'messenger'])).optional(),
  targeting_automation: z.looseObject({ advantage_audience: z.union([z.literal(0), z.literal(1)]) }),
})
const AdSet = z.strictObject({
  name: text,
  campaign_id: text,
  lifetime_budget: number,
  start_time: text.optional(),
  end_time: z.string().transform((value) => Date.parse(value.replace(/\+0000$/, 'Z'))),
  billing_event: z.literal('IMPRESSIONS'),
  optimization_goal: z.enum(['POST_ENGAGEMENT', 'REACH', 'IMPRESSIONS']),
  bid_strategy: z.literal('LOWEST_COST_WITHOUT_CAP'),
  destination_type: z.literal('ON_POST'),
  promoted_object: json(z.strictObject({ page_id: z.coerce.string() })),
  targeting: json(z.looseObject({})),
  status: status.default('ACTIVE'),
})
const Creative = z.strictObject({ name: text.optional(), object_story_id: z.string().regex(/^\d+_\d+$/) })
const Ad = z.strictObject({
  name: text,
  adset_id: text,
  creative: json(z.strictObject({ creative_id: z.coerce.string() })),
  status: status.default('ACTIVE'),
})
const Listed = z.strictObject({
  fields: text,
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/)
    .optional(),
  after: text.optional(),
  effective_status: text.optional(),
  filtering: text.optional(),
})

/** Paths that no description has. IDs may have been parsed as numbers by then. */
const at = (path: string): RegExp => new RegExp(String.raw`^\/v\d+\.\d+\/${path}$`)
export const adRules: readonly HandRule[] = (
  [
    ['GET', String.raw`(me|\d+)/adaccounts`],
    ['GET', String.raw`act_\d+/(saved_audiences|campaigns|adsets|adcreatives|ads)`],
    ['GET', String.raw`\d+/(adsets|ads)`],
  ] as const
)
  .map(([method, path]): HandRule => ({
    platforms: ['facebook'],
    host: /^graph\.facebook\.com$/,
    method,
    path: at(path),
    params: Listed,
    token: 'bearer',
  }))
  .concat(
    ['campaigns', 'adsets', 'adcreatives', 'ads'].map((edge): HandRule => ({
      platforms: ['facebook'],
      host: /^graph\.facebook\.com$/,
      method: 'POST',
      path: at(String.raw`act_\d+/${edge}`),
      params: z.looseObject({}),
      token: 'bearer',
    })),
    {
      platforms: ['facebook'],
      host: /^graph\.facebook\.com$/,
      method: 'POST',
      path: at(String.raw`\d+`),
      with: 'status',
      params: z.strictObject({ status: z.enum(['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED']) }),
      token: 'bearer',
    },
  )

type Thing = {
  kind: 'campaign' | 'adSet' | 'creative' | 'ad'
  id: string
  person: string
  adAccount: string
  name: string
  status: string
  parent: string
  createdAt: number
  more: Record<string, unknown>
}

/** The objects in ad accounts, oldest first. */
export const adsIn = (world: World): Thing[] =>
  // only this file writes under that name
  [...world.pending].flatMap(([key, thing]) => (key.startsWith('ads/') ? [thing as Thing] : []))

const ADS = ['ads_management', 'ads_read'] as const
const tasks = ['DRAFT', 'ANALYZE', 'ADVERTISE', 'MANAGE']

/** Every person has these: one in hundredths, one in whole units, one that can't pay, one that is read-only. */
const accountsOf = (person: string) => [
  {
    id: `act_${person}1`,
    account_id: `${person}1`,
    name: 'Northlight Coffee',
    currency: 'USD',
    account_status: 1,
    min_daily_budget: 100,
    user_tasks: tasks,
    timezone_name: 'Europe/Berlin',
  },
  {
    id: `act_${person}2`,
    account_id: `${person}2`,
    name: 'Northlight Tokyo',
    currency: 'JPY',
    account_status: 1,
    min_daily_budget: 159,
    user_tasks: tasks,
    timezone_name: 'Asia/Tokyo',
  },
  {
    id: `act_${person}3`,
    account_id: `${person}3`,
    name: 'Roastery, old',
    currency: 'EUR',
    account_status: 2,
    min_daily_budget: 93,
    user_tasks: tasks,
    timezone_name: 'Europe/Berlin',
  },
  {
    id: `act_${person}4`,
    account_id: `${person}4`,
    name: 'Agency',
    currency: 'EUR',
    account_status: 1,
    min_daily_budget: 93,
    user_tasks: ['ANALYZE'],
    timezone_name: 'Europe/Berlin',
  },
]
const audiencesOf = (adAccount: string) => [
  {
    id: `${adAccount.slice(4)}71`,
    name: 'Coffee lovers nearby',
    targeting: {
      geo_locations: { cities: [{ key: '777934', radius: 17, distance_unit: 'kilometer' }] },
      age_min: 18,
      age_max: 65,
    },
  },
  {
    id: `${adAccount.slice(4)}72`,
    name: 'Readers, 25 to 54',
    targeting: { geo_locations: { countries: ['US'] }, age_min: 25, age_max: 54, publisher_platforms: ['facebook'] },
  },
]

export function facebookAdRoutes(world: World): Route[] {
  const mayUse = (call: Call, id: string, ...rights: string[]): string => {
    const { account, kind } = world.who(call, ...rights)
    if (kind === 'page' || !accountsOf(account).some((one) => one.id === id))
      world.no('scope', 'Ad account owner has NOT grant ads_management or ads_read permission')
    return account
  }
  const thing = (call: Call, id: string, ...kinds: Thing['kind'][]): Thing | undefined =>
    adsIn(world).find(
      (one) =>
        one.id === id &&
        (kinds.length === 0 || kinds.includes(one.kind)) &&
        world.who(call, ...ADS).account === one.person,
    )
  const make = (
    call: Call,
    kind: Thing['kind'],
    name: string,
    parent: string,
    own: string,
    more: Record<string, unknown>,
  ): Reply => {
    const made: Thing = {
      kind,
      id: world.nextId(),
      person: mayUse(call, call.path.act ?? '', 'ads_management'),
      adAccount: call.path.act ?? '',
      name,
      status: own,
      parent,
      createdAt: call.now,
      more,
    }
    world.pending.set(`ads/${made.id}`, made)
    return { json: { id: made.id } }
  }
  const list = (call: Call, all: Record<string, unknown>[]): Reply => {
    const { items, next } = pageOf(all, Number(call.text('limit')) || 25, call.text('after'))
    return {
      json: {
        data: items.map((one) => fieldsOf(call, one)),
        paging: {
          cursors: { ...(next && { after: next }) },
          ...(next && { next: `https://${call.url.host}${call.url.pathname}?after=${next}` }),
        },
      },
    }
  }
  const stands =
    (call: Call) =>
    (one: Thing): boolean =>
      one.status !== 'DELETED' || call.text('effective_status').includes('DELETED')
  const below = (call: Call, kind: Thing['kind'], of: (one: Thing) => boolean): Reply =>
    list(
      call,
      adsIn(world)
        .filter((one) => one.kind === kind && of(one) && stands(call)(one))
        .map((one) => nodeOf(world, one, call)),
    )
  const known = (call: Call, id: string, kind: Thing['kind'], adAccount: string): Thing => {
    const found = thing(call, id, kind)
    return found?.adAccount === adAccount && found.status !== 'DELETED'
      ? found
      : world.no('request', `Invalid parameter: ${kind}`)
  }
  return [
    [`GET ${graph}/{id}/adaccounts`, (call) => list(call, accountsOf(world.who(call, ...ADS).account))],
    [
      `GET ${graph}/{act}/saved_audiences`,
      (call) => (mayUse(call, call.path.act ?? '', ...ADS), list(call, audiencesOf(call.path.act ?? ''))),
    ],
    [
      `POST ${graph}/{act}/campaigns`,
      (call) => {
        mayUse(call, call.path.act ?? '', 'ads_management')
        if (call.fields.is_adset_budget_sharing_enabled === undefined)
          throw new Refused(
            graphError(100, 4_834_011, 'Must specify True or False in is_adset_budget_sharing_enabled field'),
          )
        const { name, ...rest } = Campaign.parse(call.body.value)
        return make(call, 'campaign', name, '', rest.status, rest)
      },
    ],
    [
      `POST ${graph}/{act}/adsets`,
      (call) => {
        const person = mayUse(call, call.path.act ?? '', 'ads_management')
        if (call.text('bid_strategy') === '')
          throw new Refused(graphError(100, 2_490_487, 'Bid amount or bid constraints required'))
        const { name, ...rest } = AdSet.parse(call.body.value)
        if (!Targeting.safeParse(rest.targeting).success)
          throw new Refused(
            graphError(
              100,
              1_870_227,
              'To create your ad set, you need to enable or disable the Advantage audience feature.',
            ),
          )
        const campaign = known(call, rest.campaign_id, 'campaign', call.path.act ?? '')
        const days = (rest.end_time - call.now) / 86_400_000
        if (!(days > 0)) world.no('request', 'The end time has to lie in the future.')
        const least = accountsOf(person).find(({ id }) => id === call.path.act)?.min_daily_budget ?? 0
        if (rest.lifetime_budget < Math.floor(least * days))
          throw new Refused(graphError(100, 1_885_272, 'Your budget is too low'))
        return make(call, 'adSet', name, campaign.id, rest.status, rest)
      },
    ],
    [
      `POST ${graph}/{act}/adcreatives`,
      (call) => {
        mayUse(call, call.path.act ?? '', 'ads_management')
        const { name = '', ...rest } = Creative.parse(call.body.value)
        world.post(rest.object_story_id)
        return make(call, 'creative', name, '', 'ACTIVE', rest)
      },
    ],
    [
      `POST ${graph}/{act}/ads`,
      (call) => {
        mayUse(call, call.path.act ?? '', 'ads_management')
        const { name, ...rest } = Ad.parse(call.body.value)
        known(call, rest.creative.creative_id, 'creative', call.path.act ?? '')
        return make(call, 'ad', name, known(call, rest.adset_id, 'adSet', call.path.act ?? '').id, rest.status, rest)
      },
    ],
    ...(['campaigns', 'adsets', 'adcreatives', 'ads'] as const).map((edge): Route => [
      `GET ${graph}/{act}/${edge}`,
      (call) => {
        if (!/^act_\d+$/.test(call.path.act ?? '')) return undefined
        mayUse(call, call.path.act ?? '', ...ADS)
        const kind = ({ campaigns: 'campaign', adsets: 'adSet', adcreatives: 'creative', ads: 'ad' } as const)[edge]
        const wanted = z
          .array(z.object({ field: z.literal('name'), operator: z.literal('CONTAIN'), value: z.string() }))
          .parse(JSON.parse(call.text('filtering') || '[]'))
        return below(
          call,
          kind,
          (one) => one.adAccount === call.path.act && wanted.every(({ value }) => one.name.includes(value)),
        )
      },
    ]),
    [
      `GET ${graph}/{id}/adsets`,
      (call) =>
        thing(call, call.path.id ?? '', 'campaign')
          ? below(call, 'adSet', (one) => one.parent === call.path.id)
          : world.refuse('missing', 'Object does not exist'),
    ],
    [
      `GET ${graph}/{id}/ads`,
      (call) =>
        thing(call, call.path.id ?? '', 'adSet')
          ? below(call, 'ad', (one) => one.parent === call.path.id)
          : world.refuse('missing', 'Object does not exist'),
    ],
    [
      `GET ${graph}/{id}`,
      (call) => {
        const found = adsIn(world).find(({ id }) => id === call.path.id)
        if (found)
          return thing(call, found.id) && found.status !== 'DELETED'
            ? { json: fieldsOf(call, nodeOf(world, found, call)) }
            : world.refuse('missing', `Object ${found.id} does not exist.`)
        const adAccount = /^(\d+)7[12]$/.exec(call.path.id ?? '')?.[1]
        const audience =
          adAccount === undefined ? undefined : audiencesOf(`act_${adAccount}`).find(({ id }) => id === call.path.id)
        if (
          !audience ||
          !accountsOf(world.tokens.get((call.headers.authorization ?? '').replace(/^Bearer /, ''))?.account ?? '').some(
            ({ id }) => id === `act_${adAccount ?? ''}`,
          )
        )
          return undefined
        mayUse(call, `act_${adAccount ?? ''}`, ...ADS)
        return { json: fieldsOf(call, audience) }
      },
    ],
    [
      `POST ${graph}/{id}`,
      (call) => {
        const found = adsIn(world).find(({ id }) => id === call.path.id)
        if (!found) return undefined
        mayUse(call, found.adAccount, 'ads_management')
        if (found.status === 'DELETED') world.no('missing', `Object ${found.id} does not exist.`)
        found.status = z.enum(['ACTIVE', 'PAUSED', 'ARCHIVED', 'DELETED']).parse(call.text('status'))
        return { json: { success: true } }
      },
    ],
    [
      `DELETE ${graph}/{id}`,
      (call) => {
        const found = adsIn(world).find(({ id }) => id === call.path.id)
        if (!found) return undefined
        mayUse(call, found.adAccount, 'ads_management')
        found.status = 'DELETED'
        return { json: { success: true } }
      },
    ],
  ]
}

/** An object as the API returns it, with the state of its parents. */
function nodeOf(world: World, one: Thing, call: Call): Record<string, unknown> {
  const all = adsIn(world)
  const plain = {
    id: one.id,
    name: one.name,
    status: one.status,
    account_id: one.adAccount.slice(4),
    created_time: graphTime(one.createdAt),
  }
  if (one.kind !== 'ad') return { ...plain, effective_status: one.status, ...(one.kind === 'creative' && one.more) }
  const adSet = all.find(({ id }) => id === one.parent)
  const campaign = all.find(({ id }) => id === adSet?.parent)
  const effective =
    campaign?.status !== 'ACTIVE'
      ? 'CAMPAIGN_PAUSED'
      : adSet?.status !== 'ACTIVE'
        ? 'ADSET_PAUSED'
        : one.status !== 'ACTIVE'
          ? one.status
          : reviewed(world, one)
  const end = Number(adSet?.more.end_time)
  const budget = Number(adSet?.more.lifetime_budget)
  const hours = Math.max(0, Math.min(call.now, end) - one.createdAt) / 3_600_000
  const share = effective === 'ACTIVE' ? Math.min(1, hours / Math.max(1, (end - one.createdAt) / 3_600_000)) : 0
  return {
    ...plain,
    effective_status: effective,
    adset: { id: adSet?.id, effective_status: adSet?.status, end_time: graphTime(end) },
    campaign: { id: campaign?.id, effective_status: campaign?.status },
    ...(effective === 'DISAPPROVED' && {
      ad_review_feedback: { global: { UNACCEPTABLE_CONTENT: 'This ad promises more than it can keep.' } },
    }),
    ...(share > 0 && {
      insights: {
        data: [
          {
            spend: (
              (budget * share) /
              (accountsOf(one.person).find(({ id }) => id === one.adAccount)?.currency === 'JPY' ? 1 : 100)
            ).toFixed(2),
            impressions: String(Math.floor(hours * (40 + (seedOf(one.id) % 20)))),
            reach: String(Math.floor(hours * 30)),
            date_start: '2026-01-01',
            date_stop: '2026-12-31',
          },
        ],
      },
    }),
  }
}

function reviewed(world: World, ad: Thing): string {
  if (world.switches.has('disapproved')) return 'DISAPPROVED'
  if (world.switches.has('unpaid')) return 'PENDING_BILLING_INFO'
  return world.done(ad.more) ? 'ACTIVE' : 'PENDING_REVIEW'
}

/** What a post says about promoting it. */
export const promotable = (world: World, { id, kind }: { id: string; kind: string }): Record<string, unknown> => ({
  is_eligible_for_promotion: kind !== 'story' && !world.switches.has('ineligible'),
  promotable_id: id,
})
