import type { PublishingChoice, PublishingLevel } from '#contract/permissions.ts'

const withRole: Record<PublishingLevel, string> = {
  full: 'Everything the role allows',
  approval: 'Everything the role allows. Posts need approval.',
  none: "Everything the role allows. It can't publish posts.",
}

/** The effect of a publishing choice with a role that gets posts this far; without a role, of the choice alone. */
export function publishingHint(choice: PublishingChoice, role?: PublishingLevel): string {
  return choice === 'none'
    ? 'Everything else the role allows. Posts and queues can only be viewed.'
    : withRole[role ?? 'full']
}
