import { mail } from '../mail/template.ts'
import type { Mail } from '../mail/mailer.ts'

type About = { to: string; orgName: string; publicUrl: string }

/** An instant as a date that is right for every reader. */
const onDate = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

export const deletionBegins = ({ to, orgName, publicUrl }: About, deletesAt: Date, who: string): Mail =>
  mail(to, `${orgName} will be deleted`, [
    'Hello,',
    `${who} deleted the organization ${orgName}. Nothing more is published from now on, a paid plan is not renewed, and only its admins can still enter.`,
    `On ${onDate(deletesAt)} everything of it is gone for good: projects, channels, posts, files and members. Until then an admin can take it back, or ask for a copy of everything, in the settings of the organization.`,
    { link: publicUrl, label: 'Open Rookery' },
  ])

export const deletionTakenBack = ({ to, orgName, publicUrl }: About, who: string): Mail =>
  mail(to, `${orgName} stays`, [
    'Hello,',
    `${who} took the deletion of the organization ${orgName} back. Members can enter again. Posts that became late meanwhile wait for a person.`,
    { link: publicUrl, label: 'Open Rookery' },
  ])

export const organisationGone = ({ to, orgName }: About): Mail =>
  mail(to, `${orgName} was deleted`, [
    'Hello,',
    `The organization ${orgName} and everything that it had here are gone, as its admins asked 7 days ago. What was published stays on the platforms.`,
  ])

export const accountGone = (to: string): Mail =>
  mail(to, 'Your account was deleted', [
    'Hello,',
    'Your account was deleted, as you asked. What you made in organizations stays there without your name.',
  ])

export const exportReady = ({ to, orgName, publicUrl }: About, link: string, expiresAt: Date): Mail =>
  mail(to, `The copy of ${orgName} is ready`, [
    'Hello,',
    `The copy of everything that ${orgName} has on Rookery is ready. It can be downloaded until ${onDate(expiresAt)}.`,
    { link: `${publicUrl}${link}`, label: 'Open the settings' },
  ])
