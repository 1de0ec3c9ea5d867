import { entitlements, planIds, type Gate, type PlanId, type PlanStatus } from '#contract/plans.ts'

/** Plans as people read them. */
export const planNames = { free: 'Free', individual: 'Individual', team: 'Team' } as const satisfies Record<
  PlanId,
  string
>

type Words = { title: string; /** What is closed, and what goes on without it. */ text: string }

/** What each closed gate is called and what it means, for notices and the upgrade dialog. */
export const gateWords: Record<Gate, Words> = {
  channels: {
    title: 'Channel Limit Exceeded',
    text: 'The plan has no room for another channel. Disabled channels count too: delete one that is no longer used.',
  },
  projects: { title: 'Project Limit Exceeded', text: 'The plan has no room for another project.' },
  users: { title: 'User Limit Exceeded', text: 'Every seat of the plan is taken by a member or an open invitation.' },
  repeat: { title: 'Repeat scheduling is not in this plan.', text: 'Posts can be scheduled one by one.' },
  queues: { title: 'Queues are not in this plan.', text: 'Posts can be scheduled to a date and time.' },
  asset_library: {
    title: 'The asset library is not in this plan.',
    text: 'Pictures and videos can be attached to each post.',
  },
  campaigns: { title: 'Campaigns are not in this plan.', text: 'Posts are published without one as before.' },
  canned_responses: { title: 'Canned responses are not in this plan.', text: 'Replies can be written one by one.' },
  approval_workflows: {
    title: 'Approval workflows exist on the Team plan only.',
    text: 'Posts are published without approval.',
  },
  custom_roles: {
    title: 'Custom roles exist on the Team plan only.',
    text: 'Admin, Editor and User are there on every plan.',
  },
  discussion: {
    title: 'Discussions exist on the Team plan only.',
    text: 'Posts can be planned and published without them.',
  },
  analytics: { title: 'Advanced analytics are not in this plan.', text: 'The dashboard shows what was published.' },
  ai_credits: {
    title: 'AI Credit Limit Reached',
    text: 'The AI credits of this month are used up. New ones come with the next month.',
  },
  x: { title: 'Upgrade to connect X', text: 'The plan does not include X.' },
  x_trial: { title: 'One X account is allowed on the free trial', text: 'A second one needs a plan.' },
  plan_expired: {
    title: 'Your plan has been Expired',
    text: 'Everything can still be read, but nothing published or connected.',
  },
}

/** The AI credits that a plan has each month. */
export const creditsOf = ({ planId, planStatus }: { planId: PlanId; planStatus: PlanStatus }): number =>
  entitlements({ planId, status: planStatus, addonQuantity: 0, trialEndsAt: null }, new Date(0)).aiCreditsPerMonth

/** The plans that leave the gate open. For a number that is used up, those that allow more than `have`. */
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
