import { useQueryClient } from '@tanstack/react-query'
import { acceptInvite, declineInvite } from '#contract/invites.ts'
import { home, type Home } from '#contract/organizations.ts'
import { dateOf } from '#web/lib/format.ts'
import { localZone } from '#web/lib/dates.ts'
import { keyOf, useSend } from '#web/lib/queries.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/StandalonePage.tsx'
import { toast } from '#web/ui/toast.ts'

type Offer = Home['invites'][number]

/** Open invitations, before people create an organization of their own. Reloading home leads into the project. */
export function InviteOffers({
  invites,
  onOwn,
}: {
  invites: readonly Offer[]
  /** To create an organization instead; absent if there is one. */ onOwn?: () => void
}) {
  return (
    <div className="grid gap-4">
      <ul aria-label="Invitations" className="grid gap-3">
        {invites.map((invite) => (
          <li key={invite.inviteId}>
            <OneOffer invite={invite} />
          </li>
        ))}
      </ul>
      {onOwn ? (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p className="text-ink-muted">Your invitation stays open if you set up your own organization.</p>
          <Button size="l" onClick={onOwn}>
            Set up my own organization
          </Button>
        </div>
      ) : null}
    </div>
  )
}

function OneOffer({ invite: { inviteId, orgName, projectName, roleName, invitedBy, expiresAt } }: { invite: Offer }) {
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: keyOf(home) })
  const accept = useSend(acceptInvite, {
    handles: ['INVITE_EXPIRED', 'INVITE_REVOKED', 'INVITE_WRONG_ADDRESS', 'PLAN_LIMIT'],
    refreshes: [],
    onSuccess: refresh,
  })
  const decline = useSend(declineInvite, {
    refreshes: [],
    onSuccess: async ({ message }) => {
      toast.success(message ?? 'Invitation declined')
      await refresh()
    },
  })
  return (
    <Card className="grid gap-4">
      <div>
        <h2 className="text-lg font-bold text-balance">{`You're invited to ${projectName}`}</h2>
        <p className="text-pretty text-ink-muted">{`${invitedBy} invited you to ${projectName} at ${orgName} as ${roleName}. Expires ${dateOf(expiresAt, localZone())}.`}</p>
      </div>
      {accept.error ? (
        <Banner tone="bad" live title="Can't accept invite">
          {accept.error.detail}
        </Banner>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button
          tone="primary"
          size="l"
          loading={accept.isPending}
          aria-label={`Accept the invitation to ${projectName}`}
          onClick={() => accept.mutate({ params: { inviteId } })}
        >
          Accept
        </Button>
        <Button
          tone="quiet"
          size="l"
          loading={decline.isPending}
          aria-label={`Decline the invitation to ${projectName}`}
          onClick={() => decline.mutate({ params: { inviteId } })}
        >
          Decline
        </Button>
      </div>
    </Card>
  )
}
