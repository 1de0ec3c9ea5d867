import { getRouteApi, Navigate, useNavigate } from '@tanstack/react-router'
import { userDetails } from '#contract/identity.ts'
import { VerifyForm } from '#web/features/identity/VerifyForm.tsx'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { Card, StandalonePage } from '#web/ui/StandalonePage.tsx'
import { useLogOut } from '../useLogOut.ts'

const route = getRouteApi('/signup/verify')

/** An address in the URL needs no session (a link from elsewhere); otherwise it is the signed-in person's. */
export default function VerifyScreen() {
  const { email } = route.useSearch()
  const navigate = useNavigate()
  const { logOut, leaving } = useLogOut()
  const user = useCall(userDetails, {}, { enabled: !email, staleTime: 0, handles: true })
  const onDone = () => void navigate({ to: '/onboarding', replace: true })
  const address = email ?? user.data?.email
  return (
    <StandalonePage
      title="Verify your email"
      lead={
        address ? (
          <>
            We sent a 6-digit code to{' '}
            <span className="inline-block max-w-full">
              <b className="font-semibold text-ink">{address}</b>.
            </span>
          </>
        ) : undefined
      }
      footer={
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          Wrong address? <Link to="/signup">Sign up again</Link>
          {email ? null : (
            <Button size="s" tone="quiet" loading={leaving} onClick={logOut} className="ml-auto">
              Log out
            </Button>
          )}
        </span>
      }
    >
      <Card>
        {email ? (
          <VerifyForm email={email} signedIn={false} onDone={onDone} />
        ) : (
          <Loaded query={user} skeleton={<SkeletonLines lines={3} />}>
            {(person) =>
              person.confirmed ? (
                <Navigate to="/onboarding" replace />
              ) : (
                <VerifyForm email={person.email} signedIn onDone={onDone} />
              )
            }
          </Loaded>
        )}
      </Card>
    </StandalonePage>
  )
}
