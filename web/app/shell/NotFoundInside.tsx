import { ButtonLink } from '#web/ui/Link.tsx'
import { Page } from '#web/ui/Page.tsx'

/** An address within a project that leads nowhere: the rail stays. */
export function NotFoundInside() {
  return (
    <Page title="Page Not Found" narrow>
      <p className="mb-4 text-lg text-pretty text-ink-muted">
        The page you are looking for might have been removed, had its name changed or is temporarily unavailable.
      </p>
      <ButtonLink to="/" tone="primary">
        Go to Homepage
      </ButtonLink>
    </Page>
  )
}
