import { getRouteApi, Navigate, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Id } from '#contract/common.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { User } from '#contract/identity.ts'
import { readInvite } from '#contract/invites.ts'
import { InviteAnswer } from '#web/features/invites/InviteAnswer.tsx'
import { useVisitor } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { Card, StandalonePage } from '#web/ui/StandalonePage.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import { useLogOut } from '../useLogOut.ts'

const route = getRouteApi('/invite')
type Invitation = ReplyOf<typeof readInvite>
type Props = { inviteId: string; invite: Invitation; visitor: User | null }

/** An invitation's details, and how to accept it, for people who open the email's link. */
export default function InviteScreen() {
  const inviteId = Id.safeParse(route.useSearch().inviteId).data
  // an unknown one clears everything and leads to the login with the reason, as any failed call with that code
  const invite = useCall(
    readInvite,
    { params: { inviteId: inviteId ?? '' } },
    { enabled: inviteId !== undefined, handles: true, staleTime: 0 },
  )
  const visitor = useVisitor()
  if (inviteId === undefined) return <Navigate to="/login" search={{ reason: 'INVITE_NOT_FOUND' }} replace />
  const failure = invite.error ?? visitor.error
  if (failure && failure.code !== 'INVITE_NOT_FOUND') {
    const again = () => void Promise.all([invite.refetch(), visitor.refetch()])
    return (
      <StandalonePage title="Invitation">
        <ErrorState error={failure} onRetry={again} retrying={invite.isFetching || visitor.isFetching} />
      </StandalonePage>
    )
  }
  return (
    <Loaded
      query={{ ...invite, data: visitor.data === undefined ? undefined : invite.data, error: null }}
      skeleton={
        <main id="main" className="mx-auto w-full max-w-104 px-4 pt-[20vh]">
          <SkeletonLines lines={4} />
        </main>
      }
    >
      {(data) => <Invited inviteId={inviteId} invite={data} visitor={visitor.data ?? null} />}
    </Loaded>
  )
}

function Invited(props: Props) {
  const { invite, visitor } = props
  // the sender may have left since
  const who = invite.invitedBy || 'the person who invited you'
  const isTheirs = visitor !== null && visitor.email.toLowerCase() === invite.email.toLowerCase()
  if (invite.state === 'expired')
    return (
      <Over
        title="This invitation has expired"
        text={`Ask ${who} to resend it. The new link works for 7 days.`}
        visitor={visitor}
      />
    )
  if (invite.state === 'revoked')
    return (
      <Over
        title="This invitation is no longer valid"
        text={`It was revoked or replaced. If you got a newer email, use the link in that one. Otherwise, ask ${who}.`}
        visitor={visitor}
      />
    )
  if (invite.state === 'accepted' && !isTheirs)
    return (
      <Over
        title="This invitation was already used"
        text={`It was sent to ${invite.email} and works once. Log in with that address to open the project.`}
        visitor={visitor}
      />
    )
  return (
    <StandalonePage
      title={`Join ${invite.projectName}`}
      lead={
        invite.invitedBy
          ? `${invite.invitedBy} invited you to work on ${invite.projectName} at ${invite.orgName}.`
          : `You're invited to work on ${invite.projectName} at ${invite.orgName}.`
      }
    >
      <Card className="grid gap-5">
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2">
          <Fact name="Organization">{invite.orgName}</Fact>
          <Fact name="Project">{invite.projectName}</Fact>
          <Fact name="Role">{invite.roleName}</Fact>
          <Fact name="Sent to">{invite.email}</Fact>
        </dl>
        <Way {...props} isTheirs={isTheirs} />
      </Card>
    </StandalonePage>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-muted">{name}</dt>
      <dd dir="auto" className="truncate font-semibold">
        {children}
      </dd>
    </>
  )
}

/** Logged out: sign up or log in. The right address: accept. Another one: switch. */
function Way({ inviteId, invite, visitor, isTheirs }: Props & { isTheirs: boolean }) {
  const router = useRouter()
  const { logOut, leaving } = useLogOut({ inviteId })
  if (visitor === null) {
    return (
      <div className="grid gap-3">
        <p className="text-ink-muted">Sign up or log in with this address to accept.</p>
        <div className="flex flex-wrap gap-2">
          <ButtonLink to="/signup" search={{ inviteId, email: invite.email }} tone="primary" size="l">
            Signup
          </ButtonLink>
          <ButtonLink to="/login" search={{ inviteId }} size="l">
            Login
          </ButtonLink>
        </div>
      </div>
    )
  }
  if (isTheirs)
    return (
      <InviteAnswer
        inviteId={inviteId}
        again={invite.state === 'accepted'}
        onDone={() => void router.navigate({ to: '/onboarding', replace: true })}
      />
    )
  return (
    <div className="grid gap-3">
      <p>
        This invitation is for <b className="font-bold">{invite.email}</b>. You're logged in as{' '}
        <b className="font-bold">{visitor.email}</b>.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" size="l" loading={leaving} onClick={logOut}>
          Log out and switch account
        </Button>
        <ButtonLink to="/" size="l">
          Stay logged in
        </ButtonLink>
      </div>
    </div>
  )
}

/** An invitation that is no longer valid. */
function Over({ title, text, visitor }: { title: string; text: string; visitor: User | null }) {
  return (
    <StandalonePage title={title} lead={text}>
      {visitor ? (
        <ButtonLink to="/" tone="primary" size="l">
          Go to Homepage
        </ButtonLink>
      ) : (
        <ButtonLink to="/login" tone="primary" size="l">
          Login
        </ButtonLink>
      )}
    </StandalonePage>
  )
}
