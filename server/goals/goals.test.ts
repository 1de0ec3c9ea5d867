import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createGoal, deleteGoal, listGoals, MOST_GOALS, updateGoal } from '#contract/analytics/goals.ts'
import type { CallOf } from '#contract/endpoint.ts'
import { addDays } from '../rangeDays.ts'
import { contentOn } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let figures: ReturnType<typeof figuresOn>
let home: TestHome
let facebook: string
let bluesky: string
beforeAll(async () => {
  app = await startApp()
  content = contentOn(app.parts)
  figures = figuresOn(app.database)
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  facebook = await content.channel(home, { platform: 'facebook', handle: '@page' })
  bluesky = await content.channel(home, { platform: 'bluesky', handle: '@rooks' })
})

type Body = CallOf<typeof createGoal>['body']
/** Ten days, of which the last one is today. */
const body: Body = {
  goalName: 'More views',
  figure: 'viewsAndImpressions',
  target: 1000,
  from: '2026-11-12',
  to: '2026-11-21',
}
const create = (more: Partial<Body> = {}, who: TestPerson = home.person) =>
  app.call(createGoal, { params: home.params, body: { ...body, ...more } }, { as: who })
const send = (more: Record<string, unknown>, who: TestPerson = home.person) =>
  app.send(createGoal, { params: home.params, body: { ...body, ...more } }, { as: who })
const goals = async (who: TestPerson = home.person) =>
  (await app.call(listGoals, { params: home.params }, { as: who })).goals
/** Days that were read when they were final. */
const days = async (channelId: string, count: number, of: Record<string, number>, from = body.from) => {
  for (let day = 0; day < count; day += 1) {
    const at = addDays(from, day)
    await figures.channelDay(channelId, at, of, `${addDays(at, 4)}T12:00:00Z`)
  }
}

describe('goals', () => {
  it('have their value so far and their pace', async () => {
    const { goalId } = await create()
    expect(await goals()).toEqual([
      {
        goalId,
        ...body,
        platform: null,
        channelIds: null,
        value: null,
        until: null,
        percent: null,
        expected: null,
        projected: null,
        standing: 'waiting',
      },
    ])
    await days(facebook, 6, { views: 150 })
    expect((await goals())[0]).toMatchObject({
      value: 900,
      until: '2026-11-17',
      percent: 90,
      expected: 600,
      projected: 1500,
      standing: 'ahead',
    })
    // its value can still change, so it isn't in there yet
    await figures.channelDay(facebook, '2026-11-18', { views: 999 }, '2026-11-19T12:00:00Z')
    expect((await goals())[0]).toMatchObject({ value: 900, until: '2026-11-17' })
  })

  it('of a level begin where it was before their first day', async () => {
    await create({ figure: 'followers', target: 2000, to: '2026-12-01' })
    await days(facebook, 10, { followers: 1000 }, '2026-11-02')
    await figures.channelDay(facebook, '2026-11-20', { followers: 1500 })
    expect((await goals())[0]).toMatchObject({ value: 1500, until: '2026-11-20', expected: 1450, standing: 'onPace' })
    // a second channel without a past
    await figures.channelDay(bluesky, '2026-11-20', { followers: 100 })
    expect((await goals())[0]).toMatchObject({ value: 1600, expected: null, projected: null, standing: 'going' })
  })

  it('are those of a platform or of chosen channels, without platforms whose terms forbid sums', async () => {
    const youtube = await content.channel(home, { platform: 'youtube', handle: '@tube' })
    const other = await content.channel(home, { platform: 'facebook', handle: '@other' })
    await days(facebook, 5, { views: 10 })
    await days(other, 5, { views: 1 })
    await days(youtube, 5, { views: 5000 })
    await create({ goalName: 'all' })
    await create({ goalName: 'platform', platform: 'facebook' })
    await create({ goalName: 'chosen', channelIds: [other] })
    expect((await send({ channelIds: [youtube] })).json()).toMatchObject({ errors: { figure: [expect.any(String)] } })
    expect((await goals()).map(({ goalName, value }) => [goalName, value])).toEqual([
      ['all', 55],
      ['platform', 55],
      ['chosen', 5],
    ])
  })

  it('of different days each have their own days, also those of years ago', async () => {
    await days(facebook, 40, { views: 1 }, '2026-10-10')
    await days(facebook, 3, { views: 7 }, '2023-05-01')
    await create({ goalName: 'three', from: '2026-11-01', to: '2026-11-03' })
    await create({ goalName: 'ten', from: '2026-10-10', to: '2026-10-19' })
    await create({ goalName: 'to come', from: '2026-12-01', to: '2026-12-31' })
    await create({ goalName: 'long ago', from: '2023-05-01', to: '2023-05-31', target: 20 })
    expect((await goals()).map(({ goalName, value, standing }) => [goalName, value, standing])).toEqual([
      ['to come', null, 'waiting'],
      ['three', 3, 'missed'],
      ['ten', 10, 'missed'],
      ['long ago', 21, 'reached'],
    ])
  })

  it('are changed and deleted', async () => {
    const { goalId } = await create()
    await app.call(
      updateGoal,
      { params: { ...home.params, goalId }, body: { ...body, figure: 'followers', target: 5000, platform: 'bluesky' } },
      { as: home.person },
    )
    expect((await goals())[0]).toMatchObject({ goalId, target: 5000, platform: 'bluesky' })
    await app.call(deleteGoal, { params: { ...home.params, goalId } }, { as: home.person })
    expect(await goals()).toEqual([])
    const again = await app.send(deleteGoal, { params: { ...home.params, goalId } }, { as: home.person })
    expect(again.statusCode).toBe(404)
  })

  it('are seen and changed by roles that include all their channels', async () => {
    const bound = await app.colleague(home, 'admin', { channelIds: [bluesky] })
    const [all, mine] = [await create(), await create({ goalName: 'Mine', figure: 'followers', channelIds: [bluesky] })]
    await create({ channelIds: [facebook] })
    expect((await goals(bound)).map(({ goalId }) => goalId)).toEqual([mine.goalId])
    for (const goalId of [all.goalId]) {
      const params = { ...home.params, goalId }
      expect((await app.send(updateGoal, { params, body }, { as: bound })).statusCode).toBe(404)
      expect((await app.send(deleteGoal, { params }, { as: bound })).statusCode).toBe(404)
    }
    expect((await send({ channelIds: [facebook] }, bound)).statusCode).toBe(404)
    // all of theirs, also after other channels are added
    const { goalId } = await create({ goalName: 'All mine', figure: 'followers' }, bound)
    expect((await goals()).find((goal) => goal.goalId === goalId)?.channelIds).toEqual([bluesky])
    expect((await send({ platform: 'facebook' }, bound)).statusCode).toBe(404)
  })

  it('are in order: those that go on by their end, then those that are over, the last one first', async () => {
    for (const [goalName, from, to] of [
      ['Over in June', '2026-06-01', '2026-06-30'],
      ['Next year', '2026-11-01', '2027-01-31'],
      ['Over in October', '2026-10-01', '2026-10-31'],
      ['This month', '2026-11-01', '2026-11-30'],
    ] as const)
      await create({ goalName, from, to })
    expect((await goals()).map((goal) => goal.goalName)).toEqual([
      'This month',
      'Next year',
      'Over in October',
      'Over in June',
    ])
  })

  it("refuse another tenant's channels, and are closed on Free", async () => {
    const stranger = await app.signedInOwner()
    await teamOn(app).plan(stranger, 'team')
    const theirs = await content.channel(stranger, { platform: 'facebook' })
    expect((await send({ channelIds: [theirs] })).statusCode).toBe(404)
    expect((await app.send(listGoals, { params: home.params }, { as: stranger.person })).statusCode).toBe(404)
    const user = await app.colleague(home, 'user')
    expect((await send({}, user)).statusCode).toBe(403)
    await teamOn(app).plan(home, 'free')
    expect((await send({})).statusCode).toBe(402)
    expect((await app.send(listGoals, { params: home.params }, { as: home.person })).statusCode).toBe(402)
  })

  it.each(['CANCELLED', 'TRIAL_EXPIRED'] as const)(
    'are seen and deleted, but not set, with a plan that is %s',
    async (status) => {
      const { goalId } = await create()
      await teamOn(app).endPlan(home, status)
      expect((await goals()).map((goal) => goal.goalId)).toEqual([goalId])
      const params = { ...home.params, goalId }
      for (const reply of [await send({}), await app.send(updateGoal, { params, body }, { as: home.person })])
        expect([reply.statusCode, reply.json()]).toMatchObject([
          402,
          { code: 'PLAN_LIMIT', meta: { gate: 'plan_expired' } },
        ])
      expect((await app.send(deleteGoal, { params }, { as: home.person })).statusCode).toBe(200)
    },
  )

  it.each([
    ['no name', { goalName: ' ' }],
    ['a rate', { figure: 'engagementRate' }],
    ['a target of 0', { target: 0 }],
    ['a part of one', { target: 1.5 }],
    ['days that end before they begin', { to: '2026-11-01' }],
    ['too many days', { to: '2030-01-01' }],
    ['a year before 2000', { from: '1500-11-03', to: '1500-11-04' }],
    ['a year after 2099', { from: '9999-11-03', to: '9999-11-04' }],
    ['a figure that the platform lacks', { platform: 'bluesky' }],
    ['no channels', { channelIds: [] }],
    ['a platform and channels', { platform: 'x', channelIds: ['01a2278a-bb06-762b-b99d-8a8072c5a38a'] }],
  ])('refuse %s', async (_, more) => {
    expect((await send(more)).statusCode).toBe(400)
    expect(await goals()).toEqual([])
  })

  it(`are at most ${MOST_GOALS} in a project`, async () => {
    await app.database.owner.query(
      `insert into insight_goal (org_id, id, project_id, name, figure, target, from_day, to_day, created_at)
       select $1, gen_random_uuid(), $2, 'Goal', 'followers', 10, '2026-11-01', '2026-12-01', now() from generate_series(1, $3::int)`,
      [home.orgId, home.projectId, MOST_GOALS - 1],
    )
    const both = await Promise.all([send({}), send({})])
    expect(new Set(both.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 409]))
  })
})
