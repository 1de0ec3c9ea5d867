import { acceptInvite, declineInvite } from '#contract/invites.ts'
import { errorCatalog } from '#contract/errors.ts'
import { gateWords } from '#web/lib/gates.ts'
import { useSend } from '#web/lib/queries.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { toast } from '#web/ui/toast.ts'

type Props = { inviteId: string; /** Already accepted: it only leads on. */ again?: boolean; onDone: () => void }

/** Accept or decline, for the person the invitation was sent to. */
export function InviteAnswer({ inviteId, again = false, onDone }: Props) {
  const accept = useSend(acceptInvite, { handles: true, refreshes: [], onSuccess: onDone })
  const decline = useSend(declineInvite, {
    handles: true,
    refreshes: [],
    onSuccess: ({ message }) => {
      toast.success(message ?? 'Invitation declined')
      onDone()
    },
  })
  const failure = accept.error ?? decline.error
  const why = failure?.code === 'PLAN_LIMIT' ? gateWords.users.text : failure?.detail
  return (
    <div className="grid gap-4">
      {failure ? (
        <Banner
          tone="bad"
          live
          title={accept.error ? errorCatalog.INVITE_NOT_FOUND.detail : "We couldn't decline the invitation"}
        >
          {why}
        </Banner>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button
          tone="primary"
          size="l"
          loading={accept.isPending}
          disabled={decline.isPending}
          onClick={() => accept.mutate({ params: { inviteId } })}
        >
          {again ? 'Go to the project' : 'Accept'}
        </Button>
        {again ? null : (
          <Button
            size="l"
            loading={decline.isPending}
            disabled={accept.isPending}
            onClick={() => decline.mutate({ params: { inviteId } })}
          >
            Decline
          </Button>
        )}
      </div>
    </div>
  )
}
