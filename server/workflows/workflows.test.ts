import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { removeFromProject } from '#contract/members.ts'
import { reschedulePost } from '#contract/posts.ts'
import { submitPost } from '#contract/submit.ts'
import { approvalsAll, approvalsOfMe, approvalsSent } from '#contract/approvalLists.ts'
import {
  approvePost,
  createWorkflow,
  deleteWorkflow,
  editWorkflow,
  listWorkflows,
  postApproval,
  rejectPost,
  remindApprovers,
  type WorkflowStep,
} from '#contract/workflows.ts'
import { approvalsOn } from '../testing/approvals.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { NOW, postsOn } from '../testing/posts.ts'
import { runJobs } from '../testing/runJobs.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn, type Team } from '../testing/team.ts'
import { workflowJobs } from './jobs.ts'
import { storedNotifications } from '../testing/notifications.ts'

let app: TestApp
let room: ReturnType<typeof approvalsOn>
let posts: ReturnType<typeof postsOn>
let team: Team
let home: TestHome
let channelId: string
let ben: TestPerson
let cy: TestPerson
let dee: TestPerson

beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  room = approvalsOn(app)
  posts = postsOn(app, app.database)
  team = teamOn(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  await team.plan(home, 'team')
  channelId = await contentOn(app.parts).channel(home)
  ;[ben, cy, dee] = [
    await app.colleague(home, 'editor', { firstName: 'Ben' }),
    await app.colleague(home, 'editor', { firstName: 'Cy' }),
    await app.colleague(home, 'user', { firstName: 'Dee' }),
  ]
})

const named = (...who: TestPerson[]) => who.map(({ personId }) => ({ kind: 'member' as const, userId: personId }))
const step = (needs: 'any' | 'all', ...who: TestPerson[]): WorkflowStep => ({ needs, approvers: named(...who) })
const standing = async (postId: string, as = home.person) =>
  (await app.call(postApproval, { params: { ...home.params, postId } }, { as })).approval
const ids = async (list: typeof approvalsAll, as: TestPerson) =>
  (await app.call(list, { params: home.params }, { as })).posts.map(({ postId }) => postId)

describe('workflows', () => {
  const list = async () => (await app.call(listWorkflows, { params: home.params }, { as: home.person })).workflows

  it('begin with Any Admin, which can be changed and not deleted', async () => {
    const [first] = await list()
    expect(first).toMatchObject({
      name: 'Any Admin',
      isDefault: true,
      waiting: 0,
      steps: [{ needs: 'any', approvers: [{ kind: 'role', name: 'Admin', gone: false }] }],
    })
    await expect(
      app.call(
        deleteWorkflow,
        { params: { ...home.params, workflowId: first?.workflowId ?? '' } },
        { as: home.person },
      ),
    ).rejects.toMatchObject({ code: 'POST_LOCKED' })
  })

  it('are created, changed and deleted; names are unique without case', async () => {
    const workflowId = await room.workflow(home, [step('any', ben)])
    const [, made] = await list()
    expect(made).toMatchObject({
      workflowId,
      isDefault: false,
      steps: [{ approvers: [{ kind: 'member', id: ben.personId, name: 'Ben editor', gone: false }] }],
    })
    const name = made?.name ?? ''
    await expect(
      app.call(
        createWorkflow,
        { params: home.params, body: { name: name.toUpperCase(), steps: [step('any', ben)] } },
        { as: home.person },
      ),
    ).rejects.toMatchObject({ code: 'NAME_TAKEN' })
    await app.call(
      editWorkflow,
      { params: { ...home.params, workflowId }, body: { name: 'Legal', steps: [step('all', ben, cy)] } },
      { as: home.person },
    )
    await expect(
      app.call(
        editWorkflow,
        { params: { ...home.params, workflowId }, body: { name: 'any admin', steps: [step('any', ben)] } },
        { as: home.person },
      ),
    ).rejects.toMatchObject({ code: 'NAME_TAKEN' })
    expect((await list())[1]).toMatchObject({
      name: 'Legal',
      steps: [{ needs: 'all', approvers: [{ name: 'Ben editor' }, { name: 'Cy editor' }] }],
    })
    await app.call(deleteWorkflow, { params: { ...home.params, workflowId } }, { as: home.person })
    expect(await list()).toHaveLength(1)
  })

  it("refuse approvers who couldn't approve", async () => {
    const stranger = await app.person()
    const refused = app.call(
      createWorkflow,
      {
        params: home.params,
        body: {
          name: 'Odd',
          steps: [step('any', dee, stranger), { needs: 'any', approvers: [{ kind: 'role', roleId: home.roles.user }] }],
        },
      },
      { as: home.person },
    )
    await expect(refused).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: {
        errors: {
          'steps.0.approvers.0': expect.anything(),
          'steps.0.approvers.1': expect.anything(),
          'steps.1.approvers.0': ["This role doesn't allow approving."],
        },
      },
    })
  })

  it('can get outside approvers only from people who may approve; existing ones may stay', async () => {
    const clerk = await team.holder(home, { post: ['create', 'needs_approval'], workflow: ['create', 'edit'] })
    const outside = (email: string): WorkflowStep => ({
      needs: 'any',
      approvers: [{ kind: 'external', email, name: 'Kim' }],
    })
    const refused = (at: string) => ({
      code: 'BAD_INPUT',
      problem: { errors: { [at]: ['Only people who can approve posts can add someone outside the project.'] } },
    })
    await expect(room.workflow(home, [step('any', ben), outside('own@example.org')], clerk)).rejects.toMatchObject(
      refused('steps.1.approvers.0'),
    )
    const workflowId = await room.workflow(home, [outside('client@example.org')])
    const save = (...steps: WorkflowStep[]) =>
      app.call(
        editWorkflow,
        { params: { ...home.params, workflowId }, body: { name: 'Clients', steps } },
        { as: clerk },
      )
    await expect(save(outside('own@example.org'))).rejects.toMatchObject(refused('steps.0.approvers.0'))
    await save(step('any', ben), outside('client@example.org'))
    // an approver names whom they like
    await room.workflow(
      home,
      [outside('own@example.org')],
      await team.holder(home, { workflow: ['create', 'approve'] }),
    )
  })

  it('are part of the Team plan; what waits can still be decided without it', async () => {
    const workflowId = await room.workflow(home, [step('any', ben)])
    const postId = await room.ask(home, { channelId, workflowId })
    await team.plan(home, 'individual')
    await expect(room.workflow(home, [step('any', ben)])).rejects.toMatchObject({
      code: 'PLAN_LIMIT',
      problem: { meta: { gate: 'approval_workflows' } },
    })
    await expect(room.ask(home, { channelId, workflowId })).rejects.toMatchObject({
      code: 'PLAN_LIMIT',
      problem: { meta: { gate: 'approval_workflows' } },
    })
    await room.approve(home, postId, ben)
    expect(await room.status(home, postId)).toBe('SCHEDULED')
  })

  it('that are changed or deleted leave waiting posts their steps', async () => {
    const workflowId = await room.workflow(home, [step('any', ben)])
    const postId = await room.ask(home, { channelId, workflowId })
    await app.call(
      editWorkflow,
      { params: { ...home.params, workflowId }, body: { name: 'Other', steps: [step('any', cy)] } },
      { as: home.person },
    )
    await expect(room.approve(home, postId, cy)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await app.call(deleteWorkflow, { params: { ...home.params, workflowId } }, { as: home.person })
    await room.approve(home, postId, ben)
    expect(await room.status(home, postId)).toBe('SCHEDULED')
  })
})

describe('a decision', () => {
  it('in Any Admin is for Admins of the project and admins of the organization', async () => {
    const [first] = (await app.call(listWorkflows, { params: home.params }, { as: dee })).workflows
    const boss = await app.colleague(home, 'admin')
    const [one, other] = [
      await room.ask(home, { channelId, workflowId: first?.workflowId ?? '', as: dee }),
      await room.ask(home, { channelId, workflowId: first?.workflowId ?? '', as: dee }),
    ]
    await expect(room.approve(home, one, ben)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await room.approve(home, one, boss)).toMatchObject({ status: 'SCHEDULED' })
    expect(await room.approve(home, other, home.person)).toMatchObject({ status: 'SCHEDULED' })
  })

  it('of the last step lets the post go on, and is on record with the content', async () => {
    const postId = await room.ask(home, {
      channelId,
      workflowId: await room.workflow(home, [step('any', ben)]),
      as: dee,
    })
    expect(await room.notices(ben)).toEqual(['Dee user requested your approval'])
    expect(await standing(postId, ben)).toMatchObject({
      state: 'open',
      step: 0,
      mayDecide: true,
      adminsDecide: false,
      sentBy: 'Dee user',
      changes: null,
    })
    expect(await standing(postId, cy)).toMatchObject({ mayDecide: false })
    const reply = await room.approve(home, postId, ben, { comment: 'Fine' })
    expect(reply).toMatchObject({ status: 'SCHEDULED', message: 'Post approved' })
    expect(await standing(postId)).toMatchObject({
      state: 'approved',
      mayDecide: false,
      steps: [{ approvers: [{ decided: 'approved' }] }],
      decisions: [{ by: 'Ben editor', decision: 'approved', comment: 'Fine', current: true }],
    })
    expect(await posts.story(postId)).toEqual(['created', 'sent_for_approval', 'approved', 'scheduled'])
    expect(await room.notices(dee)).toEqual(['Ben editor approved your post'])
    const { rows } = await app.database.owner.query('select content_hash from approval_decision where post_id = $1', [
      postId,
    ])
    expect(await team.lastAudit(home)).toMatchObject({
      action: 'approved',
      entity: 'post',
      entity_id: postId,
      person_id: ben.personId,
      detail: { hash: rows[0].content_hash.toString('hex') },
    })
  })

  it('goes through the steps in order', async () => {
    const postId = await room.ask(home, {
      channelId,
      workflowId: await room.workflow(home, [step('any', ben), step('all', cy, home.person)]),
    })
    await expect(room.approve(home, postId, cy)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await room.approve(home, postId, ben)).toMatchObject({ status: 'NEEDS_APPROVAL' })
    expect(await room.notices(cy)).toHaveLength(1)
    await room.approve(home, postId, cy)
    await expect(room.approve(home, postId, cy)).rejects.toMatchObject({
      code: 'POST_LOCKED',
      problem: { detail: "You've already decided on this step. It's waiting for other approvers." },
    })
    expect(await room.status(home, postId)).toBe('NEEDS_APPROVAL')
    // the author approves as well, since the workflow names them
    expect(await room.approve(home, postId, home.person)).toMatchObject({ status: 'SCHEDULED' })
  })

  it("isn't for the person who sent the post, unless the workflow names them", async () => {
    const postId = await room.ask(home, {
      channelId,
      workflowId: await room.workflow(home, [step('any', ben)]),
      as: cy,
    })
    await expect(room.approve(home, postId, cy)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    // nor for an admin of the organization while someone named is there
    await expect(room.approve(home, postId, home.person)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('by a role is for the people who have it now and can access the channel', async () => {
    const elsewhere = await contentOn(app.parts).channel(home)
    const lawyer = await team.holder(
      home,
      { workflow: ['view', 'approve'], post: ['view'] },
      { channelIds: [elsewhere] },
    )
    const workflowId = await room.workflow(home, [
      { needs: 'any', approvers: [{ kind: 'role', roleId: lawyer.roleId }] },
    ])
    const [near, far] = [
      await room.ask(home, { channelId: elsewhere, workflowId }),
      await room.ask(home, { channelId, workflowId }),
    ]
    await expect(room.approve(home, far, lawyer)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await ids(approvalsOfMe, lawyer)).toEqual([near])
    await room.approve(home, near, lawyer)
    await team.give(home, ben, { roleId: lawyer.roleId })
    expect(await room.approve(home, far, ben)).toMatchObject({ status: 'SCHEDULED' })
  })

  it('falls to organization admins when nobody named is left', async () => {
    const postId = await room.ask(home, { channelId, workflowId: await room.workflow(home, [step('all', ben, cy)]) })
    await app.database.owner.query('delete from project_member where person_id = $1 and project_id = $2', [
      ben.personId,
      home.projectId,
    ])
    expect(await standing(postId)).toMatchObject({
      adminsDecide: true,
      mayDecide: true,
      steps: [{ approvers: [{ gone: true }, { gone: false }] }],
    })
    await room.approve(home, postId, home.person)
    // for the one who is gone only
    expect(await room.status(home, postId)).toBe('NEEDS_APPROVAL')
    expect(await room.approve(home, postId, cy)).toMatchObject({ status: 'SCHEDULED' })
  })

  it('needs the permission and membership in the project', async () => {
    const postId = await room.ask(home, { channelId, workflowId: await room.workflow(home, [step('any', ben)]) })
    await expect(room.approve(home, postId, dee)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const foreign = await app.signedInOwner()
    await expect(
      app.call(approvePost, { params: { ...foreign.params, postId }, body: { version: 1 } }, { as: foreign.person }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('must name the version that was reviewed', async () => {
    const postId = await room.ask(home, { channelId, workflowId: await room.workflow(home, [step('any', ben)]) })
    const seen = await room.version(home, postId)
    await room.say(home, postId, 'Something else')
    await expect(room.approve(home, postId, ben, { version: seen })).rejects.toMatchObject({ code: 'STALE_VERSION' })
    expect(await room.status(home, postId)).toBe('NEEDS_APPROVAL')
  })

  it('is refused when the post changed since it was opened', async () => {
    const postId = await room.ask(home, { channelId, workflowId: await room.workflow(home, [step('any', ben)]) })
    await app.database.owner.query(`update post set contents = '[{"text":"Slipped in","media":[]}]' where id = $1`, [
      postId,
    ])
    await expect(room.approve(home, postId, ben)).rejects.toMatchObject({ code: 'STALE_VERSION' })
  })

  it('is counted once, however many arrive at the same time', async () => {
    const postId = await room.ask(home, { channelId, workflowId: await room.workflow(home, [step('all', ben, cy)]) })
    const version = await room.version(home, postId)
    const decide = (as: TestPerson) =>
      app.call(approvePost, { params: { ...home.params, postId }, body: { version } }, { as }).then(
        ({ status }) => status,
        ({ code }) => String(code),
      )
    const answers = await Promise.all([decide(ben), decide(cy), decide(ben), decide(cy)])
    expect(answers.filter((answer) => answer === 'SCHEDULED')).toHaveLength(1)
    expect(answers.filter((answer) => answer === 'NEEDS_APPROVAL')).toHaveLength(1)
    const { rows } = await app.database.owner.query('select person_id from approval_decision where post_id = $1', [
      postId,
    ])
    expect(rows).toHaveLength(2)
    expect((await posts.story(postId)).filter((kind) => kind === 'scheduled')).toHaveLength(1)
  })

  it('leaves one result when an approval and a rejection arrive at the same time', async () => {
    const postId = await room.ask(home, { channelId, workflowId: await room.workflow(home, [step('any', ben, cy)]) })
    const version = await room.version(home, postId)
    const params = { ...home.params, postId }
    const answers = await Promise.allSettled([
      app.call(approvePost, { params, body: { version } }, { as: ben }),
      app.call(rejectPost, { params, body: { version, comment: 'No' } }, { as: cy }),
    ])
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(['SCHEDULED', 'REJECTED']).toContain(await room.status(home, postId))
  })
})

describe('a rejection', () => {
  it('asks for a reason, notifies the author, and an edit opens a new round', async () => {
    const workflowId = await room.workflow(home, [step('any', ben)])
    const postId = await room.ask(home, { channelId, workflowId, as: dee })
    await expect(
      app.call(rejectPost, { params: { ...home.params, postId }, body: { version: 1, comment: '  ' } }, { as: ben }),
    ).rejects.toMatchObject({ code: 'BAD_INPUT', problem: { errors: { comment: ['Say why'] } } })
    expect(await room.reject(home, postId, ben, 'Too loud')).toMatchObject({ status: 'REJECTED' })
    expect(await room.notices(dee)).toEqual(['Ben editor rejected your post'])
    expect(await standing(postId)).toMatchObject({
      state: 'rejected',
      decisions: [{ decision: 'rejected', comment: 'Too loud' }],
    })
    await expect(room.approve(home, postId, ben)).rejects.toMatchObject({ code: 'POST_LOCKED' })
  })
})

describe('an edit', () => {
  it('notifies the author when someone else changes their waiting post', async () => {
    const workflowId = await room.workflow(home, [step('any', ben)])
    const postId = await room.ask(home, { channelId, workflowId, as: dee })
    const edited = async () => (await room.notices(dee)).filter((title) => title.includes('edited your post'))
    await room.say(home, postId, 'My own words', dee)
    expect(await edited()).toEqual([])
    await room.say(home, postId, 'Other words', cy)
    expect(await edited()).toEqual(["Cy editor edited your post that's waiting for approval"])
    const second = await room.ask(home, { channelId, workflowId, as: dee })
    await app.database.owner.query('delete from project_member where person_id = $1', [dee.personId])
    await room.say(home, second, 'Other words', cy)
    expect(await edited()).toHaveLength(1)
  })

  it('voids the approval of a waiting post, and shows what changed since', async () => {
    const postId = await room.ask(home, {
      channelId,
      workflowId: await room.workflow(home, [step('all', ben, cy)]),
      text: 'First words',
    })
    await room.approve(home, postId, ben)
    await room.say(home, postId, 'Second words')
    const seen = await standing(postId, ben)
    expect(seen).toMatchObject({
      state: 'open',
      mayDecide: true,
      decisions: [{ by: 'Ben editor', current: false }],
      changes: [{ field: 'Text', before: 'First words', after: 'Second words' }],
    })
    expect(await standing(postId, cy)).toMatchObject({ changes: null })
    await room.approve(home, postId, cy)
    expect(await room.status(home, postId)).toBe('NEEDS_APPROVAL')
    await room.approve(home, postId, ben)
    expect(await room.status(home, postId)).toBe('SCHEDULED')
  })

  it('voids the approval of a scheduled post, even by someone who may approve it', async () => {
    const postId = await room.ask(home, { channelId, workflowId: await room.workflow(home, [step('any', ben)]) })
    await room.approve(home, postId, ben)
    expect(await room.say(home, postId, 'Another thing', ben)).toMatchObject({ status: 'NEEDS_APPROVAL' })
    expect((await posts.row(postId))['step']).toBeNull()
    expect(await room.approve(home, postId, ben)).toMatchObject({ status: 'SCHEDULED' })
  })

  it('never lets unapproved text be published when it meets an approval', async () => {
    const workflowId = await room.workflow(home, [step('any', ben)])
    for (let i = 0; i < 6; i++) {
      const postId = await room.ask(home, { channelId, workflowId, text: 'Seen' })
      const version = await room.version(home, postId)
      const approving = app.call(approvePost, { params: { ...home.params, postId }, body: { version } }, { as: ben })
      await Promise.allSettled(
        i % 2 === 0 ? [approving, room.say(home, postId, 'Unseen')] : [room.say(home, postId, 'Unseen'), approving],
      )
      const { state, contents } = await posts.row(postId)
      expect({ state, contents }).not.toMatchObject({ state: 'SCHEDULED', contents: [{ text: 'Unseen' }] })
      // of its rounds only the last may be open, and it is about the words of now
      const { rows } = await app.database.owner.query(
        'select state from approval where post_id = $1 order by sent_at, id',
        [postId],
      )
      expect(rows.slice(0, -1).every((round) => round.state === 'void')).toBe(true)
    }
  })

  it('of labels or of the time keeps the approval', async () => {
    const postId = await room.ask(home, { channelId, workflowId: await room.workflow(home, [step('all', ben, cy)]) })
    await room.approve(home, postId, ben)
    const schedule = {
      type: 'ONCE',
      details: { utc: new Date(app.clock.now().getTime() + 5 * 86_400_000).toISOString(), timezone: 'UTC' },
    } as const
    await app.call(reschedulePost, { params: { ...home.params, postId }, body: { schedule } }, { as: home.person })
    expect(await standing(postId)).toMatchObject({ state: 'open', decisions: [{ by: 'Ben editor', current: true }] })
    expect(await room.approve(home, postId, cy)).toMatchObject({ status: 'SCHEDULED' })
    expect((await posts.row(postId))['due_at']).toEqual(new Date(schedule.details.utc))
  })
})

describe('sending', () => {
  it('refuses a workflow of another project', async () => {
    const elsewhere = await app.project(home.orgId, home.person)
    const other = { ...home, ...elsewhere, params: { orgId: home.orgId, projectId: elsewhere.projectId } }
    const foreign = await room.workflow(other, [
      { needs: 'any', approvers: [{ kind: 'role', roleId: elsewhere.roles.admin }] },
    ])
    await expect(room.ask(home, { channelId, workflowId: foreign })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      problem: { errors: { workflowId: expect.anything() } },
    })
    // nor may a workflow name a role of another project
    await expect(
      room.workflow(home, [{ needs: 'any', approvers: [{ kind: 'role', roleId: elsewhere.roles.admin }] }]),
    ).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })
})

describe('a list of posts that wait for approval', () => {
  const tagOf = async (list: typeof approvalsAll, as: TestPerson) =>
    (await app.send(list, { params: home.params }, { as })).headers.etag
  const statusOf = async (list: typeof approvalsAll, as: TestPerson, tag: unknown) =>
    (await app.send(list, { params: home.params }, { as, headers: { 'if-none-match': String(tag) } })).statusCode

  it('is answered with 304 until someone decides, and again after each decision', async () => {
    const workflowId = await room.workflow(home, [step('all', ben, cy), step('any', ben)])
    const postId = await room.ask(home, { channelId, workflowId })
    const readers = [
      [approvalsAll, cy],
      [approvalsOfMe, ben],
      [approvalsOfMe, cy],
      [approvalsSent, home.person],
    ] as const
    for (const decide of [
      () => room.approve(home, postId, ben),
      () => room.approve(home, postId, cy),
      () => room.reject(home, postId, ben),
    ]) {
      const tags = await Promise.all(readers.map(([list, as]) => tagOf(list, as)))
      const before = await Promise.all(readers.map(([list, as], n) => statusOf(list, as, tags[n])))
      expect(before).toEqual(readers.map(() => 304))
      await decide()
      const after = await Promise.all(readers.map(([list, as], n) => statusOf(list, as, tags[n])))
      expect(after).toEqual(readers.map(() => 200))
    }
    expect(await ids(approvalsAll, cy)).toEqual([])
  })

  it('is answered again to a person who may approve no longer', async () => {
    const workflowId = await room.workflow(home, [step('any', ben)])
    const postId = await room.ask(home, { channelId, workflowId })
    const [tag, theirs] = [await tagOf(approvalsOfMe, home.person), await tagOf(approvalsOfMe, ben)]
    expect(await ids(approvalsOfMe, home.person)).toEqual([])
    await app.call(removeFromProject, { params: { ...home.params, userId: ben.personId } }, { as: home.person })
    // nobody else is left, so the admin may decide
    expect(await statusOf(approvalsOfMe, home.person, tag)).toBe(200)
    expect(await ids(approvalsOfMe, home.person)).toEqual([postId])
    expect(await statusOf(approvalsOfMe, ben, theirs)).toBeGreaterThanOrEqual(400)
  })

  it('has no tag where admins may decide in place of people outside, whose links end by time', async () => {
    const outside = { kind: 'external' as const, email: 'client@elsewhere.example', name: 'Client' }
    const workflowId = await room.workflow(home, [{ needs: 'any', approvers: [outside] }])
    await room.ask(home, { channelId, workflowId })
    expect(await tagOf(approvalsOfMe, home.person)).toBeUndefined()
    expect(await tagOf(approvalsOfMe, ben)).toEqual(expect.any(String))
    expect(await tagOf(approvalsAll, home.person)).toEqual(expect.any(String))
  })
})

describe('the lists', () => {
  it('show what waits, what needs me and what I sent', async () => {
    const [mine, both] = [
      await room.workflow(home, [step('any', ben)]),
      await room.workflow(home, [step('all', ben, cy)]),
    ]
    const [first, second] = [
      await room.ask(home, { channelId, workflowId: mine, as: dee }),
      await room.ask(home, { channelId, workflowId: both }),
    ]
    expect((await ids(approvalsAll, cy)).toSorted()).toEqual([first, second].toSorted())
    expect((await ids(approvalsOfMe, ben)).toSorted()).toEqual([first, second].toSorted())
    expect(await ids(approvalsOfMe, cy)).toEqual([second])
    expect(await ids(approvalsOfMe, home.person)).toEqual([])
    expect(await ids(approvalsSent, dee)).toEqual([first])
    await room.approve(home, second, cy)
    expect(await ids(approvalsOfMe, cy)).toEqual([])
    expect(await ids(approvalsSent, home.person)).toEqual([second])
  })

  it('page and filter as every list', async () => {
    const workflowId = await room.workflow(home, [step('any', ben)])
    for (const text of ['One', 'Two', 'Three']) await room.ask(home, { channelId, workflowId, text })
    const page = await app.call(approvalsOfMe, { params: home.params, query: { limit: 2, page: 2 } }, { as: ben })
    expect(page).toMatchObject({
      posts: [{ status: 'NEEDS_APPROVAL' }],
      pagination: { currentPage: 2, totalPages: 2, totalCount: 3 },
    })
    expect(
      (
        await app.call(
          approvalsAll,
          { params: home.params, query: { author: dee.personId, status: 'DRAFTS' } },
          { as: ben },
        )
      ).posts,
    ).toEqual([])
  })
})

describe('reminders', () => {
  const remind = (postId: string, as = home.person) =>
    app.call(remindApprovers, { params: { ...home.params, postId } }, { as })
  const tick = async () => {
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
    await runJobs(app, workflowJobs(app.parts))
  }

  it("sent by a person come at most once an hour, to those who haven't decided", async () => {
    const postId = await room.ask(home, { channelId, workflowId: await room.workflow(home, [step('all', ben, cy)]) })
    await room.approve(home, postId, cy)
    await remind(postId)
    expect((await room.notices(ben)).at(-1)).toBe('Reminder from Olive Owner: a post is waiting for your approval')
    expect((await room.notices(cy)).some((title) => title.includes('reminds'))).toBe(false)
    await expect(remind(postId)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    await room.approve(home, postId, ben)
    await expect(remind(postId)).rejects.toMatchObject({ code: 'POST_LOCKED' })
  })

  it("can be sent for one's own posts, and for those one may edit", async () => {
    const workflowId = await room.workflow(home, [step('any', ben)])
    const [olives, dees] = [
      await room.ask(home, { channelId, workflowId }),
      await room.ask(home, { channelId, workflowId, as: dee }),
    ]
    await expect(remind(olives, dee)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await room.notices(ben)).not.toContainEqual(expect.stringMatching(/^Dee .*reminds/))
    expect([await standing(olives, dee), await standing(dees, dee), await standing(dees, cy)]).toMatchObject([
      { mayRemind: false },
      { mayRemind: true },
      { mayRemind: true },
    ])
    await remind(dees, dee)
    await remind(olives, cy)
    await expect(remind(olives, (await app.signedInOwner()).person)).rejects.toMatchObject({
      code: 'IDENTIFIERS_ERROR',
    })
  })

  it('are sent automatically after a day of silence and two hours before the time, once each', async () => {
    const schedule = {
      type: 'ONCE',
      details: { utc: new Date(app.clock.now().getTime() + 30 * 3_600_000).toISOString(), timezone: 'UTC' },
    } as const
    const postId = await room.ask(home, {
      channelId,
      workflowId: await room.workflow(home, [step('any', ben)]),
      schedule,
    })
    await tick()
    expect(await room.notices(ben)).toEqual(['Olive Owner requested your approval'])
    app.clock.advance({ hours: 25 })
    await tick()
    await tick()
    expect(await room.notices(ben)).toEqual(['A post is still waiting for your approval'])
    app.clock.advance({ hours: 3, minutes: 30 })
    await tick()
    await tick()
    const titles = await room.notices(ben)
    expect(titles).toHaveLength(2)
    expect(titles[1]).toContain('is scheduled for')
    const { rows } = await app.database.owner.query('select count from notice where person_id = $1 order by count', [
      ben.personId,
    ])
    expect(rows).toEqual([{ count: 1 }, { count: 2 }])
    // decided: nothing is left to read
    await room.approve(home, postId, ben)
    const unread = await app.database.owner.query('select from notice where person_id = $1 and read_at is null', [
      ben.personId,
    ])
    expect(unread.rowCount).toBe(0)
  })
})

describe('an approved post', () => {
  it('is published immediately when that was asked for', async () => {
    const postId = await room.ask(home, {
      channelId,
      workflowId: await room.workflow(home, [step('any', ben)]),
      schedule: NOW,
    })
    expect(await room.approve(home, postId, ben)).toMatchObject({ status: 'SCHEDULED' })
    expect((await posts.row(postId))['step_at']).toEqual(app.clock.now())
  })

  it('waits for a new time when its own has passed, and the reply says so', async () => {
    const schedule = {
      type: 'ONCE',
      details: { utc: new Date(app.clock.now().getTime() + 3_600_000).toISOString(), timezone: 'UTC' },
    } as const
    const postId = await room.ask(home, {
      channelId,
      workflowId: await room.workflow(home, [step('any', ben)]),
      schedule,
    })
    app.clock.advance({ hours: 2 })
    expect(await room.approve(home, postId, ben)).toMatchObject({
      status: 'APPROVED',
      message: 'Post approved. Its time passed while it waited for approval. Choose a new one.',
    })
  })

  it('notifies once when many are approved together', async () => {
    const other = await contentOn(app.parts).channel(home)
    const workflowId = await room.workflow(home, [step('any', ben)])
    const contents = [{ text: 'Both', media: [] }]
    await app.call(
      submitPost,
      {
        params: home.params,
        body: {
          intent: 'NEEDS_APPROVAL',
          channels: [channelId, other].map((id) => ({ channelId: id, postType: 'post' as const, contents })),
          schedule: NOW,
          workflowId,
        },
      },
      { as: home.person },
    )
    expect(await storedNotifications(app.database.owner, 'person_id = $1', [ben.personId])).toMatchObject([
      { body: '2 posts are waiting for you.' },
    ])
  })
})
