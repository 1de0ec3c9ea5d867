import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { listNotices } from '#contract/notices.ts'
import { postActivity } from '#contract/postNotes.ts'
import { getPost } from '#contract/posts.ts'
import {
  decideByLink,
  readApprovalFile,
  readApprovalLink,
  remindApprovers,
  revokeApprovalLink,
  type WorkflowStep,
} from '#contract/workflows.ts'
import { withoutToken } from '../app.ts'
import { MailRefused } from '../mail/mailer.ts'
import { approvalsOn } from '../testing/approvals.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { postsOn } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { workflowJobs } from './jobs.ts'
import { storedNotifications } from '../testing/notifications.ts'

let app: TestApp
let room: ReturnType<typeof approvalsOn>
let posts: ReturnType<typeof postsOn>
let home: TestHome
let channelId: string
let ben: TestPerson
let client: string
let made = 0

beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  room = approvalsOn(app)
  posts = postsOn(app, app.database)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  channelId = await contentOn(app.parts).channel(home)
  ben = await app.colleague(home, 'editor', { firstName: 'Ben' })
  client = `client${++made}@out.example`
  // each test has its own client, so others' guesses don't count
  await app.database.owner.query('delete from budget')
})

const soon = () =>
  ({
    type: 'ONCE',
    details: { utc: new Date(app.clock.now().getTime() + 20 * 86_400_000).toISOString(), timezone: 'UTC' },
  }) as const
const outside = (needs: 'any' | 'all' = 'any', ...members: TestPerson[]): WorkflowStep => ({
  needs,
  approvers: [
    { kind: 'external', email: client, name: 'Kim Client' },
    ...members.map(({ personId }) => ({ kind: 'member' as const, userId: personId })),
  ],
})
const look = (token: string) => app.call(readApprovalLink, { params: { token } })
const decide = (token: string, more: { version?: number; decision?: 'approved' | 'rejected'; comment?: string } = {}) =>
  app.call(decideByLink, { params: { token }, body: { version: 1, decision: 'approved', ...more } })

async function askOutside(
  steps: WorkflowStep[] = [outside()],
  more: { text?: string; media?: { assetId: string; altText?: string }[] } = {},
): Promise<{ postId: string; token: string; version: number }> {
  const postId = await room.ask(home, {
    channelId,
    workflowId: await room.workflow(home, steps),
    schedule: soon(),
    ...more,
  })
  return { postId, token: await room.mailed(client), version: await room.version(home, postId) }
}

describe('a link', () => {
  it('is emailed, shows the post and decides once', async () => {
    const { postId, token, version } = await askOutside([outside()], { text: 'For the client' })
    const mail = app.outbox.at(-1)
    expect(mail).toMatchObject({ to: client, subject: 'Olive Owner requested your approval' })
    expect(mail?.text).toContain('For the client')
    expect(await look(token)).toMatchObject({
      state: 'open',
      approver: 'Kim Client',
      post: { contents: [{ text: 'For the client' }], version },
      approval: { mayDecide: true, sentBy: 'Olive Owner' },
    })
    await decide(token, { version, comment: 'Lovely' })
    expect(await room.status(home, postId)).toBe('SCHEDULED')
    // the decided post stays visible, without the buttons
    expect(await look(token)).toMatchObject({
      state: 'decided',
      ended: null,
      post: { contents: [{ text: 'For the client' }] },
      approval: { mayDecide: false },
    })
    await expect(decide(token, { version, decision: 'rejected', comment: 'Or not' })).rejects.toMatchObject({
      code: 'POST_LOCKED',
    })
    const { rows } = await app.database.owner.query(
      'select person_id, external_email, decision, comment from approval_decision where post_id = $1',
      [postId],
    )
    expect(rows).toEqual([{ person_id: null, external_email: client, decision: 'approved', comment: 'Lovely' }])
    expect(await posts.story(postId)).toEqual(['created', 'sent_for_approval', 'approved', 'scheduled'])
    // both readers of the timeline word it alike
    const params = { ...home.params, postId }
    const { activity } = await app.call(postActivity, { params }, { as: home.person })
    const { timeline } = await app.call(getPost, { params }, { as: home.person })
    const note = 'By Kim Client, from outside your organization. Lovely'
    expect(activity.find(({ action }) => action === 'approved')?.detail).toMatchObject({ note })
    expect(timeline.find(({ kind }) => kind === 'approved')?.note).toBe(note)
    expect(await teamOn(app).lastAudit(home)).toMatchObject({
      action: 'approved',
      entity: 'post',
      entity_id: postId,
      person_id: null,
    })
    expect(await room.notices(home.person)).toEqual(['Kim Client approved your post'])
  })

  it("tells the sender and the approver when the approved post can't be published anymore", async () => {
    const schedule = {
      type: 'ONCE',
      details: { utc: new Date(app.clock.now().getTime() + 3_600_000).toISOString(), timezone: 'UTC' },
    } as const
    const postId = await room.ask(home, { channelId, workflowId: await room.workflow(home, [outside()]), schedule })
    const token = await room.mailed(client)
    app.clock.advance({ hours: 2 })
    expect(await decide(token, { version: await room.version(home, postId), comment: 'Lovely' })).toEqual({
      message: "Post approved. It can't be published yet, but the team can see why.",
    })
    expect(await storedNotifications(app.database.owner, 'person_id = $1', [home.person.personId])).toMatchObject([
      {
        title: "Kim Client approved your post, but it can't be published yet",
        body: expect.stringMatching(/Its time passed while it waited for approval\. Choose a new one\.$/),
        quote: 'Lovely',
      },
    ])
    expect(await posts.story(postId)).toEqual(['created', 'sent_for_approval', 'approved', 'waiting'])
    expect(await app.call(getPost, { params: { ...home.params, postId } }, { as: home.person })).toMatchObject({
      status: 'APPROVED',
      failure: { code: 'time-passed-in-approval' },
    })
  })

  it('rejects with a reason', async () => {
    const { postId, token, version } = await askOutside()
    await expect(decide(token, { version, decision: 'rejected' })).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await decide(token, { version, decision: 'rejected', comment: 'Wrong logo.\nUse the new one.' })
    expect(await room.status(home, postId)).toBe('REJECTED')
    // the reason is a quote of its own, apart from the words of the post
    const { notices } = await app.call(listNotices, { params: home.params }, { as: home.person })
    expect(notices[0]).toMatchObject({
      title: 'Kim Client rejected your post',
      body: expect.not.stringContaining('logo'),
      quote: 'Wrong logo.\nUse the new one.',
    })
  })

  it('reveals nothing but the post, its project and its organization', async () => {
    const { token } = await askOutside([outside('all', ben)])
    const reply = await look(token)
    expect(reply.post).toMatchObject({ author: null, labels: [], campaigns: [], workflow: null, series: null })
    expect(reply.approval).toMatchObject({
      workflowName: '',
      decisions: [],
      steps: [{ approvers: [{ name: 'Kim Client' }] }],
    })
    expect(JSON.stringify(reply)).not.toContain('Ben')
    expect(reply.post).not.toHaveProperty('timeline')
  })

  it('can be opened by email scanners without any effect', async () => {
    const { postId, token } = await askOutside()
    const before = await posts.row(postId)
    for (const method of ['GET', 'HEAD'] as const)
      for (let i = 0; i < 5; i++) await app.app.inject({ method, url: `/api/public/approval/${token}` })
    expect(await posts.row(postId)).toEqual(before)
    expect(await look(token)).toMatchObject({ state: 'open' })
    expect(
      (await app.database.owner.query('select from approval_decision where post_id = $1', [postId])).rowCount,
    ).toBe(0)
  })

  it('decides once when its form is sent several times at the same time', async () => {
    const { postId, token, version } = await askOutside([outside('all', ben)])
    const answers = await Promise.allSettled([
      decide(token, { version }),
      decide(token, { version }),
      decide(token, { version }),
    ])
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(
      (await app.database.owner.query('select from approval_decision where post_id = $1', [postId])).rowCount,
    ).toBe(1)
  })

  it("and a member's simultaneous decision count once each", async () => {
    const { postId, token, version } = await askOutside([outside('all', ben)])
    await Promise.all([decide(token, { version }), room.approve(home, postId, ben, { version })])
    expect(await room.status(home, postId)).toBe('SCHEDULED')
    expect((await posts.story(postId)).filter((kind) => kind === 'scheduled')).toHaveLength(1)
  })

  it('is emailed once when an automatic reminder replaces it', async () => {
    const { postId, token } = await askOutside()
    app.clock.advance({ hours: 25 })
    for (let i = 0; i < 2; i++)
      for (const job of workflowJobs(app.parts))
        if (job.every !== undefined)
          await job.perform(
            {
              databases: app.parts.databases,
              clock: app.clock,
              log: app.parts.log,
              signal: new AbortController().signal,
            },
            {},
          )
    const mails = () => app.outbox.filter(({ to }) => to === client).length
    expect(mails()).toBe(1)
    const next = await room.mailed(client)
    expect(mails()).toBe(2)
    expect(await look(token)).toMatchObject({ state: 'passed', ended: 'replaced' })
    expect(await look(next)).toMatchObject({ state: 'open', post: { postId } })
    // once the newer link was used, there is nothing left to do
    await decide(next, { version: await room.version(home, postId) })
    expect(await look(token)).toMatchObject({ state: 'passed', ended: 'closed', post: { contents: [], excerpt: '' } })
  })

  it('ends after 14 days; a reminder emails a new one', async () => {
    const { postId, token, version } = await askOutside()
    app.clock.advance({ hours: 14 * 24 })
    expect(await look(token)).toMatchObject({
      state: 'passed',
      ended: 'expired',
      post: { contents: [], excerpt: '' },
    })
    await expect(decide(token, { version })).rejects.toMatchObject({ code: 'POST_LOCKED' })
    // nobody is left in the step: an admin may decide
    await app.call(remindApprovers, { params: { ...home.params, postId } }, { as: home.person })
    const next = await room.mailed(client)
    expect(next).not.toBe(token)
    expect(app.outbox.at(-1)?.subject).toBe('Reminder: Olive Owner requested your approval')
    await decide(next, { version })
    expect(await room.status(home, postId)).toBe('SCHEDULED')
  })

  it('ends when the step closes', async () => {
    const { token, version } = await askOutside([
      outside('any', ben),
      { needs: 'any', approvers: [{ kind: 'member', userId: home.person.personId }] },
    ])
    const { postId } = await look(token).then(({ post }) => post)
    await room.approve(home, postId, ben)
    expect(await look(token)).toMatchObject({
      state: 'passed',
      ended: 'closed',
      post: { contents: [] },
      approval: { mayDecide: false },
    })
    await expect(decide(token, { version })).rejects.toMatchObject({ code: 'POST_LOCKED' })
  })

  it('ends when the post changes; a new one shows what changed', async () => {
    const { postId, token } = await askOutside([outside('all', ben)], { text: 'Before' })
    await decide(token, { version: await room.version(home, postId) })
    await room.say(home, postId, 'After')
    // the email with the next one is on its way
    expect(await look(token)).toMatchObject({ state: 'passed', ended: 'replaced', post: { contents: [] } })
    const next = await room.mailed(client)
    expect(await look(next)).toMatchObject({
      state: 'open',
      post: { contents: [{ text: 'After' }] },
      approval: { changes: [{ field: 'Text', before: 'Before', after: 'After' }] },
    })
  })

  it("ends when an admin ends it, isn't made again in this round, and admins decide", async () => {
    const { postId, token, version } = await askOutside()
    await expect(
      app.call(revokeApprovalLink, { params: { ...home.params, postId } }, { as: ben }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await app.call(revokeApprovalLink, { params: { ...home.params, postId } }, { as: home.person })
    expect(await look(token)).toMatchObject({ state: 'passed', ended: 'revoked', post: { contents: [] } })
    await expect(decide(token, { version })).rejects.toMatchObject({ code: 'POST_LOCKED' })
    const mails = app.outbox.length
    await app.call(remindApprovers, { params: { ...home.params, postId } }, { as: home.person })
    await room.mailed(client)
    expect(app.outbox).toHaveLength(mails)
    expect(await room.approve(home, postId, home.person)).toMatchObject({ status: 'SCHEDULED' })
    expect(await look(token)).toMatchObject({ state: 'passed', ended: 'closed' })
  })

  it('refuses a form that was made for an earlier version', async () => {
    const { token, version } = await askOutside()
    await expect(decide(token, { version: version - 1 })).rejects.toMatchObject({ code: 'STALE_VERSION' })
    expect(await look(token)).toMatchObject({ state: 'open' })
  })

  it('decides nothing in another step', async () => {
    const other = {
      needs: 'any' as const,
      approvers: [{ kind: 'external' as const, email: client, name: 'Kim Client' }],
    }
    const { postId, token, version } = await askOutside([outside(), other])
    await decide(token, { version })
    expect(await room.status(home, postId)).toBe('NEEDS_APPROVAL')
    await expect(decide(token, { version })).rejects.toMatchObject({ code: 'POST_LOCKED' })
    await decide(await room.mailed(client), { version })
    expect(await room.status(home, postId)).toBe('SCHEDULED')
  })

  it('appears in no log', () => {
    expect(withoutToken('/api/public/approval/secret/file?assetId=1')).toBe('/api/public/approval/.../file')
    expect(withoutToken('/approve/secret')).toBe('/approve/...')
    expect(withoutToken('/api/media/file/secret.signature/a.mp4')).toBe('/api/media/file/.../a.mp4')
    expect(withoutToken('/api/upload/secret.signature')).toBe('/api/upload/...')
    expect(withoutToken('/api/public/invite/secret')).toBe('/api/public/invite/...')
    expect(withoutToken('/api/o/project/p/post/x/approval')).toBe('/api/o/project/p/post/x/approval')
  })

  it('is kept as a hash only', async () => {
    const { token } = await askOutside()
    const { rows } = await app.database.owner.query(
      'select to_jsonb(l)::text as row from approval_link l union all select payload::text from graphile_worker._private_jobs',
    )
    expect(rows.some(({ row }) => String(row).includes(token))).toBe(false)
  })

  it("can't be guessed: after a few tries a client has to wait", async () => {
    const guess = () => look('a'.repeat(43))
    for (let i = 0; i < 30; i++) await expect(guess()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(guess()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    await expect(decide('a'.repeat(43))).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })
})

describe('files of the post', () => {
  it('can be read with the link while it shows the post, and no other files can', async () => {
    const content = contentOn(app.parts)
    const [assetId, unrelated] = [await content.picture(home), await content.picture(home)]
    const { postId, token } = await askOutside([outside('any', ben)], { media: [{ assetId, altText: 'A picture' }] })
    const { post } = await look(token)
    const url = post.contents[0]?.media[0]?.url ?? ''
    expect(url).toBe(`/api/public/approval/${token}/file?assetId=${assetId}`)
    const answer = await app.app.inject({ method: 'GET', url })
    expect(answer).toMatchObject({
      statusCode: 200,
      headers: { 'content-type': 'image/jpeg', 'x-content-type-options': 'nosniff' },
    })
    const refused = (id: string) =>
      app.app.inject({ method: 'GET', url: `/api/public/approval/${token}/file?assetId=${id}` })
    expect((await refused(unrelated)).statusCode).toBe(404)
    await room.reject(home, postId, ben)
    expect((await refused(assetId)).statusCode).toBe(404)
    expect(readApprovalFile.access.kind).toBe('public')
  })
})

describe('an address that rejects mail', () => {
  it('leaves the step to admins rather than blocking the post', async () => {
    vi.spyOn(app.parts.mailer, 'send').mockRejectedValueOnce(new MailRefused('no such user'))
    const { postId } = await askOutside()
    expect(await room.approve(home, postId, home.person)).toMatchObject({ status: 'SCHEDULED' })
    expect(
      (await app.call(getPost, { params: { ...home.params, postId } }, { as: home.person })).workflow,
    ).toMatchObject({ state: 'approved' })
  })
})
