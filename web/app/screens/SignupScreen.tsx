import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { SignupForm } from '#web/features/identity/SignupForm.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Card, StandalonePage } from '#web/ui/StandalonePage.tsx'

const route = getRouteApi('/signup')

export default function SignupScreen() {
  const { email, inviteId } = route.useSearch()
  const navigate = useNavigate()
  return (
    <StandalonePage
      title="Create your account"
      lead="14 days of the premium plan, no credit card needed."
      footer={
        <>
          Have an account? <Link to="/login" search={inviteId ? { inviteId } : {}}>Log in</Link>
        </>
      }
    >
      <Card>
        <SignupForm email={email} inviteId={inviteId} onDone={() => void navigate({ to: '/onboarding' })} />
      </Card>
    </StandalonePage>
  )
}
