import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { entitlements } from '#contract/plans.ts'
import { systemRoles } from '#contract/permissions.ts'
import { deletePost, editPost, getPost, reschedulePost, restorePost } from '#contract/posts.ts'
import { submitPost, type Submit } from '#contract/submit.ts'
import { asTenant } from '../db/tenant.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { at, NOW, postsOn, TOMORROW } from '../testing/posts.ts'
import { taxonomyOn } from '../testing/taxonomy.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn, type Team } from '../testing/team.ts'
import { loadPost } from './access.ts'
import { resumeAfterApproval, type Resumed } from './resumeAfterApproval.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let posts: ReturnType<typeof postsOn>
let team: Team
let home: TestHome
let channel: string
let workflowId: string

beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  content = contentOn(app.parts)
  posts = postsOn(app, app.database)
  team = teamOn(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  await team.plan(home, 'team')
  channel = await content.channel(home)
  workflowId = randomUUIDv7()
  const steps = JSON.stringify([{ needs: 'any', approvers: [{ kind: 'member', userId: home.person.personId }] }])
  await app.database.owner.query(
    'insert into workflow (org_id, id, project_id, name, steps, created_at) values ($1, $2, $3, $4, $5, $6)',
    [home.orgId, workflowId, home.projectId, 'One reviewer', steps, app.clock.now()],
  )
})

type Body = z.input<typeof Submit>
type Schedule = Body['schedule']
const says = (text: string) => [{ text, media: [] }]
const submit = (more: Partial<Body> = {}, as = home.person) =>
  app.call(
    submitPost,
    {
      params: home.params,
      body: {
        intent: 'NEEDS_APPROVAL',
        channels: [{ channelId: channel, postType: 'post', contents: says('May I?') }],
        schedule: TOMORROW,
        workflowId,
        ...more,
      },
    },
    { as },
  )
const ask = async (schedule: Schedule = TOMORROW, as = home.person) =>
  (await submit({ schedule }, as)).posts[0]?.postId ?? ''
const edit = (
  postId: string,
  body: { version?: number; contents?: ReturnType<typeof says>; schedule?: Schedule; workflowId?: string },
  as = home.person,
) =>
  app.call(
    editPost,
    { params: { ...home.params, postId }, body: { version: 1, contents: says('May I?'), ...body } },
    { as },
  )
const move = (postId: string, schedule: Schedule, as = home.person) =>
  app.call(reschedulePost, { params: { ...home.params, postId }, body: { schedule } }, { as })
const remove = (postId: string) => app.call(deletePost, { params: { ...home.params, postId } }, { as: home.person })
const restore = (postId: string) => app.call(restorePost, { params: { ...home.params, postId } }, { as: home.person })
const rounds = async (postId: string) =>
  (
    await app.database.owner.query('select state from approval where post_id = $1 order by sent_at, id', [postId])
  ).rows.map((row) => row.state)
const approved = (postId: string) =>
  app.database.owner.query("update approval set state = 'approved' where post_id = $1 and state = 'open'", [postId])
const state = async (postId: string) => (await posts.row(postId))['state']
const setSlots = (times: string[]) =>
  app.database.owner.query(
    'insert into queue (org_id, channel_id, zone, slots) values ($1, $2, $3, $4) on conflict (org_id, channel_id) do update set slots = excluded.slots',
    [
      home.orgId,
      channel,
      'UTC',
      JSON.stringify([0, 1, 2, 3, 4, 5, 6].flatMap((day) => times.map((time) => ({ day, time })))),
    ],
  )

/** As the approver's decision does it. */
async function resume(
  postId: string,
  planId: 'team' | 'free' = 'team',
  status: 'ACTIVE' | 'CANCELLED' = 'ACTIVE',
): Promise<Resumed> {
  const now = app.clock.now()
  const plan = { planId, status, addonQuantity: 0, trialEndsAt: null } as const
  return await asTenant(app.parts.databases.web, home.orgId, async (tx) => {
    const c = {
      tx,
      now,
      caller: { sessionId: '', personId: home.person.personId, confirmed: true, secondFactor: false },
      org: { orgId: home.orgId, isAdmin: true, plan, entitlements: entitlements(plan, now) },
      project: {
        projectId: home.projectId,
        zone: 'UTC',
        roleId: null,
        roleName: null,
        permissions: systemRoles.admin.permissions,
        publishing: 'full' as const,
        channelIds: null,
      },
      audit: async () => {},
      emit: async () => {},
    }
    return await resumeAfterApproval(c, app.parts, await loadPost(c, postId))
  })
}

describe('sending for approval', () => {
  it('opens a round for each post and schedules none', async () => {
    const reply = await submit()
    expect(reply).toMatchObject({
      message: 'Post sent for approval',
      posts: [{ status: 'NEEDS_APPROVAL', dueAt: '2026-11-22T09:30:00.000Z' }],
    })
    const id = reply.posts[0]?.postId ?? ''
    expect(await posts.row(id)).toMatchObject({ state: 'NEEDS_APPROVAL', step: null, step_at: null })
    const post = await app.call(getPost, { params: { ...home.params, postId: id } }, { as: home.person })
    expect(post.workflow).toEqual({ workflowId, workflowName: 'One reviewer', state: 'open', step: 0, steps: 1 })
    expect(await posts.story(id)).toEqual(['created', 'sent_for_approval'])
  })

  it('requires a workflow, the permission and the plan', async () => {
    await expect(submit({ workflowId: undefined })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { workflowId: ['Please select a workflow before sending for approval.'] } },
    })
    await expect(submit({ workflowId: randomUUIDv7() })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(
      submit({}, await team.holder(home, { post: ['view', 'create'], channel: ['view'] })),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await team.plan(home, 'individual')
    await expect(submit()).rejects.toMatchObject({
      code: 'PLAN_LIMIT',
      problem: { meta: { gate: 'approval_workflows' } },
    })
  })

  it('is what a User can do instead of publishing', async () => {
    const user = await app.colleague(home, 'user')
    await expect(submit({ intent: 'SCHEDULE' }, user)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const id = await ask(TOMORROW, user)
    expect(await state(id)).toBe('NEEDS_APPROVAL')
    // theirs to change while it waits
    expect(await edit(id, { contents: says('Please?') }, user)).toMatchObject({ status: 'NEEDS_APPROVAL', version: 2 })
    await expect(move(id, NOW, user)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('counts towards the cap with a date, and not without one', async () => {
    await team.plan(home, 'individual')
    await team.plan(home, 'team')
    await app.database.owner.query(
      "update plan set status = 'TRIAL_ACTIVE', trial_ends_at = '2027-06-01' where org_id = $1",
      [home.orgId],
    )
    for (let i = 0; i < 9; i += 1) await ask()
    for (let i = 0; i < 3; i += 1) await ask(NOW)
    await posts.post(home, channel)
    await expect(submit()).rejects.toMatchObject({ code: 'SCHEDULE_CAP' })
    await expect(posts.post(home, channel)).rejects.toMatchObject({ code: 'SCHEDULE_CAP' })
    await ask(NOW)
  })
})

describe('a change to content that was approved or is waiting for approval', () => {
  it('opens a new round for new text, and none for a new time', async () => {
    const id = await ask()
    expect(await move(id, at('2026-11-23T09:00:00.000Z'))).toMatchObject({
      status: 'NEEDS_APPROVAL',
      dueAt: '2026-11-23T09:00:00.000Z',
    })
    expect(await rounds(id)).toEqual(['open'])
    await edit(id, { version: 2, contents: says('Other words') })
    expect(await rounds(id)).toEqual(['void', 'open'])
    // the same text again
    await edit(id, { version: 3, contents: says('Other words') })
    expect(await rounds(id)).toEqual(['void', 'open'])
  })

  it('takes a scheduled post off its lane, no matter who changes it', async () => {
    const id = await ask()
    await approved(id)
    expect(await resume(id)).toMatchObject({ status: 'SCHEDULED', failure: null })
    expect(await posts.row(id)).toMatchObject({ state: 'SCHEDULED', step: 'send' })
    await move(id, at('2026-11-23T09:00:00.000Z'))
    expect(await state(id)).toBe('SCHEDULED')
    const { version } = await app.call(getPost, { params: { ...home.params, postId: id } }, { as: home.person })
    expect(await edit(id, { version, contents: says('Something else') })).toMatchObject({
      status: 'NEEDS_APPROVAL',
      dueAt: '2026-11-23T09:00:00.000Z',
    })
    expect(await posts.row(id)).toMatchObject({ state: 'NEEDS_APPROVAL', step: null, step_at: null })
    expect(await rounds(id)).toEqual(['void', 'open'])
  })

  it('ends the round when the post becomes a draft or is deleted, and asks again when that is undone', async () => {
    const id = await ask()
    await move(id, { type: 'DRAFT' })
    expect([await state(id), await rounds(id)]).toEqual(['DRAFTS', ['void']])
    const other = await ask()
    await remove(other)
    expect(await rounds(other)).toEqual(['void'])
    await restore(other)
    expect([await state(other), await rounds(other)]).toEqual(['NEEDS_APPROVAL', ['void', 'open']])
  })

  it('sends a rejected post for approval again when its author says so', async () => {
    const id = await ask()
    await app.database.owner.query("update approval set state = 'rejected' where post_id = $1", [id])
    await posts.put(id, 'REJECTED')
    expect(await edit(id, { contents: says('Better?') })).toMatchObject({ status: 'REJECTED' })
    expect(await rounds(id)).toEqual(['rejected'])
    expect(await edit(id, { version: 2, contents: says('Better?'), workflowId })).toMatchObject({
      status: 'NEEDS_APPROVAL',
    })
    expect(await rounds(id)).toEqual(['rejected', 'open'])
  })

  it.each([
    ['said again', TOMORROW],
    ['left out', undefined],
  ] as const)('of a draft keeps the time that it was planned for, %s', async (_, asked) => {
    const draft = await submit({ intent: 'DRAFT', workflowId: undefined })
    const id = draft.posts[0]?.postId ?? ''
    const planned = (await posts.row(id)).due_at
    expect(planned).not.toBeNull()
    expect(await edit(id, { workflowId, ...(asked && { schedule: asked }) })).toMatchObject({
      status: 'NEEDS_APPROVAL',
    })
    expect(await posts.row(id)).toMatchObject({ due_at: planned, schedule: { type: 'ONCE' } })
  })

  it('asks for a time when the draft has none', async () => {
    const draft = await submit({ intent: 'DRAFT', schedule: { type: 'DRAFT' }, workflowId: undefined })
    await expect(edit(draft.posts[0]?.postId ?? '', { workflowId })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { schedule: ['Choose a time.'] } },
    })
  })

  it('drops the old failure when a failed post is sent for approval', async () => {
    const id = await posts.post(home, channel)
    await posts.put(id, 'FAILED')
    expect(await edit(id, { contents: says('Another try'), workflowId })).toMatchObject({ status: 'NEEDS_APPROVAL' })
    expect(await posts.row(id)).toMatchObject({ failure: null, step: null })
  })

  it('can turn a waiting post into a series', async () => {
    const id = await ask()
    const taxonomy = taxonomyOn(app)
    const [label, archived, campaign, completed] = [
      await taxonomy.label(home),
      await taxonomy.label(home),
      await taxonomy.campaign(home),
      await taxonomy.campaign(home),
    ]
    await taxonomy.tag(home, [id], [label, archived])
    await taxonomy.join(home, [id], [campaign, completed])
    await app.database.owner.query("update label set state = 'ARCHIVED' where id = $1", [archived])
    await app.database.owner.query('update campaign set completed_at = now() where id = $1', [completed])
    const weekly: Schedule = {
      type: 'RECURRING_WEEKLY',
      details: {
        timezone: 'UTC',
        utcStartDate: '2026-11-23T09:00:00.000Z',
        utcEndDate: '2026-12-07T09:00:00.000Z',
        daysOfWeek: [1],
      },
    }
    expect(await edit(id, { schedule: weekly })).toMatchObject({
      changed: 3,
      status: 'NEEDS_APPROVAL',
      dueAt: '2026-11-23T09:00:00.000Z',
    })
    const made = await app.database.owner.query(
      'select p.state, p.excerpt, p.series_index as i, p.due_at, (select a.state from approval a where a.post_id = p.id) as round from post p where p.org_id = $1 order by p.series_index',
      [home.orgId],
    )
    expect(made.rows).toEqual(
      ['2026-11-23', '2026-11-30', '2026-12-07'].map((day, i) => ({
        state: 'NEEDS_APPROVAL',
        excerpt: 'May I?',
        i,
        due_at: new Date(`${day}T09:00:00Z`),
        round: 'open',
      })),
    )
    // archived ones stay on the first post only
    const shelved = await app.database.owner.query(
      'select label_id as shelf, count(*)::int as n from post_label where org_id = $1 group by 1 union select campaign_id, count(*)::int from post_campaign where org_id = $1 group by 1',
      [home.orgId],
    )
    expect(new Map(shelved.rows.map(({ shelf, n }) => [shelf, n]))).toEqual(
      new Map([
        [label, 3],
        [archived, 1],
        [campaign, 3],
        [completed, 1],
      ]),
    )
  })
})

describe('an approved post', () => {
  it('is published when it was meant to be published immediately, and joins its queue when that was asked for', async () => {
    const now = await ask(NOW)
    expect(await resume(now)).toMatchObject({ status: 'SCHEDULED', dueAt: app.clock.now() })
    await setSlots(['12:00'])
    const queued = await ask({ type: 'QUEUE' })
    expect(await posts.row(queued)).toMatchObject({ state: 'NEEDS_APPROVAL', due_at: null })
    expect(await resume(queued)).toMatchObject({ status: 'QUEUED', dueAt: new Date('2026-11-21T12:00:00Z') })
  })

  it('waits for a new time when its own has passed', async () => {
    const id = await ask()
    await app.database.owner.query("update post set due_at = '2026-11-21T09:59:00Z' where id = $1", [id])
    expect(await resume(id)).toMatchObject({
      status: 'APPROVED',
      failure: { code: 'time-passed-in-approval' },
    })
    expect(await posts.row(id)).toMatchObject({
      state: 'APPROVED',
      step_at: null,
      failure: { class: 'late', code: 'time-passed-in-approval', action: 'reschedule' },
    })
    expect((await posts.story(id)).at(-1)).toBe('waiting')
    expect(await move(id, TOMORROW)).toMatchObject({ status: 'SCHEDULED' })
    expect(await posts.row(id)).toMatchObject({ failure: null })
    expect(await rounds(id)).toEqual(['open'])
  })

  it("waits and says why when it can't be published as it is", async () => {
    const id = await ask(NOW)
    await app.database.owner.query('update channel set enabled = false where id = $1', [channel])
    expect(await resume(id)).toMatchObject({
      status: 'APPROVED',
      failure: { params: { problem: { code: 'channel-disabled' } } },
    })
    expect(await posts.row(id)).toMatchObject({
      state: 'APPROVED',
      step: null,
      failure: { class: 'paused', params: { problem: { code: 'channel-disabled' } } },
    })
  })

  it('says so when the plan or its channel is in the way, even when its time is still to come', async () => {
    const [queued, ended, dated] = [await ask({ type: 'QUEUE' }), await ask(NOW), await ask()]
    await resume(queued, 'free')
    expect(await posts.row(queued)).toMatchObject({
      state: 'APPROVED',
      failure: { action: 'reschedule', params: { problem: { code: 'not-in-plan', params: { gate: 'queues' } } } },
    })
    await resume(ended, 'team', 'CANCELLED')
    expect(await posts.row(ended)).toMatchObject({
      state: 'APPROVED',
      failure: {
        class: 'plan',
        action: 'upgrade',
        params: { problem: { code: 'plan-ended', params: { isAdmin: true } } },
      },
    })
    await app.database.owner.query('update channel set enabled = false where id = $1', [channel])
    await resume(dated)
    expect(await posts.row(dated)).toMatchObject({
      state: 'APPROVED',
      due_at: expect.any(Date),
      failure: { class: 'paused' },
    })
  })

  it('drops the reason it waited for when it becomes a draft or is sent for approval again', async () => {
    const [drafted, changed] = [await ask(NOW), await ask(NOW)]
    await app.database.owner.query('update channel set enabled = false where id = $1', [channel])
    await resume(drafted)
    await resume(changed)
    await app.database.owner.query('update channel set enabled = true where id = $1', [channel])
    await move(drafted, { type: 'DRAFT' })
    expect(await posts.row(drafted)).toMatchObject({ state: 'DRAFTS', failure: null })
    expect(await edit(changed, { version: 2, contents: says('Other words'), workflowId })).toMatchObject({
      status: 'NEEDS_APPROVAL',
    })
    expect(await posts.row(changed)).toMatchObject({ state: 'NEEDS_APPROVAL', failure: null })
  })
})

describe('the queue of a channel', () => {
  const queuePost = async (text: string, position: 'NEXT' | 'LAST' = 'LAST') =>
    (
      await submit({
        intent: 'QUEUE',
        workflowId: undefined,
        schedule: { type: 'QUEUE', details: { position } },
        channels: [{ channelId: channel, postType: 'post', contents: says(text) }],
      })
    ).posts[0]
  const line = async () =>
    (
      await app.database.owner.query(
        "select excerpt, due_at from post where channel_id = $1 and state = 'QUEUED' order by queue_order",
        [channel],
      )
    ).rows.map((row) => [row.excerpt, row.due_at?.toISOString().slice(8, 13)])

  it('adds posts last or next, and answers their slots', async () => {
    await setSlots(['12:00'])
    expect(await queuePost('One')).toMatchObject({ status: 'QUEUED', dueAt: '2026-11-21T12:00:00.000Z' })
    expect(await queuePost('Two')).toMatchObject({ dueAt: '2026-11-22T12:00:00.000Z' })
    expect(await queuePost('First', 'NEXT')).toMatchObject({ dueAt: '2026-11-21T12:00:00.000Z' })
    expect(await line()).toEqual([
      ['First', '21T12'],
      ['One', '22T12'],
      ['Two', '23T12'],
    ])
  })

  it('moves up when a post is scheduled separately, made a draft, or deleted', async () => {
    await setSlots(['12:00'])
    const [a, b, c] = [
      await queuePost('One'),
      await queuePost('Two'),
      await queuePost('Three'),
      await queuePost('Four'),
    ].map((post) => post?.postId ?? '')
    await move(a ?? '', at('2026-12-01T09:00:00.000Z'))
    await move(b ?? '', { type: 'DRAFT' })
    await remove(c ?? '')
    expect(await line()).toEqual([['Four', '21T12']])
    expect(await posts.row(a ?? '')).toMatchObject({ state: 'SCHEDULED', queue_order: null })
    await restore(c ?? '')
    expect(await line()).toEqual([
      ['Three', '21T12'],
      ['Four', '22T12'],
    ])
  })

  it('keeps the place of a post whose text changes, and accepts one that was scheduled', async () => {
    await setSlots(['12:00'])
    const one = (await queuePost('One'))?.postId ?? ''
    await queuePost('Two')
    expect(await edit(one, { contents: says('One, better') })).toMatchObject({
      status: 'QUEUED',
      dueAt: '2026-11-21T12:00:00.000Z',
    })
    const scheduled = await posts.post(home, channel, { text: 'Later' })
    expect(await move(scheduled, { type: 'QUEUE', details: { position: 'LAST' } })).toMatchObject({
      status: 'QUEUED',
      dueAt: '2026-11-23T12:00:00.000Z',
    })
    expect(await line()).toEqual([
      ['One, better', '21T12'],
      ['Two', '22T12'],
      ['Later', '23T12'],
    ])
    expect((await posts.row(one))['step_at']).toEqual(new Date('2026-11-21T12:00:00Z'))
  })

  it("isn't available on the free plan", async () => {
    await team.plan(home, 'free')
    await expect(queuePost('One')).rejects.toMatchObject({ code: 'PLAN_LIMIT', problem: { meta: { gate: 'queues' } } })
  })

  it('counts towards the cap even while it assigns no times', async () => {
    await app.database.owner.query(
      "update plan set status = 'TRIAL_ACTIVE', trial_ends_at = '2027-06-01' where org_id = $1",
      [home.orgId],
    )
    for (let i = 0; i < 10; i += 1) expect(await queuePost(`Number ${i}`)).toMatchObject({ dueAt: null })
    await expect(queuePost('One more')).rejects.toMatchObject({ code: 'SCHEDULE_CAP' })
    await expect(posts.post(home, channel)).rejects.toMatchObject({ code: 'SCHEDULE_CAP' })
  })
})
