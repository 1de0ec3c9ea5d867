import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import KeyRound from 'lucide-react/icons/key-round'
import { useState } from 'react'
import type { ReplyOf } from '#contract/endpoint.ts'
import { mySecurity } from '#contract/secondFactor.ts'
import { knowsPasskeys, usePasskeyLogin } from '#web/features/identity/passkeys.ts'
import { Passkeys } from '#web/features/profile/Passkeys.tsx'
import { SecondFactor } from '#web/features/profile/SecondFactor.tsx'
import { useHome } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { insideApp } from '#web/lib/redirect.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { Card, StandalonePage } from '#web/ui/StandalonePage.tsx'
import { useLogOut } from '../useLogOut.ts'

const route = getRouteApi('/second-step')
type Security = ReplyOf<typeof mySecurity>

/** Where an organization that requires a second factor sends people without one: to set it up, or to log in with it. */
export default function SecondStepScreen() {
  const target = insideApp(route.useSearch().redirect)
  const router = useRouter()
  const queries = useQueryClient()
  const { logOut, leaving } = useLogOut()
  const security = useCall(mySecurity, {}, { staleTime: 0, handles: true })
  const closed = useHome().data?.organizations.filter((org) => org.needsSecondFactor) ?? []
  const proceed = () => {
    queries.clear()
    router.history.replace(target ?? '/onboarding')
  }
  return (
    <StandalonePage
      wide
      title="Set up two-factor authentication"
      lead={`${closed.length === 1 ? closed[0]?.orgName : 'Your organization'} requires two-factor authentication.`}
      aside={
        <Button tone="quiet" loading={leaving} onClick={logOut}>
          Logout
        </Button>
      }
    >
      <Loaded query={security} skeleton={<SkeletonRows rows={4} />}>
        {(state) => <Ways security={state} onDone={proceed} />}
      </Loaded>
    </StandalonePage>
  )
}

const hasFactor = ({ totp, passkeys }: Security): boolean => totp || passkeys.length > 0

function Ways({ security, onDone }: { security: Security; onDone: () => void }) {
  // what is set up here counts at once; what was there before has to be used
  const [before] = useState(() => hasFactor(security))
  if (before) return <UseIt security={security} onDone={onDone} />
  return (
    <div className="grid gap-4">
      <h2 className="sr-only">Choose a second factor</h2>
      <SecondFactor security={security} />
      <Passkeys passkeys={security.passkeys} />
      <Button tone="primary" size="l" disabled={!hasFactor(security)} onClick={onDone} className="sm:justify-self-end">
        Continue
      </Button>
    </div>
  )
}

function UseIt({ security, onDone }: { security: Security; onDone: () => void }) {
  const passkey = usePasskeyLogin(onDone)
  const { logOut, leaving } = useLogOut()
  const byPasskey = security.passkeys.length > 0 && knowsPasskeys()
  return (
    <Card className="grid gap-4">
      {passkey.problem ? <Banner tone="wait" live title={passkey.problem} /> : null}
      <p className="text-pretty">
        {byPasskey
          ? 'You logged in with just your password. Log in with your passkey to continue.'
          : 'You logged in without a code from your authenticator app. Log out, then log in again with one.'}
      </p>
      <div className="flex flex-wrap gap-2">
        {byPasskey ? (
          <Button
            tone="primary"
            size="l"
            icon={<KeyRound size={15} aria-hidden />}
            loading={passkey.asking}
            onClick={passkey.ask}
          >
            Log in with a passkey
          </Button>
        ) : (
          <Button tone="primary" size="l" loading={leaving} onClick={logOut}>
            Log out
          </Button>
        )}
      </div>
    </Card>
  )
}
