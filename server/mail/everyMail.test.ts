import { describe, expect, it } from 'vitest'
import * as dataRights from '../dataRights/mails.ts'
import * as identity from '../identity/mails.ts'
import { inviteMail } from '../invites/mails.ts'
import { notificationMail } from '../notifications/mails.ts'
import { askMail, reportMail } from '../reports/schedules/texts.ts'
import { approvalMail } from '../workflows/mails.ts'
import * as members from '../members/mails.ts'
import type { Mail } from './mailer.ts'

const url = 'https://rookery.test'
const [to, ada] = ['ada@example.org', 'Ada']
const at = new Date('2026-11-22T17:42:00Z')
const about = { to, orgName: 'Northlight Coffee', publicUrl: url }
const link = `${url}/reset-password?token=x`

const identityMails: Record<string, Mail> = {
  codeMail: identity.codeMail(to, ada, '123456'),
  resetMail: identity.resetMail(to, ada, link),
  firstPasswordMail: identity.firstPasswordMail(to, ada, link),
  passwordChangedMail: identity.passwordChangedMail(to, ada, 2, url),
  newAddressMail: identity.newAddressMail(to, ada, '123456'),
  addressTakenMail: identity.addressTakenMail(to, ada, url),
  addressWillChangeMail: identity.addressWillChangeMail(to, ada, 'new@example.org', url),
  addressChangedMail: identity.addressChangedMail(to, ada, 'new@example.org'),
  securityMail: identity.securityMail(to, ada, 'An authenticator app was turned on for your account.', url),
  recoveryCodeUsedMail: identity.recoveryCodeUsedMail(to, ada, 3, url),
  secondFactorGuessedMail: identity.secondFactorGuessedMail(to, ada, url),
}
const dataRightsMails: Record<string, Mail> = {
  deletionBegins: dataRights.deletionBegins(about, at, 'Ada Lovelace'),
  deletionTakenBack: dataRights.deletionTakenBack(about, 'Ada Lovelace'),
  organizationGone: dataRights.organizationGone(about),
  accountGone: dataRights.accountGone(to),
  exportReady: dataRights.exportReady(about, '/settings', at),
}
const addressee = { email: to, firstName: ada }
const memberMails: Record<string, Mail> = {
  removedMail: members.removedMail(addressee, { kind: 'project', name: 'Flagship' }),
  projectDeletedMail: members.projectDeletedMail(addressee, 'Flagship', 'Ada Lovelace'),
  loggedOutByAdminMail: members.loggedOutByAdminMail(to, ada, 'Northlight Coffee', url),
}
const report = {
  mailId: '1',
  recipientId: '2',
  to,
  name: ada,
  ownerName: 'Olive Owner',
  orgName: 'Northlight Coffee',
  reportName: 'Month',
  range: { from: '2026-11-01', to: '2026-11-30' },
  notFinal: [],
} as const
const reportLinks = { publicUrl: url, secret: 'secret' }
const reportMails: Record<string, Mail> = {
  reportMail: reportMail(
    { ...report, file: { fileName: 'Month 2026-11-30.pdf', pdf: Buffer.from('%PDF') } },
    reportLinks,
  ),
  reportLinkMail: reportMail(
    {
      ...report,
      name: null,
      notFinal: ['@rook on Bluesky'],
      file: { fileName: 'Month 2026-11-30.pdf', link: `${url}/r/file/x`, holdsDays: 30 },
    },
    reportLinks,
  ),
  askMail: askMail({ ...report, how: 'every month' }, reportLinks),
}
const mails: Record<string, Mail> = {
  ...reportMails,
  ...identityMails,
  ...dataRightsMails,
  ...memberMails,
  inviteMail: inviteMail(
    {
      inviteId: '1',
      email: to,
      orgName: 'Northlight Coffee',
      projectName: 'Flagship',
      roleName: 'Editor',
      invitedBy: 'Ada Lovelace',
    },
    url,
  ),
  approvalMail: approvalMail(
    {
      email: to,
      name: 'Kim',
      sender: 'Ada Lovelace',
      orgName: 'Northlight Coffee',
      projectName: 'Flagship',
      again: false,
      posts: [{ token: 'x', excerpt: 'Rye is back', channel: '@northlight', dueAt: at, zone: 'America/New_York' }],
    },
    url,
  ),
  notificationMail: notificationMail(
    {
      mailId: '1',
      personId: '1',
      orgId: '1',
      to,
      firstName: ada,
      orgName: 'Northlight Coffee',
      isAdmin: false,
      admins: [{ name: 'Olive Owner', email: 'olive@example.org' }],
      notices: [
        {
          kind: 'approval-decided',
          params: {
            decider: 'Kim',
            decision: 'rejected',
            postId: '1',
            excerpt: 'Rye is back',
            comment: 'Wrong logo',
            failure: null,
          },
          count: 1,
          at,
          project: { id: '1', name: 'Flagship', zone: 'Europe/London' },
        },
      ],
    },
    { publicUrl: url, secret: 'secret' },
  ),
}

describe('every mail', () => {
  it('about people, members and data rights is in these tests', () => {
    const namesIn = (module: object) =>
      Object.entries(module).flatMap(([name, value]) => (typeof value === 'function' ? [name] : []))
    expect(namesIn(identity).toSorted()).toEqual(Object.keys(identityMails).toSorted())
    expect(namesIn(members).toSorted()).toEqual(Object.keys(memberMails).toSorted())
    expect(namesIn(dataRights).toSorted()).toEqual(Object.keys(dataRightsMails).toSorted())
  })

  it.each(Object.entries(mails))('says that it was sent automatically, so that no reply comes back: %s', (_, mail) => {
    expect(mail.headers).toMatchObject({ 'Auto-Submitted': 'auto-generated' })
  })

  it.each(Object.entries(mails))(
    'says the same as text and as HTML, in plain words: %s',
    (_, { subject, text, html }) => {
      expect(subject).not.toMatch(/[\r\n]|undefined|null/)
      expect(`${subject} ${text} ${html}`).not.toMatch(/\[object|undefined|Invalid Date|\bNaN\b/)
      expect(`${subject} ${text}`).not.toMatch(
        /\b(?:whoever|somebody|goes out|go out|is told|mend|by itself|stands?)\b/i,
      )
      for (const address of text.match(/https:\/\/[^\s>]+/g) ?? []) expect(html).toContain(address)
    },
  )
})

describe("an email about an account's security", () => {
  it.each([
    'passwordChangedMail',
    'addressWillChangeMail',
    'securityMail',
    'recoveryCodeUsedMail',
    'secondFactorGuessedMail',
  ])('leads to a new password, which nobody has to be logged in for: %s', (name) => {
    expect(mails[name]?.text).toContain(`${url}/forgot-password`)
    expect(mails[name]?.text).not.toContain(`${url}/login`)
  })
})

describe('a time in an email', () => {
  it("is written out, with its time zone's city", () => {
    expect(mails['approvalMail']?.text).toContain('@northlight · Nov 22, 2026 at 12:42 PM (New York time)')
    expect(mails['notificationMail']?.text).toContain('Flagship · Nov 22, 2026 at 5:42 PM (London time)')
    expect(mails['deletionBegins']?.text).toContain('On Nov 22, 2026 at 5:42 PM (UTC), everything')
  })
})

describe('an email that people can stop', () => {
  it.each(['reportMail', 'reportLinkMail', 'askMail', 'notificationMail'])('has one click for it: %s', (name) => {
    expect(mails[name]?.headers).toMatchObject({
      'List-Unsubscribe': expect.stringMatching(/^<https:\/\/rookery\.test\/\S+>$/),
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
  })
})
