import type { Doing } from '#contract/failures/calls.ts'
import { because, type Reason } from '#contract/failures/catalog.ts'
import type { AdAccount } from '#contract/boosts.ts'
import { isGone } from '../graph.ts'
import type { Reach, Refusal } from '../platform.ts'
import type { Promoted, Promotion } from '../promotion.ts'
import { AdAccountNode, AdNode, Named, Promotable, SavedAudience, VideoPost, type Targeting } from './adSchemas.ts'
import {
  changeAds,
  readAds,
  readAdsList,
  readAdsSecret,
  refusalOfAds,
  SEND_TIMEOUT_MS,
  type AdsSecret,
} from './adsClient.ts'
import { read, READ_TIMEOUT_MS, refusalOf } from './client.ts'
import { Made, Success } from './schemas.ts'
import { accountProblem, minorUnitsOf, seenIn } from './adWords.ts'

/*
 * A promoted post is a campaign with one ad set and one ad that shows it (Marketing API: ad-campaign-group,
 * ad-campaign, adgroup, ad-creative; object_story_id). The campaign is created paused and activated last, so nothing is
 * spent before that. All of them carry a name of ours, by which they are found again.
 */

const ACCOUNT_FIELDS = 'id,name,currency,account_status,min_daily_budget,user_tasks'
/** Includes those that someone deleted or archived: they aren't created again because of that. */
const EVERY_STATUS = JSON.stringify([
  'ACTIVE',
  'PAUSED',
  'DELETED',
  'PENDING_REVIEW',
  'DISAPPROVED',
  'PREAPPROVED',
  'PENDING_BILLING_INFO',
  'CAMPAIGN_PAUSED',
  'ARCHIVED',
  'ADSET_PAUSED',
  'IN_PROCESS',
  'WITH_ISSUES',
])

type Done = Awaited<ReturnType<Promotion['make']>>
type Found = Awaited<ReturnType<Promotion['find']>>

const accounts: Promotion['accounts'] = async (reach, secret) => {
  const own = readAdsSecret(secret)
  if (own.kind !== 'secret') return own
  const list = await readAdsList(reach, own.value, '/me/adaccounts', { fields: ACCOUNT_FIELDS }, AdAccountNode)
  if (list.kind !== 'list') return refusalOfAds(list, 'list-ad-accounts')
  const toAccount = (node: AdAccountNode): AdAccount => ({
    adAccountId: node.id,
    name: node.name || node.id,
    currency: node.currency,
    minorUnits: minorUnitsOf(node.currency),
    minDaily: node.min_daily_budget,
    problem: accountProblem(node),
  })
  return { kind: 'accounts', accounts: list.items.map(toAccount) }
}

const audiences: Promotion['audiences'] = async (reach, secret, _account, adAccountId) => {
  const own = readAdsSecret(secret)
  if (own.kind !== 'secret') return own
  const list = await readAdsList(reach, own.value, `/${adAccountId}/saved_audiences`, { fields: 'id,name' }, Named)
  if (list.kind !== 'list') return refusalOfAds(list, 'list-audiences')
  return {
    kind: 'audiences',
    audiences: list.items.map(({ id, name }) => ({ audienceId: id, name: name || id, problem: null })),
  }
}

const make: Promotion['make'] = async (reach, secret, _account, promoted, step) => {
  const own = readAdsSecret(secret)
  if (own.kind !== 'secret') return own
  const { name, adAccountId, made } = promoted
  switch (step) {
    case 'post':
      return await storyOf(reach, own.value, promoted)
    case 'campaign': {
      // the budget is in the ad set, which has to be declared since version 24
      const form = {
        name,
        objective: 'OUTCOME_ENGAGEMENT',
        status: 'PAUSED',
        special_ad_categories: '[]',
        is_adset_budget_sharing_enabled: 'false',
      }
      return await create(reach, own.value, `/${adAccountId}/campaigns`, form, 'create-campaign')
    }
    case 'adSet':
      return await createAdSet(reach, own.value, promoted)
    case 'creative':
      return await create(
        reach,
        own.value,
        `/${adAccountId}/adcreatives`,
        { name, object_story_id: made.post },
        'create-creative',
      )
    case 'ad': {
      const form = {
        name,
        adset_id: made.adSet,
        creative: JSON.stringify({ creative_id: made.creative }),
        status: 'ACTIVE',
      }
      return await create(reach, own.value, `/${adAccountId}/ads`, form, 'create-ad')
    }
    case 'start':
    default: {
      const started = await changeAds(reach, own.value, {
        path: `/${made.campaign ?? ''}`,
        method: 'POST',
        form: { status: 'ACTIVE' },
        reply: Success,
      })
      return started.kind === 'ok'
        ? { kind: 'made', remoteId: made.campaign ?? '' }
        : refusalOfAds(started, 'start-campaign', true)
    }
  }
}

async function create(
  reach: Reach,
  secret: AdsSecret,
  path: string,
  form: Record<string, string | undefined>,
  doing: Doing,
): Promise<Done> {
  const made = await changeAds(reach, secret, { path, method: 'POST', form, reply: Made })
  return made.kind === 'ok' ? { kind: 'made', remoteId: made.value.id } : refusalOfAds(made, doing, true)
}

/**
 * Finds the post that an ad can show (videos have a separate one) and whether Facebook allows promoting it. Only reads.
 */
async function storyOf(reach: Reach, secret: AdsSecret, { remoteId }: Promoted): Promise<Done> {
  let story = remoteId
  if (!remoteId.includes('_')) {
    const video = await read(reach, secret, `/${remoteId}`, { fields: 'id,post_id' }, VideoPost)
    if (video.kind !== 'ok') return isGone(video) ? gone : refusalOf(video, 'show-post')
    if (video.value.post_id === null)
      return { kind: 'rejected', reason: { ...because('ads-video-without-post'), platformCode: 'no-post' } }
    story = video.value.post_id.includes('_') ? video.value.post_id : `${secret.pageId}_${video.value.post_id}`
  }
  const post = await read(
    reach,
    secret,
    `/${story}`,
    { fields: 'id,is_eligible_for_promotion,promotable_id' },
    Promotable,
  )
  if (post.kind !== 'ok') return isGone(post) ? gone : refusalOf(post, 'show-post')
  if (post.value.is_eligible_for_promotion === false)
    return { kind: 'rejected', reason: { ...because('ads-post-not-eligible'), platformCode: 'not-eligible' } }
  return { kind: 'made', remoteId: post.value.promotable_id ?? post.value.id }
}
const gone: Refusal = { kind: 'rejected', reason: { ...because('ads-post-gone'), platformCode: 'gone' } }

async function createAdSet(reach: Reach, secret: AdsSecret, promoted: Promoted): Promise<Done> {
  const audience = await readAds(
    reach,
    secret,
    `/${promoted.audienceId}`,
    { fields: 'id,name,targeting' },
    SavedAudience,
  )
  if (audience.kind !== 'ok')
    return isGone(audience) ? noAudience(because('ads-audience-gone')) : refusalOfAds(audience, 'show-audience')
  const { targeting } = audience.value
  if (targeting.geo_locations === undefined && targeting.custom_audiences === undefined)
    return noAudience(because('ads-audience-without-place'))
  const form = {
    name: promoted.name,
    campaign_id: promoted.made.campaign,
    lifetime_budget: String(promoted.budget),
    end_time: promoted.endsAt.toISOString().replace(/\.\d+Z$/, '+0000'),
    billing_event: 'IMPRESSIONS',
    optimization_goal: 'POST_ENGAGEMENT',
    bid_strategy: 'LOWEST_COST_WITHOUT_CAP',
    destination_type: 'ON_POST',
    promoted_object: JSON.stringify({ page_id: secret.pageId }),
    targeting: JSON.stringify(asChosen(targeting)),
    status: 'ACTIVE',
  }
  return await create(reach, secret, `/${promoted.adAccountId}/adsets`, form, 'create-ad-set')
}
const noAudience = (reason: Reason): Refusal => ({ kind: 'rejected', reason: { ...reason, platformCode: 'audience' } })

/** Exactly the chosen audience, on Facebook if it names no placement. The first field is required (1870227). */
const asChosen = (targeting: Targeting): Targeting => ({
  ...targeting,
  publisher_platforms: targeting.publisher_platforms ?? ['facebook'],
  targeting_automation: targeting.targeting_automation ?? { advantage_audience: 0 },
})

const find: Promotion['find'] = async (reach, secret, _account, { name, adAccountId, made }, step) => {
  const own = readAdsSecret(secret)
  if (own.kind !== 'secret') return own
  const named = (path: string, more: Record<string, string> = {}) => byName(reach, own.value, path, name, more)
  // children of our own objects are ours, so they don't need to be searched for
  if (step === 'campaign')
    return await named(`/${adAccountId}/campaigns`, {
      effective_status: EVERY_STATUS,
      filtering: JSON.stringify([{ field: 'name', operator: 'CONTAIN', value: name }]),
    })
  if (step === 'adSet') return await named(`/${made.campaign ?? ''}/adsets`, { effective_status: EVERY_STATUS })
  if (step === 'creative') return await named(`/${adAccountId}/adcreatives`)
  return await named(`/${made.adSet ?? ''}/ads`, { effective_status: EVERY_STATUS })
}

async function byName(
  reach: Reach,
  secret: AdsSecret,
  path: string,
  name: string,
  more: Record<string, string>,
): Promise<Found> {
  const list = await readAdsList(reach, secret, path, { fields: 'id,name', ...more }, Named)
  if (list.kind === 'list') {
    const ours = list.items.find((one) => one.name === name)
    return ours ? { kind: 'found', remoteId: ours.id } : { kind: 'absent' }
  }
  const refusal = refusalOfAds(list, 'show-ad-account')
  // an object that can't be read may still exist
  return refusal.kind === 'rejected' ? { kind: 'unknown', reason: refusal.reason } : refusal
}

const look: Promotion['look'] = async (reach, secret, _account, { made, minorUnits }) => {
  const own = readAdsSecret(secret)
  if (own.kind !== 'secret') return own
  const fields =
    'id,effective_status,ad_review_feedback,issues_info,adset{effective_status,end_time},campaign{effective_status},insights.date_preset(maximum){spend,impressions,reach}'
  const ad = await readAds(reach, own.value, `/${made.ad ?? ''}`, { fields }, AdNode)
  if (ad.kind === 'ok') return { kind: 'seen', ...seenIn(ad.value, minorUnits) }
  return isGone(ad) ? { kind: 'gone' } : refusalOfAds(ad, 'show-promotion')
}

/** Pauses a campaign that was shown, so its metrics stay in the ad account; deletes one that never was. */
const stop: Promotion['stop'] = async (reach, secret, _account, { made }) => {
  const own = readAdsSecret(secret)
  if (own.kind !== 'secret') return own
  if (made.campaign === undefined) return { kind: 'stopped' }
  const call =
    made.ad === undefined ? { method: 'DELETE' as const } : { method: 'POST' as const, form: { status: 'PAUSED' } }
  const stopped = await changeAds(reach, own.value, { path: `/${made.campaign}`, ...call, reply: Success })
  return stopped.kind === 'ok' || isGone(stopped) ? { kind: 'stopped' } : refusalOfAds(stopped, 'stop-campaign', true)
}

/** Promotes Page posts by the Marketing API: README.md. Stories can't be promoted after publishing. */
export const boost: Promotion = {
  variant: 'ads',
  needs: ['ads_management', 'ads_read'],
  postTypes: ['post', 'reel'],
  // an ad set is one call after reading its audience; a video takes two reads before its post
  timeoutMs: SEND_TIMEOUT_MS + READ_TIMEOUT_MS,
  accounts,
  audiences,
  steps: [
    { key: 'post', kind: 'read' },
    { key: 'campaign', kind: 'once' },
    { key: 'adSet', kind: 'once', timed: true },
    { key: 'creative', kind: 'once' },
    { key: 'ad', kind: 'once' },
    { key: 'start', kind: 'repeatable' },
  ],
  make,
  find,
  look,
  stop,
}
