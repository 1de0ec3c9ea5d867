import { useNavigate } from '@tanstack/react-router'
import Mail from 'lucide-react/icons/mail'
import { acceptInvite, declineInvite } from '#contract/invites.ts'
import { home as homeEndpoint, type Home } from '#contract/organizations.ts'
import { count } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import { useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { toast } from '#web/ui/toast.ts'

const DAY = 86_400_000

/** Invitations waiting for the person's answer. Shows nothing if there are none. */
export function OpenInvites({ invites, onAccepted }: { invites: Home['invites']; onAccepted?: () => void }) {
  const now = useNow()
  const navigate = useNavigate()
  const accept = useSend(acceptInvite, {
    refreshes: [homeEndpoint],
    onSuccess: ({ orgId, projectId }, { params }) => {
      const joined = invites.find((invite) => invite.inviteId === params.inviteId)
      toast.success(joined ? `You joined ${joined.projectName}` : 'Invitation accepted')
      onAccepted?.()
      void navigate({ to: '/$orgId/project/$projectId/dashboard', params: { orgId, projectId } })
    },
  })
  const decline = useSend(declineInvite, {
    refreshes: [homeEndpoint],
    onSuccess: () => toast.success('Invitation declined'),
  })
  if (invites.length === 0) return null
  const busy = accept.isPending || decline.isPending
  const isAsked = (sent: typeof accept | typeof decline, inviteId: string) =>
    sent.isPending && sent.variables.params.inviteId === inviteId
  return (
    <ul aria-label="Open invitations" className="divide-y divide-line">
      {invites.map((invite) => (
        <li key={invite.inviteId} className="flex gap-2.5 px-4 py-3">
          <Mail size={16} aria-hidden className="mt-0.5 shrink-0 text-accent" />
          <div className="grid min-w-0 grow gap-2">
            <div>
              <p className="font-bold text-pretty">
                {invite.invitedBy} invited you to {invite.projectName}
              </p>
              <p className="text-sm text-pretty text-ink-muted">
                {invite.orgName}, as {invite.roleName}. {remaining(invite.expiresAt, now)}
              </p>
            </div>
            <div className="flex gap-2">
              <Button
                size="s"
                tone="primary"
                disabled={busy && !isAsked(accept, invite.inviteId)}
                loading={isAsked(accept, invite.inviteId)}
                aria-label={`Accept the invitation to ${invite.projectName}`}
                onClick={() => accept.mutate({ params: { inviteId: invite.inviteId } })}
              >
                Accept
              </Button>
              <Button
                size="s"
                disabled={busy && !isAsked(decline, invite.inviteId)}
                loading={isAsked(decline, invite.inviteId)}
                aria-label={`Decline the invitation to ${invite.projectName}`}
                onClick={() => decline.mutate({ params: { inviteId: invite.inviteId } })}
              >
                Decline
              </Button>
            </div>
          </div>
        </li>
      ))}
    </ul>
  )
}

function remaining(expiresAt: string, now: Date): string {
  const days = Math.floor((Date.parse(expiresAt) - now.getTime()) / DAY)
  return days > 0 ? `Expires in ${count(days, 'day')}.` : 'Expires within a day.'
}
