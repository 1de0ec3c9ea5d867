import { Fragment } from 'react'
import { consentFor } from '#contract/checkPost.ts'
import type { PostRules } from '#contract/platforms/rules.ts'
import { OutsideLink } from '#web/ui/Link.tsx'
import type { Details } from './doc.ts'

/** What the author agrees to by posting on the platform, if it requires showing that. */
export function Consent({
  platform,
  rules,
  details,
}: {
  platform: string
  rules: PostRules
  details: readonly Details[]
}) {
  // channels of one platform publish together: consent for one of them is shown
  const agreed = (rules.consent ?? []).filter((one) =>
    details.some((own) => consentFor(rules, own).some(({ url }) => url === one.url)),
  )
  if (agreed.length === 0) return null
  return (
    <p className="text-sm text-ink-muted">
      {`By posting, you agree to ${platform}'s `}
      {agreed.map(({ label, url }, i) => (
        <Fragment key={url}>
          {i === 0 ? null : ' and '}
          <OutsideLink href={url}>{label}</OutsideLink>
        </Fragment>
      ))}
      .
    </p>
  )
}
