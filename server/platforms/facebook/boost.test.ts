import { describe, expect, it } from 'vitest'
import { facebook as rules } from '#contract/platforms/facebook.ts'
import { scriptedFetch, type ScriptedRequest, type Step } from '../../testing/scriptedFetch.ts'
import type { Reach } from '../platform.ts'
import type { Promoted, Promotion } from '../promotion.ts'
import { createFacebook } from './adapter.ts'
import type { FacebookSecret } from './schemas.ts'

const { boost } = createFacebook()
const page: FacebookSecret = { accessToken: 'page-token', pageId: '77', clientId: 'app', scopes: [] }
const secret: FacebookSecret = { ...page, userToken: 'user-token', userTokenEndsAt: null }
const account = { remoteId: '77', handle: '@rook', service: null }
const G = 'graph.facebook.com/v25.0'
const promoted: Promoted = {
  name: 'Rookery 1',
  postType: 'post',
  remoteId: '77_5',
  adAccountId: 'act_9',
  audienceId: '41',
  budget: 1500,
  minorUnits: 100,
  endsAt: new Date('2026-11-26T10:00:00.123Z'),
  made: { post: '77_5', campaign: '1', adSet: '2', creative: '3', ad: '4' },
}

function run(steps: (Step | ((request: ScriptedRequest) => Step))[], own = secret) {
  if (!boost) throw new Error('Facebook promotes posts')
  const fetch = scriptedFetch('facebook', steps)
  const reach: Reach = { fetch, signal: new AbortController().signal }
  return {
    fetch,
    accounts: () => boost.accounts(reach, own, account),
    audiences: () => boost.audiences(reach, own, account, 'act_9'),
    make: (step: string, more: Partial<Promoted> = {}) =>
      boost.make(reach, own, account, { ...promoted, ...more }, step),
    find: (step: string) => boost.find(reach, own, account, promoted, step),
    look: (more: Partial<Promoted> = {}) => boost.look(reach, own, account, { ...promoted, ...more }),
    stop: (made: Promoted['made']) => boost.stop(reach, own, account, { ...promoted, made }),
  }
}
const form = (fetch: ReturnType<typeof scriptedFetch>, at = 0) =>
  Object.fromEntries(Object.entries(fetch.asked[at]?.body.value ?? {}).map(([name, value]) => [name, String(value)]))
const graphError = (code: number, more: Record<string, unknown> = {}): Step => ({
  status: 400,
  json: { error: { message: 'Words of the platform', type: 'OAuthException', code, ...more } },
})
const audience = { id: '41', name: 'Near', targeting: { geo_locations: { countries: ['DE'] }, age_min: 20 } }

describe('ad accounts and audiences', () => {
  it("are read with the person's token, page by page", async () => {
    const node = {
      id: 'act_9',
      name: 'Coffee',
      currency: 'USD',
      account_status: 1,
      min_daily_budget: 100,
      user_tasks: ['ADVERTISE'],
    }
    const { fetch, accounts } = run([
      {
        on: `GET ${G}/me/adaccounts`,
        json: { data: [node], paging: { cursors: { after: 'x' }, next: 'https://graph.facebook.com/more' } },
      },
      {
        json: {
          data: [
            { ...node, id: 'act_10', name: '', currency: 'JPY', min_daily_budget: '159' },
            { ...node, id: 'act_11', account_status: 2 },
            { ...node, id: 'act_12', user_tasks: ['ANALYZE'] },
          ],
        },
      },
    ])
    expect(await accounts()).toEqual({
      kind: 'accounts',
      accounts: [
        { adAccountId: 'act_9', name: 'Coffee', currency: 'USD', minorUnits: 100, minDaily: 100, problem: null },
        { adAccountId: 'act_10', name: 'act_10', currency: 'JPY', minorUnits: 1, minDaily: 159, problem: null },
        expect.objectContaining({ adAccountId: 'act_11', problem: 'Facebook has disabled this account.' }),
        expect.objectContaining({ adAccountId: 'act_12', problem: expect.stringContaining("can't advertise") }),
      ],
    })
    expect(fetch.asked.map(({ headers, url }) => [headers.authorization, url.searchParams.get('after')])).toEqual([
      ['Bearer user-token', null],
      ['Bearer user-token', 'x'],
    ])
    expect(
      await run([{ on: `GET ${G}/act_9/saved_audiences`, json: { data: [{ id: '41', name: 'Near' }] } }]).audiences(),
    ).toEqual({ kind: 'audiences', audiences: [{ audienceId: '41', name: 'Near', problem: null }] })
  })

  it('need a connection as Ad Manager with a valid token', async () => {
    expect(await run([], page).accounts()).toMatchObject({
      kind: 'reconnect',
      reason: { code: 'ads-page-only' },
    })
    expect(await run([graphError(190, { error_subcode: 463 })]).accounts()).toMatchObject({
      kind: 'reconnect',
      reason: { code: 'ads-sign-in-ended' },
    })
    expect(await run([graphError(200)]).audiences()).toMatchObject({
      kind: 'rejected',
      reason: { code: 'ads-permission-missing' },
    })
  })
})

describe('the promoted post', () => {
  it('is checked for eligibility, and its ID for ads is found', async () => {
    const { fetch, make } = run([
      { on: `GET ${G}/77_5`, json: { id: '77_5', is_eligible_for_promotion: true, promotable_id: '77_6' } },
    ])
    expect(await make('post')).toEqual({ kind: 'made', remoteId: '77_6' })
    expect(fetch.asked[0]?.headers.authorization).toBe('Bearer page-token')
    expect(await run([{ json: { id: '77_5', is_eligible_for_promotion: false } }]).make('post')).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'not-eligible' },
    })
    expect(await run([graphError(100, { error_subcode: 33 })]).make('post')).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'gone' },
    })
  })

  it('is read from the video if it has one', async () => {
    const { fetch, make } = run([
      { on: `GET ${G}/900`, json: { id: '900', post_id: '5' } },
      { on: `GET ${G}/77_5`, json: { id: '77_5' } },
    ])
    expect(await make('post', { remoteId: '900', postType: 'reel' })).toEqual({ kind: 'made', remoteId: '77_5' })
    expect(fetch.left()).toBe(0)
  })
})

describe('each step', () => {
  it('carries our name, and nothing is spent before the last one', async () => {
    const campaign = run([{ on: `POST ${G}/act_9/campaigns`, json: { id: '1' } }])
    expect(await campaign.make('campaign')).toEqual({ kind: 'made', remoteId: '1' })
    expect(form(campaign.fetch)).toEqual({
      name: 'Rookery 1',
      objective: 'OUTCOME_ENGAGEMENT',
      status: 'PAUSED',
      special_ad_categories: '[]',
      is_adset_budget_sharing_enabled: 'false',
    })
    const adSet = run([
      { on: `GET ${G}/41`, json: audience },
      { on: `POST ${G}/act_9/adsets`, json: { id: '2' } },
    ])
    expect(await adSet.make('adSet')).toEqual({ kind: 'made', remoteId: '2' })
    const { targeting, ...rest } = form(adSet.fetch, 1)
    expect(rest).toEqual({
      name: 'Rookery 1',
      campaign_id: '1',
      lifetime_budget: '1500',
      end_time: '2026-11-26T10:00:00+0000',
      billing_event: 'IMPRESSIONS',
      optimization_goal: 'POST_ENGAGEMENT',
      bid_strategy: 'LOWEST_COST_WITHOUT_CAP',
      destination_type: 'ON_POST',
      promoted_object: '{"page_id":"77"}',
      status: 'ACTIVE',
    })
    expect(JSON.parse(targeting ?? '')).toEqual({
      geo_locations: { countries: ['DE'] },
      age_min: 20,
      publisher_platforms: ['facebook'],
      targeting_automation: { advantage_audience: 0 },
    })
    const creative = run([{ on: `POST ${G}/act_9/adcreatives`, json: { id: '3' } }])
    expect(await creative.make('creative')).toEqual({ kind: 'made', remoteId: '3' })
    expect(form(creative.fetch)).toEqual({ name: 'Rookery 1', object_story_id: '77_5' })
    const ad = run([{ on: `POST ${G}/act_9/ads`, json: { id: '4' } }])
    expect(await ad.make('ad')).toEqual({ kind: 'made', remoteId: '4' })
    expect(form(ad.fetch)).toEqual({
      name: 'Rookery 1',
      adset_id: '2',
      creative: '{"creative_id":"3"}',
      status: 'ACTIVE',
    })
    const start = run([{ on: `POST ${G}/1`, json: { success: true } }])
    expect(await start.make('start')).toEqual({ kind: 'made', remoteId: '1' })
    expect(form(start.fetch)).toEqual({ status: 'ACTIVE' })
  })

  it.each(['campaign', 'creative', 'ad'])(
    '%s may have happened if the response is lost or the platform has a problem',
    async (step) => {
      expect(await run([{ fails: 'lost' }]).make(step)).toMatchObject({ kind: 'unknown' })
      expect(await run([{ status: 500, text: 'oops' }]).make(step)).toMatchObject({ kind: 'unknown' })
      expect(await run([{ text: 'no JSON' }]).make(step)).toMatchObject({ kind: 'unknown' })
      expect(await run([{ fails: 'unsent' }]).make(step)).toMatchObject({ kind: 'retry' })
      expect(await run([graphError(100, { error_user_msg: 'Too low' })]).make(step)).toMatchObject({
        kind: 'rejected',
        reason: { code: 'ads-refused', params: { because: { params: { words: expect.stringContaining('Too low') } } } },
      })
    },
  )

  it('refuses an audience without places, or a deleted one, before creating anything', async () => {
    expect(await run([{ json: { ...audience, targeting: { age_min: 20 } } }]).make('adSet')).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'audience' },
    })
    expect(await run([graphError(100, { error_subcode: 33 })]).make('adSet')).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'audience' },
    })
    expect(await run([{ fails: 'lost' }]).make('adSet')).toMatchObject({ kind: 'retry' })
  })

  it.each([
    ['campaign', '/act_9/campaigns'],
    ['adSet', '/1/adsets'],
    ['creative', '/act_9/adcreatives'],
    ['ad', '/2/ads'],
  ])('%s is found again by our name', async (step, path) => {
    const there = run([
      {
        on: `GET ${G}${path}`,
        json: {
          data: [
            { id: '7', name: 'Rookery 11' },
            { id: '8', name: 'Rookery 1' },
          ],
        },
      },
    ])
    expect(await there.find(step)).toEqual({ kind: 'found', remoteId: '8' })
    if (step !== 'creative') expect(there.fetch.asked[0]?.url.searchParams.get('effective_status')).toContain('DELETED')
    expect(await run([{ json: { data: [{ id: '7', name: 'Rookery 11' }] } }]).find(step)).toEqual({ kind: 'absent' })
    // what cannot be read may still be there
    expect(await run([graphError(200)]).find(step)).toMatchObject({ kind: 'unknown' })
  })
})

describe('the state of a promotion', () => {
  const ad = {
    id: '4',
    effective_status: 'ACTIVE',
    adset: { effective_status: 'ACTIVE', end_time: '2026-11-26T10:00:00+0000' },
    campaign: { effective_status: 'ACTIVE' },
    insights: { data: [{ spend: '12.34', impressions: '1000', reach: '800' }] },
  }
  it.each([
    [{}, 'ACTIVE'],
    [{ campaign: { effective_status: 'PAUSED' } }, 'STOPPED'],
    [{ effective_status: 'CAMPAIGN_PAUSED' }, 'STOPPED'],
    [{ effective_status: 'PENDING_REVIEW' }, 'IN_REVIEW'],
    [{ effective_status: 'DISAPPROVED', ad_review_feedback: { global: { A: 'It shouts' } } }, 'REJECTED'],
    [{ effective_status: 'PENDING_BILLING_INFO' }, 'HELD'],
    [
      {
        effective_status: 'WITH_ISSUES',
        issues_info: [{ error_summary: 'Short', error_message: 'The link is broken' }],
      },
      'HELD',
    ],
    [{ effective_status: 'OF_TOMORROW' }, 'HELD'],
  ])('for %o is %s', async (more, state) => {
    const seen = await run([{ on: `GET ${G}/4`, json: { ...ad, ...more } }]).look()
    expect(seen).toMatchObject({
      kind: 'seen',
      state,
      spent: 1234,
      impressions: 1000,
      reach: 800,
      endsAt: new Date('2026-11-26T10:00:00Z'),
    })
    if (state === 'REJECTED')
      expect(seen).toMatchObject({ reason: { code: 'ads-rejected', params: { words: 'It shouts.' } } })
    if ('issues_info' in more)
      expect(seen).toMatchObject({
        reason: { code: 'ads-held', params: { words: expect.stringContaining('The link is broken') } },
      })
  })

  it('uses whole units for currencies without smaller ones, and reports deleted promotions', async () => {
    expect(
      await run([{ json: { ...ad, insights: { data: [{ spend: '500', impressions: '1', reach: '1' }] } } }]).look({
        minorUnits: 1,
      }),
    ).toMatchObject({ spent: 500 })
    expect(await run([{ json: { id: '4', effective_status: 'PENDING_REVIEW' } }]).look()).toMatchObject({
      state: 'IN_REVIEW',
      spent: null,
      endsAt: null,
    })
    expect(await run([graphError(100, { error_subcode: 33 })]).look()).toEqual({ kind: 'gone' })
  })

  it('becomes paused if there is an ad, or deleted before; stopping again succeeds', async () => {
    const paused = run([{ on: `POST ${G}/1`, json: { success: true } }])
    expect(await paused.stop(promoted.made)).toEqual({ kind: 'stopped' })
    expect(form(paused.fetch)).toEqual({ status: 'PAUSED' })
    expect(await run([{ on: `DELETE ${G}/1`, json: { success: true } }]).stop({ campaign: '1' })).toEqual({
      kind: 'stopped',
    })
    expect(await run([]).stop({})).toEqual({ kind: 'stopped' })
    expect(await run([graphError(100, { error_subcode: 33 })]).stop(promoted.made)).toEqual({ kind: 'stopped' })
    expect(await run([{ fails: 'lost' }]).stop(promoted.made)).toMatchObject({ kind: 'unknown' })
  })
})

it('matches what the rules offer', () => {
  expect(boost?.variant).toBe(rules.promotion?.variant)
  expect(rules.app?.variants?.map(({ value }) => value)).toContain(boost?.variant)
  for (const right of boost?.needs ?? []) expect(rules.app?.rights?.[right]).toBeDefined()
})

it("is always checked before creating anything that isn't repeatable", () => {
  const steps: Promotion['steps'] = boost?.steps ?? []
  expect(steps.map(({ key, kind }) => `${key} ${kind}`)).toEqual([
    'post read',
    'campaign once',
    'adSet once',
    'creative once',
    'ad once',
    'start repeatable',
  ])
})
