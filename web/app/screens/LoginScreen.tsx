import { getRouteApi, useRouter } from '@tanstack/react-router'
import { errorCatalogue } from '#contract/errors.ts'
import { LoginForm } from '#web/features/identity/LoginForm.tsx'
import { afterLogin } from '#web/lib/redirect.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Card, StandalonePage } from '#web/ui/StandalonePage.tsx'

const route = getRouteApi('/login')

export default function LoginScreen() {
  const search = route.useSearch()
  const router = useRouter()
  return (
    <StandalonePage
      title="Log in"
      footer={
        <>
          New here?{' '}
          <Link to="/signup" search={{ inviteId: search.inviteId, redirect: search.redirect }}>
            Create an account
          </Link>
        </>
      }
    >
      {search.reason ? (
        <Banner tone="wait" title={errorCatalogue.INVITE_NOT_FOUND.detail} className="mb-4">
          The invitation has expired, was withdrawn, or is for another address. Ask for a new one, or log in to your own
          projects.
        </Banner>
      ) : null}
      <Card>
        <LoginForm onDone={() => router.history.replace(afterLogin(search))} />
      </Card>
    </StandalonePage>
  )
}
