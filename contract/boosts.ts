import { z } from 'zod'
import { Id, Instant, ProjectParams } from './common.ts'
import { can, endpoint } from './endpoint.ts'

/**
 * How many days a promotion can run, as whole days from its start. The maximum is ours: longer campaigns belong in an
 * ads manager.
 */
export const BOOST_DAYS = { min: 1, max: 30 } as const
/** The maximum in minor units, to limit the cost of a typo. Ours; the ad account has its own limits. */
export const BOOST_BUDGET_MOST = 100_000_000

/**
 * PENDING: it's being set up at the platform, nothing is spent. IN_REVIEW: the platform reviews it. ACTIVE: it's
 * running. HELD: the platform paused it until a person does something there. STOPPING: a person asked to end it.
 * FAILED: it never started. Once it exists there, the platform's status decides.
 */
export const boostStates = [
  'PENDING',
  'IN_REVIEW',
  'ACTIVE',
  'HELD',
  'REJECTED',
  'STOPPING',
  'STOPPED',
  'ENDED',
  'FAILED',
] as const
export const BoostState = z.enum(boostStates)
export type BoostState = z.infer<typeof BoostState>

/** States in which it spends money, or will: a post has at most one such promotion. */
export const runningStates = [
  'PENDING',
  'IN_REVIEW',
  'ACTIVE',
  'HELD',
  'STOPPING',
] as const satisfies readonly BoostState[]
/** Whether it blocks another one: a post has one running promotion at a time. */
export const isRunning = (state: BoostState): boolean => runningStates.some((running) => running === state)
/** Whether a person can end it. A rejected one could still be approved after an appeal. */
export const canStop = (state: BoostState): boolean =>
  state !== 'STOPPING' && (isRunning(state) || state === 'REJECTED')

/** The platform's own ID of something. */
const RemoteId = z.string().min(1).max(100)

/** Who pays. */
export const AdAccount = z.object({
  adAccountId: RemoteId,
  name: z.string(),
  /** ISO 4217. */
  currency: z.string(),
  /**
   * How many minor units, in which budgets are counted, make one unit of the currency: 100, or 1 if the platform has no
   * smaller unit.
   */
  minorUnits: z.int().positive(),
  /** The minimum daily spend, in minor units; null if the account doesn't say. */
  minDaily: z.int().nonnegative().nullable(),
  /** Why it can't pay, as a sentence, or null. */
  problem: z.string().nullable(),
})
export type AdAccount = z.infer<typeof AdAccount>

/** Who sees it: an audience saved at the platform. */
export const Audience = z.object({
  audienceId: RemoteId,
  name: z.string(),
  /** Why it can't be used, as a sentence, or null. */ problem: z.string().nullable(),
})
export type Audience = z.infer<typeof Audience>

export const Boost = z.object({
  boostId: Id,
  status: BoostState,
  adAccount: z.object({ adAccountId: z.string(), name: z.string() }),
  audience: z.object({ audienceId: z.string(), name: z.string() }),
  currency: z.string(),
  minorUnits: z.int(),
  /** For the whole time, in minor units. */
  budget: z.int(),
  days: z.int(),
  startedBy: z.object({ name: z.string() }).nullable(),
  createdAt: Instant,
  /** When it ends; null before the platform has it. */
  endsAt: Instant.nullable(),
  /** The platform's figures so far; null before the first ones. `spent` in minor units. */
  spent: z.int().nullable(),
  impressions: z.int().nullable(),
  reach: z.int().nullable(),
  readAt: Instant.nullable(),
  /** What needs attention or went wrong, and what to do about it. */
  problem: z.object({ text: z.string(), advice: z.string() }).nullable(),
})
export type Boost = z.infer<typeof Boost>

const PostParams = ProjectParams.extend({ postId: Id })
const path = '/api/:orgId/project/:projectId/post/:postId/boost'
/** Promoting spends money in the channel's name: people who can publish there can do it. */
const promoting = can('post', 'publish')
const asking = ['NOT_FOUND', 'BOOST_REFUSED', 'CHANNEL_REFUSED', 'CHANNEL_UNREACHABLE', 'RATE_LIMITED'] as const

/** Why a post can't be promoted now, and whether reconnecting its channel would fix that. */
export const BoostObstacle = z.object({ text: z.string(), advice: z.string(), reconnect: z.boolean() })
export type BoostObstacle = z.infer<typeof BoostObstacle>

export const postBoosts = endpoint({
  method: 'GET',
  path,
  summary: "List a published post's promotions, newest first, and whether a new one can start",
  access: can('post', 'view'),
  cost: 'light',
  reads: ['post', 'channel'],
  params: PostParams,
  reply: z.object({
    /** Whether this platform's posts can be promoted here at all. */ offered: z.boolean(),
    channelId: Id.nullable(),
    obstacle: BoostObstacle.nullable(),
    boosts: z.array(Boost),
  }),
  errors: ['NOT_FOUND'],
  audit: null,
})

export const boostAccounts = endpoint({
  method: 'GET',
  path: `${path}/accounts`,
  summary: 'List the ad accounts that can pay for a promotion',
  access: promoting,
  cost: 'preview',
  reads: ['channel'],
  params: PostParams,
  reply: z.object({ accounts: z.array(AdAccount) }),
  errors: asking,
  audit: null,
})

export const boostAudiences = endpoint({
  method: 'GET',
  path: `${path}/audiences`,
  summary: "List an ad account's saved audiences",
  access: promoting,
  cost: 'preview',
  reads: ['channel'],
  params: PostParams,
  query: z.object({
    /** One that `accounts` returned; any other doesn't exist. */ adAccountId: z.string().max(100).default(''),
  }),
  reply: z.object({ audiences: z.array(Audience) }),
  errors: asking,
  audit: null,
})

export const StartBoost = z.object({
  /** Chosen by the caller: repeating it means the same promotion, whatever became of the first response. */
  boostId: Id,
  adAccountId: z.string().min(1, 'Choose an ad account').max(100),
  audienceId: z.string().min(1, 'Choose an audience').max(100),
  budget: z.int('Enter a budget').min(1, 'Enter a budget').max(BOOST_BUDGET_MOST, 'This budget is too large'),
  days: z
    .int('Enter the number of days')
    .min(BOOST_DAYS.min, 'Enter the number of days')
    .max(BOOST_DAYS.max, `A promotion can run for up to ${BOOST_DAYS.max} days`),
})
export type StartBoost = z.infer<typeof StartBoost>

export const startBoost = endpoint({
  method: 'POST',
  path,
  summary: 'Promote a published post with an ad account, a saved audience, a budget and a number of days',
  access: promoting,
  cost: 'light',
  changes: ['post'],
  params: PostParams,
  body: StartBoost,
  reply: Boost,
  errors: [...asking, 'BOOST_RUNNING', 'PLAN_LIMIT'],
  audit: { action: 'promoted', entity: 'post' },
})

export const stopBoost = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/boost/:boostId/stop',
  summary: 'Stop a promotion; spending ends once the platform confirms',
  access: promoting,
  cost: 'light',
  changes: ['post'],
  params: ProjectParams.extend({ boostId: Id }),
  reply: Boost,
  errors: ['NOT_FOUND', 'BOOST_REFUSED'],
  audit: { action: 'stopped', entity: 'post' },
})
