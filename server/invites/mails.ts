import { webLinks } from '#contract/webLinks.ts'
import type { Mail } from '../mail/mailer.ts'
import { mail } from '../mail/template.ts'

export const INVITE_DAYS = 7

export type Letter = {
  inviteId: string
  email: string
  orgName: string
  projectName: string
  roleName: string
  invitedBy: string
}

/** The page that shows the invitation. */
export const inviteLink = (inviteId: string, publicUrl: string): string => `${publicUrl}${webLinks.invite(inviteId)}`

/**
 * The invitation itself. It doesn't reveal whether the address has an account; its page does, to people who open it.
 */
export function inviteMail(
  { inviteId, email, orgName, projectName, roleName, invitedBy }: Letter,
  publicUrl: string,
): Mail {
  const who = invitedBy || 'Someone'
  return mail(email, `${who} invites you to ${projectName}`, [
    'Hello,',
    `${who} invited you to work on the project "${projectName}" at ${orgName} in Rookery, as ${roleName}.`,
    { link: inviteLink(inviteId, publicUrl), label: 'View invitation' },
    `This invitation is for ${email} and expires in ${INVITE_DAYS} days. If you weren't expecting it, you can ignore this email. Nothing happens until you accept.`,
  ])
}
