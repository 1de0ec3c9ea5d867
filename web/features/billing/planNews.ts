import type { ReplyOf } from '#contract/endpoint.ts'
import { dateText } from '#contract/format.ts'
import type { plan } from '#contract/organizations.ts'
import { gateWords } from '#web/lib/gates.ts'
import { PAST_DUE_TEXT } from './planWords.ts'

type Plan = ReplyOf<typeof plan>
export type PlanNews = {
  key: string
  tone: 'bad' | 'wait' | 'info'
  title: string
  text: string
  action: string
  /** What the action opens: the choice of what stays active, or the plan. */ leadsTo: 'excess' | 'plan'
  /** If it can be dismissed: until when it's hidden. */ hides: string | null
}

/** Where the browser remembers which of an organization's messages were read. */
export const newsMemory = (orgId: string): string => `planNews.${orgId}`
/** The message that the plan pauses channels. An admin who chose what stays active has read it. */
export const channelsKey = (channels: number): string => `channels ${channels}`

/** What everyone should know about the plan on every screen; only the most urgent. */
export function planNews(
  {
    planStatus,
    valid,
    restingChannels,
    maxChannels,
    trailEndsAt,
  }: Pick<Plan, 'planStatus' | 'valid' | 'restingChannels' | 'maxChannels' | 'trailEndsAt'>,
  zone: string,
): PlanNews | undefined {
  if (!valid)
    return {
      key: 'expired',
      tone: 'bad',
      title: gateWords.plan_expired.title,
      text: 'You can still view everything, but nothing is published or connected.',
      action: 'Buy Plan',
      leadsTo: 'plan',
      hides: null,
    }
  if (planStatus === 'PAST_DUE')
    return {
      key: 'past-due',
      tone: 'bad',
      title: 'Payment overdue',
      text: PAST_DUE_TEXT,
      action: 'Pay now',
      leadsTo: 'plan',
      hides: null,
    }
  if (restingChannels > 0)
    return {
      key: channelsKey(restingChannels),
      tone: 'wait',
      title: gateWords.channels.title,
      text: `${restingChannels === 1 ? '1 channel is' : `${restingChannels} channels are`} paused. Your plan has room for ${maxChannels}.`,
      action: 'Choose what stays active',
      leadsTo: 'excess',
      hides: 'Hide until this changes',
    }
  if (planStatus === 'TRIAL_ACTIVE' && trailEndsAt !== null)
    return {
      key: `trial ${trailEndsAt}`,
      tone: 'info',
      title: 'Limited Free Trial',
      text: `It ends on ${dateText(new Date(trailEndsAt), zone)}.`,
      action: 'Buy Plan',
      leadsTo: 'plan',
      hides: 'Hide until the trial ends',
    }
  return undefined
}
