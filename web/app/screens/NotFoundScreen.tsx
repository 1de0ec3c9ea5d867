import { ButtonLink } from '#web/ui/Link.tsx'
import { StandalonePage } from '#web/ui/StandalonePage.tsx'

export default function NotFoundScreen() {
  return (
    <StandalonePage
      title="Page Not Found"
      lead="The page you are looking for might have been removed, had its name changed or is temporarily unavailable."
    >
      <ButtonLink to="/" tone="primary" size="l">
        Go to Homepage
      </ButtonLink>
    </StandalonePage>
  )
}
