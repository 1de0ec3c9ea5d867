import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import type { Channel } from '#contract/channels.ts'
import { connectCallback, connectConfirm } from '#contract/connect.ts'
import { callbackParams } from '#web/features/channels/callback.ts'
import { ChooseAccounts, ConfirmFailure } from '#web/features/channels/ChooseAccounts.tsx'
import { otherLoopback } from '#web/features/channels/loopback.ts'
import { forgetPending, recallPending, type Pending } from '#web/features/channels/pending.ts'
import { cannotWithout } from '#web/features/channels/rights.ts'
import { call } from '#web/lib/client.ts'
import { count } from '#web/lib/format.ts'
import { useSend } from '#web/lib/queries.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { StandalonePage } from '#web/ui/StandalonePage.tsx'
import { toast } from '#web/ui/toast.ts'

const route = getRouteApi('/oauth/$platform/callback')

/** Where a platform redirects people: passes its answer to the project that asked, then returns to where they were. */
export default function OAuthCallbackScreen() {
  const { platform } = route.useParams()
  const { state } = route.useSearch()
  // as it was on arrival: it's removed once it's done
  const [pending] = useState(() => recallPending(platform, state))
  const [hop] = useState(() => (pending ? undefined : otherLoopback(window.location.href)))
  useEffect(() => {
    if (hop) window.location.replace(hop)
  }, [hop])
  if (pending) return <Answer pending={pending} />
  if (hop) {
    return (
      <StandalonePage title="Connecting">
        <SkeletonLines lines={3} />
      </StandalonePage>
    )
  }
  return (
    <StandalonePage title="We don't recognize this connection">
      <Banner tone="wait" title="Nothing was connected">
        It was started in another window, or it's already finished. Start again from your project's channels.
      </Banner>
      <ButtonLink to="/onboarding" tone="primary" size="l" className="mt-5">
        Back to Rookery
      </ButtonLink>
    </StandalonePage>
  )
}

function Answer({ pending }: { pending: Pending }) {
  const { orgId, projectId, platform, channel } = pending
  const search = route.useSearch()
  const router = useRouter()
  const name = platformName(platform)
  // a query, so that the state's single use is requested once however often the page renders
  const answer = useQuery({
    queryKey: ['oauth', platform, search.state ?? ''],
    queryFn: () =>
      call(connectCallback, {
        params: { orgId, projectId, platform },
        body: { ...callbackParams(search), state: search.state ?? '' },
      }),
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
    meta: {
      handles: [
        'BAD_INPUT',
        'CONNECT_EXPIRED',
        'CHANNEL_REFUSED',
        'CHANNEL_UNREACHABLE',
        'CHANNEL_DELETING',
        'ADDRESS_REFUSED',
        'PLAN_LIMIT',
        'NOT_FOUND',
        'FORBIDDEN',
        'NETWORK',
        'UNREADABLE',
      ],
    },
  })

  const back = () => {
    forgetPending()
    void router.navigate(
      pending.returnTo === 'onboarding'
        ? { to: '/onboarding', replace: true }
        : { to: '/$orgId/project/$projectId/channels', params: { orgId, projectId }, replace: true },
    )
  }
  const finish = (channels: Channel[], message: string | undefined) => {
    forgetPending()
    const [first] = channels
    for (const one of channels) {
      const cannot = cannotWithout(platform, one.missing)
      if (cannot)
        toast.warning(
          `${name} didn't allow Rookery to ${cannot} as ${one.channelName}. Reconnect the channel and allow all requested permissions.`,
        )
    }
    toast.success(
      message ??
        (channels.length === 1 && first
          ? `${first.channelName} ${channel ? 'reconnected' : 'connected'}`
          : `${count(channels.length, 'account')} connected`),
    )
    void router.navigate(
      pending.returnTo === 'onboarding'
        ? { to: '/onboarding', search: first ? { connected: first.channelId } : {}, replace: true }
        : { to: '/$orgId/project/$projectId/channels', params: { orgId, projectId }, replace: true },
    )
  }

  const accounts = answer.data?.accounts ?? []
  const [only] = accounts
  // a single account needs no choice; for a reconnect, the server offers the channel's own only
  const sole = accounts.length === 1 ? only : undefined
  return (
    <StandalonePage title={`${channel ? 'Reconnecting' : 'Connecting'} ${name}`}>
      {answer.error ? (
        <Failed back={back}>
          <ConfirmFailure failure={answer.error} />
        </Failed>
      ) : !answer.data ? (
        <SkeletonLines lines={3} label={`Waiting for ${name}`} />
      ) : accounts.length === 0 ? (
        <Failed back={back}>
          <Banner tone="wait" title={`${name} didn't share any accounts`}>
            Give Rookery access to at least one account, then try again.
          </Banner>
        </Failed>
      ) : sole ? (
        <ConfirmOnly
          pending={pending}
          flowId={answer.data.flowId}
          remoteId={sole.remoteId}
          onConnected={finish}
          back={back}
        />
      ) : (
        <ChooseAccounts
          pending={pending}
          flowId={answer.data.flowId}
          accounts={accounts}
          onConnected={finish}
          onCancel={back}
        />
      )}
    </StandalonePage>
  )
}

type OnlyProps = {
  pending: Pending
  flowId: string
  remoteId: string
  onConnected: (channels: Channel[], message: string | undefined) => void
  back: () => void
}

/** The only account that the platform offered, connected without a question. */
function ConfirmOnly({ pending: { orgId, projectId, platform }, flowId, remoteId, onConnected, back }: OnlyProps) {
  const confirm = useSend(connectConfirm, {
    handles: ['CONNECT_EXPIRED', 'CHANNEL_REFUSED', 'CHANNEL_TAKEN', 'CHANNEL_DELETING', 'PLAN_LIMIT'],
    onSuccess: ({ channels, message }) => onConnected(channels, message),
  })
  const begun = useRef(false)
  const begin = useEffectEvent(() => {
    if (begun.current) return
    begun.current = true
    confirm.mutate({ params: { orgId, projectId, platform }, body: { flowId, profiles: [remoteId] } })
  })
  useEffect(() => begin(), [])
  return confirm.error ? (
    <Failed back={back}>
      <ConfirmFailure failure={confirm.error} />
    </Failed>
  ) : (
    <SkeletonLines lines={3} label="Connecting" />
  )
}

function Failed({ back, children }: { back: () => void; children: ReactNode }) {
  return (
    <div className="grid justify-items-start gap-5">
      <div className="w-full">{children}</div>
      <Button tone="primary" size="l" onClick={back}>
        Go back
      </Button>
    </div>
  )
}
