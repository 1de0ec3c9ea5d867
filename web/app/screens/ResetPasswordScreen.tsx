import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { errorCatalog } from '#contract/errors.ts'
import { ResetPasswordForm } from '#web/features/identity/ResetPasswordForm.tsx'
import { Banner } from '#web/ui/Banner.tsx'
import { ButtonLink, Link } from '#web/ui/Link.tsx'
import { Card, StandalonePage } from '#web/ui/StandalonePage.tsx'

const route = getRouteApi('/reset-password')

export default function ResetPasswordScreen() {
  const { token } = route.useSearch()
  const navigate = useNavigate()
  return (
    <StandalonePage
      title="Set a new password"
      lead="This ends all your sessions. Log in again with your new password."
      footer={<Link to="/login">Back to login</Link>}
    >
      {token ? (
        <Card>
          <ResetPasswordForm token={token} onDone={() => void navigate({ to: '/login', replace: true })} />
        </Card>
      ) : (
        <Banner
          tone="bad"
          title={errorCatalog.RESET_LINK_INVALID.detail}
          actions={<ButtonLink to="/forgot-password">Request a new link</ButtonLink>}
        >
          This reset link is invalid or incomplete.
        </Banner>
      )}
    </StandalonePage>
  )
}
