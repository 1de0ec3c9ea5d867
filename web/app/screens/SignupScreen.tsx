import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router'
import { Id } from '#contract/common.ts'
import { SCHEDULE } from '#contract/constants.ts'
import { readInvite } from '#contract/invites.ts'
import { PlainHttpNotice } from '#web/features/identity/PlainHttpNotice.tsx'
import { SignupForm } from '#web/features/identity/SignupForm.tsx'
import { SignedIn } from '#web/features/identity/SignedIn.tsx'
import { SignupInvite } from '#web/features/identity/SignupInvite.tsx'
import { useCurrentVisitor } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { afterLogin } from '#web/lib/redirect.ts'
import { Link } from '#web/ui/Link.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { Card, StandalonePage } from '#web/ui/StandalonePage.tsx'
import { useLogOut } from '../useLogOut.ts'

const route = getRouteApi('/signup')

export default function SignupScreen() {
  const { email, ...onward } = route.useSearch()
  const navigate = useNavigate()
  const router = useRouter()
  const inviteId = Id.safeParse(onward.inviteId).data
  // an unknown invitation leads to the login, which says so; without an answer people can still sign up
  const invite = useCall(
    readInvite,
    { params: { inviteId: inviteId ?? '' } },
    { enabled: inviteId !== undefined, handles: true },
  )
  const open = invite.data?.state === 'open' ? invite.data : undefined
  // someone who hasn't confirmed yet may start over with another address
  const visitor = useCurrentVisitor()
  const { logOut, leaving } = useLogOut(onward)
  if (visitor?.confirmed) {
    return (
      <StandalonePage title="Create your account">
        <SignedIn
          user={visitor}
          onContinue={() => router.history.replace(afterLogin(onward))}
          onLogOut={logOut}
          leaving={leaving}
        />
      </StandalonePage>
    )
  }
  return (
    <StandalonePage
      title="Create your account"
      lead={
        open || invite.isLoading
          ? undefined
          : `14 days of the premium plan, no credit card needed. You can have up to ${SCHEDULE.cap.limited} posts scheduled per channel during the trial.`
      }
      footer={
        <>
          Have an account?{' '}
          <Link to="/login" search={onward}>
            Log in
          </Link>
        </>
      }
    >
      <PlainHttpNotice />
      {invite.data ? <SignupInvite invite={invite.data} /> : null}
      <Card>
        {invite.isLoading ? (
          <SkeletonLines lines={8} label="Loading the invitation" />
        ) : (
          <SignupForm
            email={open?.email ?? email}
            inviteId={open ? inviteId : undefined}
            loginSearch={onward}
            onDone={() => navigate({ to: '/onboarding' })}
          />
        )}
      </Card>
    </StandalonePage>
  )
}
