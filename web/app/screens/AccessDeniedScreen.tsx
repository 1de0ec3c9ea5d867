import { ButtonLink } from '#web/ui/Link.tsx'
import { StandalonePage } from '#web/ui/StandalonePage.tsx'

export default function AccessDeniedScreen() {
  return (
    <StandalonePage
      title="Access denied"
      lead="Your role does not allow you to see that page. An admin of the project can change your role."
    >
      <ButtonLink to="/" tone="primary" size="l">
        Go to Homepage
      </ButtonLink>
    </StandalonePage>
  )
}
