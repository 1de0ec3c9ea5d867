import type { ReplyOf } from '#contract/endpoint.ts'
import { errorCatalog } from '#contract/errors.ts'
import type { readInvite } from '#contract/invites.ts'
import { Banner } from '#web/ui/Banner.tsx'

type Invite = ReplyOf<typeof readInvite>

const over: Record<Exclude<Invite['state'], 'open'>, string> = {
  expired: errorCatalog.INVITE_EXPIRED.detail,
  revoked: errorCatalog.INVITE_REVOKED.detail,
  accepted: 'This invitation was already accepted. Log in with the email address it was sent to.',
}

/** What the person is invited to, or why the invitation is no longer valid. */
export function SignupInvite({ invite }: { invite: Invite }) {
  if (invite.state !== 'open') {
    return (
      <Banner tone="wait" title={over[invite.state]} className="mb-4">
        {invite.state === 'accepted' ? null : 'You can still create your own account.'}
      </Banner>
    )
  }
  return (
    <Banner tone="info" title={`You're invited to ${invite.projectName} at ${invite.orgName}`} className="mb-4">
      {invite.invitedBy
        ? `${invite.invitedBy} invited you as ${invite.roleName}.`
        : `Your role will be ${invite.roleName}.`}
    </Banner>
  )
}
