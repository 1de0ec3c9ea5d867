import type { ReplyOf } from '#contract/endpoint.ts'
import { dateText } from '#contract/format.ts'
import type { plan } from '#contract/organisations.ts'
import { gateWords } from '#web/lib/gates.ts'
import { PAST_DUE_TEXT } from './planWords.ts'

type Plan = ReplyOf<typeof plan>
export type PlanNews = { key: string; tone: 'bad' | 'wait' | 'info'; title: string; text: string; action: string; /** Once read, it need not stand there all day. */ dismissable: boolean }

/** What everybody should know of the plan on every screen, the most urgent alone. */
export function planNews({ planStatus, valid, currentChannels, maxChannels, trailEndsAt }: Pick<Plan, 'planStatus' | 'valid' | 'currentChannels' | 'maxChannels' | 'trailEndsAt'>, zone: string): PlanNews | undefined {
  if (!valid) return { key: 'expired', tone: 'bad', title: gateWords.plan_expired.title, text: 'Everything can still be read, but nothing is published or connected.', action: 'Buy Plan', dismissable: false }
  if (planStatus === 'PAST_DUE') return { key: 'past-due', tone: 'bad', title: 'Payment overdue', text: PAST_DUE_TEXT, action: 'Pay now', dismissable: false }
  if (currentChannels > maxChannels) return { key: 'channels', tone: 'wait', title: gateWords.channels.title, text: `${currentChannels} channels are connected, and the plan has ${maxChannels}.`, action: 'Choose what stays active', dismissable: false }
  if (planStatus === 'TRIAL_ACTIVE' && trailEndsAt !== null) return { key: `trial ${trailEndsAt}`, tone: 'info', title: 'Limited Free Trial', text: `It ends on ${dateText(new Date(trailEndsAt), zone)}.`, action: 'Buy Plan', dismissable: true }
  return undefined
}
