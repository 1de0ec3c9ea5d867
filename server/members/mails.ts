import { webLinks } from '#contract/webLinks.ts'
import { mail } from '../mail/template.ts'
import type { Mail } from '../mail/mailer.ts'

/** Who receives the email. */
export type Addressee = { email: string; firstName: string }

/** Someone was removed from a project or the organization. */
export function removedMail(
  { email, firstName }: Addressee,
  from: { kind: 'project' | 'organization'; name: string },
): Mail {
  return mail(email, `You were removed from ${from.name}`, [
    greeting(firstName),
    `An admin removed you from the ${from.kind} ${from.name} in Rookery. You can't open it anymore.`,
    'Posts you created stay there, and what you scheduled will still be published.',
    "If you didn't expect this, ask an admin there.",
  ])
}

/** A project that someone worked in was deleted. */
export function projectDeletedMail({ email, firstName }: Addressee, projectName: string, deletedBy: string): Mail {
  return mail(email, `The project ${projectName} was deleted`, [
    greeting(firstName),
    `${deletedBy} deleted the project ${projectName} in Rookery. You can't open it anymore.`,
    "Its channels are being disconnected, and posts that were scheduled there won't be published.",
    `If you didn't expect this, ask ${deletedBy}.`,
  ])
}

const greeting = (firstName: string) => (firstName ? `Hello ${firstName},` : 'Hello,')

/** An admin of an organization ended every session of a member. */
export function loggedOutByAdminMail(to: string, firstName: string, orgName: string, publicUrl: string): Mail {
  return mail(to, 'You were logged out of Rookery', [
    greeting(firstName),
    `An admin of ${orgName} logged you out on all your devices. You can log in again at any time.`,
    { link: `${publicUrl}${webLinks.login()}`, label: 'Log in' },
    `If you didn't expect this, ask an admin of ${orgName}.`,
  ])
}
