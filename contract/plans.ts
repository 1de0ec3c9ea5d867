import { z } from 'zod'
import { SCHEDULE } from './constants.ts'
import type { PlatformKey } from './platforms/rules.ts'

export const planIds = ['free', 'individual', 'team'] as const
export const PlanId = z.enum(planIds)
export type PlanId = z.infer<typeof PlanId>

export const planStatuses = [
  'ACTIVE',
  'TRIAL_ACTIVE',
  'TRIAL_EXPIRED',
  'PAST_DUE',
  'CANCEL_SCHEDULED',
  'CANCELLED',
] as const
export const PlanStatus = z.enum(planStatuses)
export type PlanStatus = z.infer<typeof PlanStatus>

/** A gate that a plan may close. PLAN_LIMIT replies contain its name and the web shows that upgrade screen. */
export const gates = [
  'channels',
  'projects',
  'users',
  'repeat',
  'queues',
  'asset_library',
  'campaigns',
  'canned_responses',
  'approval_workflows',
  'custom_roles',
  'discussion',
  'analytics',
  'ai_credits',
  'bio_pages',
  'x',
  'x_trial',
  'plan_expired',
] as const
export type Gate = (typeof gates)[number]

/** An organization's plan row, as far as entitlements need it. */
export type PlanFacts = { planId: PlanId; status: PlanStatus; addonQuantity: number; trialEndsAt: Date | null }

export type Entitlements = {
  /** False if the trial or the plan has ended: everything can be viewed, nothing published or connected. */
  valid: boolean
  channels: number
  projects: number
  users: number
  /** Scheduled posts per channel. */
  scheduledCap: number
  aiCreditsPerMonth: number
  /** Link in bio pages of a project. */
  bioPages: number
  /** How many X accounts can be connected. */
  xAccounts: number
  /** Features that the plan lacks. */
  closed: readonly Gate[]
}

/** Channels of a plan without add-ons. */
export const baseChannels = { free: 3, individual: 10, team: 20 } as const satisfies Record<PlanId, number>

const UNLIMITED = Number.MAX_SAFE_INTEGER
/** A limit as the API returns it: null if there is none. */
export const limitOf = (most: number): number | null => (most === UNLIMITED ? null : most)
const allowances = {
  free: {
    channels: baseChannels.free,
    projects: 1,
    users: 1,
    ai: 20,
    bioPages: 1,
    closed: [
      'repeat',
      'queues',
      'asset_library',
      'campaigns',
      'canned_responses',
      'analytics',
      'x',
      'approval_workflows',
      'custom_roles',
      'discussion',
    ],
  },
  individual: {
    channels: baseChannels.individual,
    projects: UNLIMITED,
    users: 1,
    ai: 200,
    bioPages: 20,
    closed: ['approval_workflows', 'custom_roles', 'discussion'],
  },
  team: { channels: baseChannels.team, projects: UNLIMITED, users: UNLIMITED, ai: 1000, bioPages: 20, closed: [] },
} as const satisfies Record<
  PlanId,
  { channels: number; projects: number; users: number; ai: number; bioPages: number; closed: readonly Gate[] }
>

/**
 * The one place where a plan becomes entitlements. A trial is Team's features with the cap of 10 scheduled posts and
 * one X account; it ends on its date even before its row changes.
 */
export function entitlements(plan: PlanFacts, now: Date): Entitlements {
  const trial = plan.status === 'TRIAL_ACTIVE' || plan.status === 'TRIAL_EXPIRED'
  const trialOver =
    plan.status === 'TRIAL_EXPIRED' ||
    (plan.status === 'TRIAL_ACTIVE' && plan.trialEndsAt !== null && plan.trialEndsAt <= now)
  const base = allowances[trial ? 'team' : plan.planId]
  const closed: readonly Gate[] = base.closed
  const limited = trial || plan.planId === 'free'
  return {
    valid: !trialOver && plan.status !== 'CANCELLED',
    channels: base.channels + (trial || plan.planId === 'free' ? 0 : plan.addonQuantity),
    projects: base.projects,
    users: base.users,
    scheduledCap: limited ? SCHEDULE.cap.limited : SCHEDULE.cap.paid,
    aiCreditsPerMonth: base.ai,
    bioPages: base.bioPages,
    xAccounts: trial ? 1 : closed.includes('x') ? 0 : UNLIMITED,
    closed,
  }
}

/** "only 1 member", as a plan that makes people readers is described. */
export const onlyMembers = (users: number): string => (users === 1 ? 'only 1 member' : `only ${users} members`)
/**
 * Why a member whose role allows more is view-only: the plan includes `users` members. Names admins if they're known.
 */
export function viewOnlyText(users: number, admins: readonly string[] = []): string {
  const reason =
    users < UNLIMITED ? `the organization's plan includes ${onlyMembers(users)}` : 'an admin chose who stays active'
  const whom = admins.length > 0 ? `: ${new Intl.ListFormat('en', { type: 'disjunction' }).format(admins)}` : ''
  return `You can view everything here but can't change it because ${reason}. Ask an admin of the organization${whom}.`
}

/**
 * What an organization has of what plans limit: what is active, with its accounts on each platform, and what the plan
 * pauses.
 */
export type Holdings = {
  channels: number
  projects: number
  users: number
  /** Active channels by platform. */ accounts: Readonly<Record<string, number>>
  resting: {
    /** By platform. */ channels: Readonly<Record<string, number>>
    projects: number
    users: number
  }
}
export type Waking = { channels: number; projects: number; users: number }

/** How much of what is paused becomes active again with a plan: up to what it includes. */
export function wakingOn(rights: Entitlements, { channels, projects, users, accounts, resting }: Holdings): Waking {
  const room = (allowed: number, active: number) => Math.max(0, allowed - active)
  const mostOf = (platform: string) =>
    countedPlatforms.find((one) => one.platform === platform)?.most(rights) ?? UNLIMITED
  const byPlatform = Object.entries(resting.channels).reduce(
    (sum, [platform, n]) => sum + Math.min(n, room(mostOf(platform), accounts[platform] ?? 0)),
    0,
  )
  return {
    channels: Math.min(byPlatform, room(rights.channels, channels)),
    projects: Math.min(resting.projects, room(rights.projects, projects)),
    users: Math.min(resting.users, room(rights.users, users)),
  }
}

type CountedPlatform = { platform: PlatformKey; most: (allowed: Entitlements) => number; none: Gate; more: Gate }
/**
 * Platforms with a limited number of accounts: `none` is the gate of a plan that includes no account at all, `more` of
 * one that is full.
 */
export const countedPlatforms: readonly CountedPlatform[] = [
  { platform: 'x', most: ({ xAccounts }) => xAccounts, none: 'x', more: 'x_trial' },
]

/** The gate for one more account on a platform. */
export const platformGate = ({ most, none, more }: CountedPlatform, allowed: Entitlements): Gate =>
  most(allowed) === 0 ? none : more
