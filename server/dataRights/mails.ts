import { mailMomentText } from '#contract/format.ts'
import { mail } from '../mail/template.ts'
import type { Mail } from '../mail/mailer.ts'

type About = { to: string; orgName: string; publicUrl: string }

/** An instant as a date that is correct for every reader. */
const onDate = (at: Date) => mailMomentText(at, 'UTC')

export const deletionBegins = ({ to, orgName, publicUrl }: About, deletesAt: Date, who: string): Mail =>
  mail(to, `${orgName} will be deleted`, [
    'Hello,',
    `${who} deleted the organization ${orgName}. Nothing more will be published, a paid plan won't renew, and only its admins can still open it.`,
    `On ${onDate(deletesAt)}, everything in it will be permanently deleted: projects, channels, posts, files and members. Until then, an admin can cancel the deletion or request a copy of everything in the organization settings.`,
    { link: publicUrl, label: 'Open Rookery' },
  ])

export const deletionTakenBack = ({ to, orgName, publicUrl }: About, who: string): Mail =>
  mail(to, `${orgName} won't be deleted`, [
    'Hello,',
    `${who} canceled the deletion of the organization ${orgName}. Its members can use it again. Posts whose time passed in the meantime are waiting for a new one.`,
    { link: publicUrl, label: 'Open Rookery' },
  ])

export const organizationGone = ({ to, orgName }: About): Mail =>
  mail(to, `${orgName} was deleted`, [
    'Hello,',
    `The organization ${orgName} and everything in it were permanently deleted, as its admins requested 7 days ago. Published posts stay on their platforms.`,
  ])

export const accountGone = (to: string): Mail =>
  mail(to, 'Your Rookery account was deleted', [
    'Hello,',
    'Your account was deleted, as you requested. What you created in organizations stays there without your name.',
  ])

export const exportReady = ({ to, orgName, publicUrl }: About, link: string, expiresAt: Date): Mail =>
  mail(to, `Your copy of ${orgName} is ready`, [
    'Hello,',
    `You can download the copy of everything that ${orgName} has in Rookery until ${onDate(expiresAt)}.`,
    { link: `${publicUrl}${link}`, label: 'Open settings' },
  ])
