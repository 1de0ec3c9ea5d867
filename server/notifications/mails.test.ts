import { createHmac, randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { deleteOrganization } from '#contract/dataRights.ts'
import type { NotificationFacts } from '#contract/notifications/catalog.ts'
import {
  alwaysMailed,
  defaultWays,
  listNotices,
  noticePreferences,
  noticeTopics,
  readNotice,
  setNoticePreference,
  unsubscribe,
  unsubscribePage,
} from '#contract/notices.ts'
import { asTenant } from '../db/tenant.ts'
import { MailRefused, type Mail } from '../mail/mailer.ts'
import { installationSecret } from '../secret.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { sendNotificationMails } from './sendMails.ts'
import { failedPost, signedOut } from '../testing/notifications.ts'
import { createNotification, type NewNotification } from './create.ts'
import { dismissNotifications } from './dismiss.ts'
import { readUnsubscribe, signUnsubscribe, UNSUBSCRIBE } from './unsubscribe.ts'

let app: TestApp
let secret: string
const sent: Mail[] = []
/** What the mail server does with an email after accepting it; set by a test. */
let afterwards: (mail: Mail) => void = () => {}
beforeAll(async () => {
  app = await startApp()
  secret = installationSecret(app.parts.env, UNSUBSCRIBE)
})
afterAll(() => app.close())
beforeEach(async () => {
  afterwards = () => {}
  // what an earlier test left due
  await app.database.owner.query('update notice set mail_due_at = null')
  sent.length = 0
})

const mailer = {
  send: async (mail: Mail) => {
    sent.push(mail)
    afterwards(mail)
  },
}
const quiet = { info: () => {}, warn: () => {}, error: () => {} }
const work = (signal = new AbortController().signal) =>
  sendNotificationMails({
    databases: app.parts.databases,
    clock: app.clock,
    log: quiet,
    mailer,
    facts: { publicUrl: 'https://rookery.test', secret },
    signal,
  })
type Where = Pick<NewNotification, 'dedupeKey' | 'people' | 'channelIds'>
const create = (home: TestHome, more: Partial<Where> = {}, facts: NotificationFacts = failedPost()) =>
  asTenant(app.parts.databases.web, home.orgId, (tx) =>
    createNotification(
      tx,
      {
        orgId: home.orgId,
        projectId: home.projectId,
        dedupeKey: 'post:1:FAILED',
        ...facts,
        people: 'project-editors',
        channelIds: null,
        ...more,
      },
      app.clock.now(),
    ),
  )
const later = (minutes = 6) => app.clock.advance({ minutes })
const to = (person: TestPerson) => sent.filter((mail) => mail.to === person.email)
const readFirst = async (home: TestHome, as: TestPerson) => {
  const [first] = (await app.call(listNotices, { params: home.params }, { as })).notices
  await app.call(readNotice, { params: { ...home.params, noticeId: first?.noticeId ?? '' } }, { as })
}

it('go to no one who is locked out because the organization is being deleted', async () => {
  const home = await app.signedInOwner()
  const editor = await app.colleague(home, 'editor')
  await create(home)
  await app.call(deleteOrganization, { params: home.params }, { as: home.person })
  later()
  await work()
  expect([to(editor), to(home.person)].map((mails) => mails.length)).toEqual([0, 1])
})

it('arrive some minutes later, once', async () => {
  const home = await app.signedInOwner()
  await create(home)
  await work()
  expect(sent).toEqual([])
  later()
  await work()
  await work()
  later()
  await work()
  expect(sent).toHaveLength(1)
})

it("aren't sent about what was read in between", async () => {
  const home = await app.signedInOwner()
  await create(home)
  await readFirst(home, home.person)
  later()
  await work()
  expect(sent).toEqual([])
})

it("aren't sent about what was fixed in between, which counts as read; if it comes up again, it's news", async () => {
  const home = await app.signedInOwner()
  const editor = await app.colleague(home, 'editor')
  await create(home)
  await create(home, { dedupeKey: 'post:2:FAILED', people: [editor.personId] })
  await asTenant(app.parts.databases.web, home.orgId, (tx) =>
    dismissNotifications(tx, { orgId: home.orgId, dedupeKeys: ['post:1:FAILED'] }, app.clock.now()),
  )
  later()
  await work()
  expect(sent.map((mail) => mail.to)).toEqual([editor.email])
  const unread = async (as: TestPerson) => (await app.call(listNotices, { params: home.params }, { as })).unread
  expect([await unread(home.person), await unread(editor)]).toEqual([0, 1])
  await create(home)
  later()
  await work()
  expect([to(home.person).length, to(editor).length, await unread(home.person)]).toEqual([1, 2, 1])
})

it('say what happened, where, whom to ask and how to change it, and link to the post', async () => {
  const home = await app.signedInOwner()
  const editor = await app.colleague(home, 'editor', { firstName: 'Edda' })
  await create(home, {}, failedPost('1', 'The <account> is gone.'))
  later()
  await work()
  const [mail] = to(editor)
  expect(mail?.subject).toBe("A post on Bluesky wasn't published")
  expect(mail?.text).toContain('Hello Edda,')
  expect(mail?.text).toContain('The <account> is gone. Connect another.')
  expect(mail?.text).toContain(`https://rookery.test/${home.orgId}/project/${home.projectId}/post/1`)
  expect(mail?.text).toContain(`Questions? Ask Olive Owner (${home.person.email}), an admin of My Workspace.`)
  expect(mail?.text).toContain('https://rookery.test/profile#notices')
  expect(mail?.text).toMatch(/[A-Z][a-z]{2} \d{1,2}, \d{4} at \d{1,2}:\d{2} [AP]M \(London time\)/)
  expect(mail?.html).toContain('&lt;account&gt;')
  expect(mail?.text).not.toContain('token')
  // the only admin has no one to ask
  expect(to(home.person)[0]?.text).not.toMatch(/Questions|admin/)
})

it('quote what someone said on separate lines', async () => {
  const home = await app.signedInOwner()
  await create(
    home,
    {},
    {
      kind: 'approval-decided',
      params: {
        decider: 'Kim',
        decision: 'rejected',
        postId: '1',
        excerpt: 'Rye is back',
        comment: 'Wrong <logo>.\nUse the new one.',
        failure: null,
      },
    },
  )
  later()
  await work()
  const [mail] = to(home.person)
  expect(mail?.text).toContain('\nRye is back\n> Wrong <logo>.\n> Use the new one.\n')
  expect(mail?.html).toMatch(/<blockquote[^>]*>Wrong &lt;logo&gt;\.\nUse the new one\.<\/blockquote>/)
})

it('collect what is pending for one person in one organization', async () => {
  const home = await app.signedInOwner()
  const second = await app.signedInOwner()
  await app.database.owner.query(
    'insert into member (org_id, person_id, is_admin, added_at) values ($1, $2, true, now())',
    [second.orgId, home.person.personId],
  )
  await create(home)
  later(4)
  await create(home, { dedupeKey: 'channel:1:reconnect' }, signedOut('rook'))
  await create(home)
  await create(second)
  later(2)
  await work()
  expect(to(home.person)).toHaveLength(1)
  expect(to(home.person)[0]).toMatchObject({ subject: "A post on Bluesky wasn't published (and 1 more)" })
  expect(to(home.person)[0]?.text).toContain('rook is signed out of Bluesky')
  expect(to(home.person)[0]?.text).toContain('2 times so far')
  // the other organization has its own email
  later()
  await work()
  expect(to(home.person)).toHaveLength(2)
  expect(to(second.person)).toHaveLength(1)
})

it('list twenty subjects and count the rest', async () => {
  const home = await app.signedInOwner()
  for (let n = 0; n < 23; n++) await create(home, { dedupeKey: `post:${n}:FAILED` })
  later()
  await work()
  expect(sent).toHaveLength(1)
  expect(sent[0]?.text).toContain('3 more in your notifications')
  expect(sent[0]?.text.match(/A post on Bluesky wasn't published/g)).toHaveLength(20)
})

it("aren't repeated within a day, unless the notification was read in between", async () => {
  const home = await app.signedInOwner()
  const again = async () => {
    await create(home)
    later()
    await work()
    return sent.length
  }
  expect([await again(), await again()]).toEqual([1, 1])
  await readFirst(home, home.person)
  expect([await again(), await again()]).toEqual([2, 2])
  app.clock.advance({ hours: 24 })
  expect(await again()).toBe(3)
})

it("don't wait forever for something that keeps coming up", async () => {
  const home = await app.signedInOwner()
  for (let minute = 0; minute < 6; minute++) {
    await create(home)
    later(1)
  }
  await work()
  expect(sent).toHaveLength(1)
})

it('respect preferences, even if they changed afterwards', async () => {
  const home = await app.signedInOwner()
  const [editor, silent] = [await app.colleague(home, 'editor'), await app.colleague(home, 'editor')]
  await app.call(setNoticePreference, { body: { topic: 'failed_posts', inApp: false, mail: true } }, { as: editor })
  await create(home)
  await app.call(setNoticePreference, { body: { topic: 'failed_posts', inApp: true, mail: false } }, { as: silent })
  later()
  await work()
  expect([to(editor).length, to(silent).length, to(home.person).length]).toEqual([1, 0, 1])
})

it("aren't sent to people who left the project or the organization in the meantime", async () => {
  const home = await app.signedInOwner()
  const [left, moved] = [await app.colleague(home, 'editor'), await app.colleague(home, 'editor')]
  await create(home)
  await app.database.owner.query('update member set removed_at = now() where person_id = $1', [left.personId])
  await app.database.owner.query('delete from project_member where person_id = $1', [moved.personId])
  later()
  await work()
  expect(sent.map((mail) => mail.to)).toEqual([home.person.email])
  const { rows } = await app.database.owner.query('select 1 from notice where mail_due_at is not null')
  expect(rows).toEqual([])
})

it("about a channel aren't sent to a role that lost it in the meantime", async () => {
  const home = await app.signedInOwner()
  const [editor, mine] = [await app.colleague(home, 'editor'), randomUUIDv7()]
  await create(home, { channelIds: [randomUUIDv7()] })
  await app.database.owner.query('update project_member set channel_ids = $1 where person_id = $2', [
    [mine],
    editor.personId,
  ])
  later()
  await work()
  expect(sent.map((mail) => mail.to)).toEqual([home.person.email])
})

it("aren't sent to a role that lost what they are about in the meantime", async () => {
  const home = await app.signedInOwner()
  const team = teamOn(app)
  const [reader, answering] = [
    await team.holder(home, { post: ['view'] }),
    await team.holder(home, { inbox: ['view'], comment: ['view', 'create'] }),
  ]
  const people = [reader.personId, answering.personId]
  await create(home, { people })
  await create(home, { people, dedupeKey: 'channel:1:reconnect' }, signedOut())
  later()
  await work()
  const told = (person: TestPerson) =>
    to(person).map(({ text }) => [text.includes('The account is gone.'), text.includes('Its token has ended.')])
  expect(told(reader)).toEqual([[true, true]])
  expect(told(answering)).toEqual([[false, true]])
})

it('are sent once by two simultaneous workers', async () => {
  const home = await app.signedInOwner()
  const editors = await Promise.all(Array.from({ length: 12 }, () => app.colleague(home, 'editor')))
  await create(home)
  await create(home, { dedupeKey: 'post:2:FAILED' })
  later()
  await Promise.all([work(), work(), work()])
  await work()
  expect(sent.map((mail) => mail.to).toSorted()).toEqual(
    [...editors, home.person].map((person) => person.email).toSorted(),
  )
})

it('are sent again under the same ID if in doubt, and later notifications in a separate email', async () => {
  const home = await app.signedInOwner()
  await create(home)
  later()
  afterwards = () => {
    throw new Error('the connection went away')
  }
  await work()
  expect(sent).toHaveLength(1)
  afterwards = () => {}
  await create(home, { dedupeKey: 'post:2:FAILED' }, signedOut())
  later(11)
  await work()
  const ids = sent.map((mail) => mail.messageId)
  expect(sent).toHaveLength(3)
  expect(ids[0]).toMatch(/^<[\w-]{36}@rookery\.test>$/)
  expect(new Set(ids).size).toBe(2)
  expect(sent.filter((mail) => mail.messageId === ids[0]).map((mail) => mail.subject)).toEqual([
    "A post on Bluesky wasn't published",
    "A post on Bluesky wasn't published",
  ])
  later(60)
  await work()
  expect(sent).toHaveLength(3)
})

it('of a dead worker are sent when its lease has ended, and not before', async () => {
  const home = await app.signedInOwner()
  await create(home)
  later()
  // it took them and never reported back
  await app.database.owner.query(
    "update notice set mail_id = uuidv7(), mail_due_at = $1::timestamptz + interval '30 minutes' where mail_due_at is not null",
    [app.clock.now()],
  )
  await work()
  later(29)
  await work()
  expect(sent).toEqual([])
  later(2)
  await work()
  expect(sent).toHaveLength(1)
})

it("that the mail server rejects permanently don't delay others and aren't retried", async () => {
  const home = await app.signedInOwner()
  const gone = await app.colleague(home, 'editor')
  afterwards = (mail) => {
    if (mail.to === gone.email) throw new MailRefused('no such mailbox')
  }
  await create(home)
  later()
  await work()
  later(60)
  await work()
  expect([to(gone).length, to(home.person).length]).toEqual([1, 1])
})

it('leave an unavailable mail server alone until the next run, and are given up after a day', async () => {
  const home = await app.signedInOwner()
  await Promise.all(Array.from({ length: 5 }, () => app.colleague(home, 'editor')))
  await create(home)
  later()
  afterwards = () => {
    throw new Error('down')
  }
  await work()
  expect(sent).toHaveLength(3)
  app.clock.advance({ hours: 25 })
  await work()
  await work()
  const { rows } = await app.database.owner.query('select 1 from notice where mail_due_at is not null')
  expect(rows).toEqual([])
})

it('have a one-click unsubscribe link without a login, which stops only their topics', async () => {
  const home = await app.signedInOwner()
  await create(home)
  later()
  await work()
  const headers = sent[0]?.headers ?? {}
  expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
  const address = /^<https:\/\/rookery\.test(\/.*)>$/.exec(headers['List-Unsubscribe'] ?? '')?.[1] ?? ''
  // a person who opens it is asked first
  const page = await app.app.inject({ url: address })
  expect(page.body).toContain('url=http://rookery.test/unsubscribe?token=')
  const chosen = async () =>
    (await app.call(noticePreferences, {}, { as: home.person })).topics.filter(
      ({ topic, mail }) => mail !== defaultWays(topic).mail,
    )
  expect(await chosen()).toEqual([])
  // as email programs post it: a form, no cookie
  for (let twice = 0; twice < 2; twice++) {
    const reply = await app.app.inject({
      method: 'POST',
      url: address,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    })
    expect([reply.statusCode, reply.json()]).toEqual([200, { topics: ['failed_posts'] }])
  }
  expect(await chosen()).toEqual([{ topic: 'failed_posts', inApp: true, mail: false }])
  const form = await app.app.inject({
    method: 'POST',
    url: address,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
  })
  expect(form.statusCode).toBe(200)
})

it.each(noticeTopics)('about %s alone are stopped by their link', async (topic) => {
  const person = await app.person()
  const { personId } = person
  const token = signUnsubscribe(secret, { personId, topics: [topic] })
  expect(readUnsubscribe(secret, token)).toEqual({ personId, topics: [topic] })
  const before = (await app.call(noticePreferences, {}, { as: person })).topics
  const stopped = alwaysMailed.includes(topic) ? [] : [topic]
  expect(await app.call(unsubscribe, { query: { token } })).toEqual({ topics: stopped })
  expect((await app.call(noticePreferences, {}, { as: person })).topics).toEqual(
    before.map((choice) => (stopped.includes(choice.topic) ? { ...choice, mail: false } : choice)),
  )
})

it('are still stopped by a link with one byte of topics, as earlier emails have', async () => {
  const { personId } = await app.person()
  // failed posts and the inbox
  const said = Buffer.concat([Buffer.from(personId.replaceAll('-', ''), 'hex'), Buffer.of(0b100001)])
  const signature = createHmac('sha256', secret).update(said).digest().subarray(0, 16)
  const token = Buffer.concat([said, signature]).toString('base64url')
  expect(await app.call(unsubscribe, { query: { token } })).toEqual({ topics: ['failed_posts', 'inbox'] })
})

it("can't be stopped by a link that wasn't signed here", async () => {
  const person = await app.person()
  const token = signUnsubscribe(secret, { personId: person.personId, topics: ['failed_posts', 'invitations'] })
  expect(readUnsubscribe(secret, token)).toEqual({ personId: person.personId, topics: ['failed_posts', 'invitations'] })
  const bytes = Buffer.from(token, 'base64url')
  const forged = Array.from({ length: bytes.length }, (_, place) =>
    Buffer.from(bytes.map((byte, at) => (at === place ? byte ^ 1 : byte))).toString('base64url'),
  )
  const others = [
    '',
    'a',
    token.slice(0, -2),
    `${token}AA`,
    signUnsubscribe('another secret', { personId: person.personId, topics: ['failed_posts'] }),
  ]
  for (const wrong of [...forged, ...others])
    await expect(app.call(unsubscribe, { query: { token: wrong } }), wrong).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await app.call(noticePreferences, {}, { as: person })).toEqual({
    topics: noticeTopics.map((topic) => ({ topic, ...defaultWays(topic) })),
  })
  // invitations are emailed whatever a link says
  expect(await app.call(unsubscribe, { query: { token } })).toEqual({ topics: ['failed_posts'] })
  const page = await app.send(unsubscribePage, { query: { token: '"><script>' } })
  expect(page.body).not.toContain('<script>')
})
