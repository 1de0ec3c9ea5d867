import { getRouteApi } from '@tanstack/react-router'
import { viewOnlyText } from '#contract/plans.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { StandalonePage } from '#web/ui/StandalonePage.tsx'
import type { AccessDenied } from '../search.ts'

const route = getRouteApi('/access-denied')

/** Says which admin can help: organization pages are for its admins, whatever someone's project role. */
export default function AccessDeniedScreen() {
  return (
    <StandalonePage title="Access denied" lead={leadOf(route.useSearch())}>
      <ButtonLink to="/" tone="primary" size="l">
        Go to Homepage
      </ButtonLink>
    </StandalonePage>
  )
}

function leadOf({ of, members }: AccessDenied): string {
  if (of === 'plan') return viewOnlyText(members ?? 1)
  return of === 'organization'
    ? 'Only organization admins can open that page. Ask one of them for access.'
    : "Your role doesn't allow you to open that page. A project admin can change your role."
}
