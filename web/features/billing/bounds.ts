import type { PlanId } from '#contract/plans.ts'

/** The maximum of channel add-ons of each paid plan, as the plan dialog counts them. */
export const MOST_ADDONS = { individual: 20, team: 100 } as const satisfies Record<Exclude<PlanId, 'free'>, number>

type ExcessOf = 'channels' | 'projects'
export type Hindrance = { text: string; of: ExcessOf | null }

/**
 * `excessChannels` and `excessProjects`: active ones beyond the plan with all its add-ons, as its offer says; paused
 * ones don't count.
 */
type Has = { excessChannels: number; excessProjects: number }

/** What prevents choosing the plan; nothing if it can be chosen (specification, Checkout disabled). */
export function hindrances(planId: PlanId, { excessChannels, excessProjects }: Has): Hindrance[] {
  if (planId === 'free') {
    return [
      ...(excessChannels > 0
        ? [
            {
              text: `Free plan supports only 3 Channels. You have ${excessChannels} excess Channels.`,
              of: 'channels' as const,
            },
          ]
        : []),
      ...(excessProjects > 0
        ? [
            {
              text: `Free plan supports only 1 Project. You have ${excessProjects} excess Projects.`,
              of: 'projects' as const,
            },
          ]
        : []),
    ]
  }
  if (planId === 'individual' && excessChannels > 0)
    return [
      { text: `Individual plan supports upto 30 Channels. You have ${30 + excessChannels} Channels.`, of: 'channels' },
    ]
  return []
}

/** The counter's messages at its limits, and where they lead. */
export type CounterNote = { text: string; to: 'channels' | 'team' | null }

export function counterNote(
  value: number,
  { min, max, isIndividual }: { min: number; max: number; isIndividual: boolean },
): CounterNote | undefined {
  if (value >= max)
    return isIndividual
      ? { text: 'You cannot add more than 20 Channel Addons to Individual Plan.', to: 'team' }
      : { text: `This plan allows up to ${max} Addons.`, to: null }
  if (min > 0 && value <= min)
    return {
      text: `You need to get at least ${min} Addons, else remove those additional channels first.`,
      to: 'channels',
    }
  return undefined
}

type Line = { total: { subtotal: number } }
/** A preview's refunds as one line: the sum of its negative items, as a positive amount. */
export const creditsOf = (items: readonly Line[]): number =>
  items.reduce((sum, { total: { subtotal } }) => sum + Math.max(0, -subtotal), 0)
