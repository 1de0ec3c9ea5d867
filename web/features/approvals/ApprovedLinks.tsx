import { addressesOf, linkRules } from '#contract/links/apply.ts'
import { linkTarget } from '#contract/links/sentLinks.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import type { Post } from '#contract/posts.ts'
import { wallOf } from '#web/lib/dates.ts'
import { useNow } from '#web/lib/now.ts'
import { ResultingLink } from '#web/ui/ResultingLink.tsx'

type Linked = Pick<Post, 'channel' | 'contents' | 'firstComment' | 'additionalDetails' | 'dueAt' | 'timezone'>

/** What is published for the links of a post: part of what is approved. Nothing if they stay as they are. */
export function ApprovedLinks({ post }: { post: Linked }) {
  const { channel, additionalDetails: details, dueAt, timezone } = post
  const now = useNow()
  const day = wallOf(dueAt === null ? now : new Date(dueAt), timezone).day
  const rules = channel && linkRules(details, channel.platformName, day)
  if (!channel || !rules) return null
  return (
    <section className="grid gap-1">
      <h2 className="text-sm font-semibold text-ink-muted">Links</h2>
      <ul className="grid gap-1.5">
        {addressesOf({ ...post, details }, platformRules[channel.platformName]).map((address) => (
          <li key={address}>
            <ResultingLink
              address={address}
              target={linkTarget(address, rules)}
              short={rules.shorten ? 'A short link' : undefined}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
