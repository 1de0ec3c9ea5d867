import { entitlements, planIds, type Gate, type PlanId, type PlanStatus } from '#contract/plans.ts'

/** Plans as people read them. */
export const planNames = { free: 'Free', individual: 'Individual', team: 'Team' } as const satisfies Record<
  PlanId,
  string
>

type Words = { title: string; /** What is closed, and what continues without it. */ text: string }

/** Each closed gate's name and meaning, for notices and the upgrade dialog. */
export const gateWords: Record<Gate, Words> = {
  channels: {
    title: 'Channel Limit Exceeded',
    text: "Your plan doesn't have room for another channel. Disabled channels count too, so you can delete one you no longer use.",
  },
  projects: { title: 'Project Limit Exceeded', text: "Your plan doesn't have room for another project." },
  users: { title: 'User Limit Exceeded', text: 'Members and open invitations take up every seat in your plan.' },
  repeat: { title: "Your plan doesn't include repeat scheduling.", text: 'You can still schedule posts one by one.' },
  queues: { title: "Your plan doesn't include queues.", text: 'You can still schedule posts for a date and time.' },
  asset_library: {
    title: "Your plan doesn't include the asset library.",
    text: 'You can still attach pictures and videos to each post.',
  },
  campaigns: { title: "Your plan doesn't include campaigns.", text: 'Your posts will still be published.' },
  canned_responses: {
    title: "Your plan doesn't include canned responses.",
    text: 'You can still write replies one by one.',
  },
  approval_workflows: {
    title: 'Approval workflows are only available on the Team plan.',
    text: 'Your posts are published without approval.',
  },
  custom_roles: {
    title: 'Custom roles are only available on the Team plan.',
    text: 'Every plan includes Admin, Editor and User.',
  },
  discussion: {
    title: 'Discussions are only available on the Team plan.',
    text: 'You can plan and publish posts without them.',
  },
  analytics: {
    title: "Your plan doesn't include advanced analytics.",
    text: "The dashboard still shows what you've published.",
  },
  ai_credits: {
    title: 'AI Credit Limit Reached',
    text: "You've used all of this month's AI credits. You'll get new ones next month.",
  },
  bio_pages: {
    title: 'Link in Bio Limit Exceeded',
    text: "Your plan doesn't have room for another link in bio page. Pages that are live stay live.",
  },
  x: { title: 'Upgrade to connect X', text: "Your plan doesn't include X." },
  x_trial: { title: 'One X account is allowed on the free trial', text: 'To connect another one, choose a plan.' },
  plan_expired: {
    title: 'Your plan has been Expired',
    text: 'You can still view everything, but nothing is published or connected.',
  },
}

/** A plan's monthly AI credits. */
export const creditsOf = ({ planId, planStatus }: { planId: PlanId; planStatus: PlanStatus }): number =>
  entitlements({ planId, status: planStatus, addonQuantity: 0, trialEndsAt: null }, new Date(0)).aiCreditsPerMonth

/** The plans that open the gate. For a limit that is reached, those that allow more than `have`. */
export function plansThatLift(gate: Gate, have = 0): PlanId[] {
  return planIds.filter((planId) => {
    // without a trial nothing depends on the time
    const allowed = entitlements({ planId, status: 'ACTIVE', addonQuantity: 0, trialEndsAt: null }, new Date(0))
    switch (gate) {
      case 'channels':
      case 'projects':
      case 'users':
        return allowed[gate] > have
      case 'ai_credits':
        return allowed.aiCreditsPerMonth > have
      case 'bio_pages':
        return allowed.bioPages > have
      case 'x_trial':
        return allowed.xAccounts > 1
      case 'plan_expired':
        return planId !== 'free'
      case 'repeat':
      case 'queues':
      case 'asset_library':
      case 'campaigns':
      case 'canned_responses':
      case 'approval_workflows':
      case 'custom_roles':
      case 'discussion':
      case 'analytics':
      case 'x':
      default:
        return !allowed.closed.includes(gate)
    }
  })
}
