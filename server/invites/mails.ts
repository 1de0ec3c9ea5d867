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

/** Where the invitation is read and answered. */
export const inviteLink = (inviteId: string, publicUrl: string): string => `${publicUrl}/invite?inviteId=${inviteId}`

/** The invitation itself. It tells nobody whether the address has an account: its page does, to whoever opens it. */
export function inviteMail(
  { inviteId, email, orgName, projectName, roleName, invitedBy }: Letter,
  publicUrl: string,
): Mail {
  const who = invitedBy || 'Somebody'
  return mail(email, `${who} invites you to ${projectName}`, [
    'Hello,',
    `${who} invites you to work on the project "${projectName}" of ${orgName} on Rookery. Your role would be ${roleName}.`,
    { link: inviteLink(inviteId, publicUrl), label: 'See the invitation' },
    `The invitation is for ${email} alone and ends after ${INVITE_DAYS} days. If you did not expect it, ignore this mail: nothing happens until you accept.`,
  ])
}
