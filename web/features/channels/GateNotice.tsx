import type { Gate } from '#contract/plans.ts'
import { Banner } from '#web/ui/Banner.tsx'

type Words = { title: string; text: string }
const words: Partial<Record<Gate, Words>> = {
  channels: { title: 'Channel Limit Exceeded', text: 'Your plan has no room for another channel. Delete one that you no longer use, or ask the admin of the organization for a larger plan.' },
  plan_expired: { title: 'Your plan has been Expired', text: 'Everything can still be read, but nothing published or connected. Ask the admin of the organization to choose a plan.' },
  x: { title: 'Upgrade to connect X', text: 'Your plan does not include X.' },
  x_trial: { title: 'One X account is allowed on the free trial', text: 'Choose a plan to connect more.' },
}
const other: Words = { title: 'Your plan does not include this.', text: 'Ask the admin of the organization for a larger plan.' }

/** Why one more channel cannot be connected, and what would help. */
export function GateNotice({ gate }: { gate: Gate }) {
  const { title, text } = words[gate] ?? other
  return (
    <Banner tone="wait" title={title}>
      {text}
    </Banner>
  )
}
