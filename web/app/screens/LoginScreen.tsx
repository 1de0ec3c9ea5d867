import { getRouteApi, Navigate, useRouter } from '@tanstack/react-router'
import { errorCatalog } from '#contract/errors.ts'
import { LoginForm } from '#web/features/identity/LoginForm.tsx'
import { PlainHttpNotice } from '#web/features/identity/PlainHttpNotice.tsx'
import { SignedIn } from '#web/features/identity/SignedIn.tsx'
import { useCurrentVisitor } from '#web/lib/project.ts'
import { afterLogin } from '#web/lib/redirect.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Card, StandalonePage } from '#web/ui/StandalonePage.tsx'
import { useLogOut } from '../useLogOut.ts'

const route = getRouteApi('/login')

export default function LoginScreen() {
  const search = route.useSearch()
  const router = useRouter()
  const visitor = useCurrentVisitor()
  const { logOut, leaving } = useLogOut(search)
  // a bookmark of this page: there's nothing to do here, unless it has a message
  if (visitor && !leaving && !search.reason) return <Navigate to={afterLogin(search)} replace />
  return (
    <StandalonePage
      title="Log in"
      footer={
        visitor ? null : (
          <>
            New here?{' '}
            <Link to="/signup" search={{ inviteId: search.inviteId, redirect: search.redirect }}>
              Create an account
            </Link>
          </>
        )
      }
    >
      {search.reason ? (
        <Banner tone="wait" title={errorCatalog.INVITE_NOT_FOUND.detail} className="mb-4">
          {visitor
            ? "The link is incomplete, or the invitation is for a different address. Ask for a new invitation if you can't find yours."
            : 'The invitation has expired, was revoked, or is for a different address. Ask for a new one, or log in to your own projects.'}
        </Banner>
      ) : null}
      {visitor ? (
        <SignedIn
          user={visitor}
          onContinue={() => router.history.replace(afterLogin(search))}
          onLogOut={logOut}
          leaving={leaving}
        />
      ) : (
        <>
          <PlainHttpNotice />
          <Card>
            <LoginForm onDone={() => router.history.replace(afterLogin(search))} />
          </Card>
        </>
      )}
    </StandalonePage>
  )
}
