import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CallOf } from '#contract/endpoint.ts'
import type { ReportContent } from '#contract/reports/content.ts'
import {
  createReport,
  deleteReport,
  duplicateReport,
  getReport,
  listReports,
  saveReport,
} from '#contract/reports/reports.ts'
import { contentOf } from '#contract/reports/templates.ts'
import { contentOn } from '../testing/content.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let team: ReturnType<typeof teamOn>
let home: TestHome
let facebook: string
let bluesky: string
beforeAll(async () => {
  app = await startApp()
  content = contentOn(app.parts)
  team = teamOn(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  home = await app.signedInOwner()
  await team.plan(home, 'team')
  facebook = await content.channel(home, { platform: 'facebook', handle: '@page' })
  bluesky = await content.channel(home, { platform: 'bluesky', handle: '@rooks' })
})

type New = CallOf<typeof createReport>['body']
const create = async (more: Partial<New> = {}, who: TestPerson = home.person) =>
  (
    await app.call(
      createReport,
      { params: home.params, body: { reportName: 'For Acme', template: 'month', ...more } },
      { as: who },
    )
  ).reportId
const read = (reportId: string, who: TestPerson = home.person) =>
  app.call(getReport, { params: { ...home.params, reportId } }, { as: who })
const list = async (who: TestPerson = home.person) =>
  (await app.call(listReports, { params: home.params }, { as: who })).reports
const save = (reportId: string, body: CallOf<typeof saveReport>['body'], who: TestPerson = home.person) =>
  app.send(saveReport, { params: { ...home.params, reportId }, body }, { as: who })
const remove = (reportId: string, who: TestPerson = home.person) =>
  app.send(deleteReport, { params: { ...home.params, reportId } }, { as: who })

const cover = (heading: string): ReportContent['blocks'] => [
  { kind: 'cover', blockId: 'a', width: 6, heading, subtitle: 'مرحبا こんにちは 🎉' },
]

describe('a report', () => {
  it('is created from a template, saved as a whole, duplicated and deleted', async () => {
    const reportId = await create()
    expect(await read(reportId)).toEqual({
      reportId,
      reportName: 'For Acme',
      content: contentOf('month'),
      version: 1,
      range: { from: '2026-10-01', to: '2026-10-31', compare: { from: '2026-09-01', to: '2026-09-30' } },
      updatedAt: TEST_NOW.toISOString(),
    })
    app.clock.set(new Date(TEST_NOW.getTime() + 60_000))
    const changed: ReportContent = { ...contentOf('empty'), channelIds: [facebook], blocks: cover('October') }
    const saved = await save(reportId, { reportName: 'For Acme, weekly', content: changed, version: 1 })
    expect(saved.json()).toMatchObject({ version: 2, message: 'Report saved' })
    expect(await read(reportId)).toMatchObject({ reportName: 'For Acme, weekly', content: changed, version: 2 })
    const copy = await app.call(duplicateReport, { params: { ...home.params, reportId } }, { as: home.person })
    expect(await read(copy.reportId)).toMatchObject({
      reportName: 'For Acme, weekly (copy)',
      content: changed,
      version: 1,
    })
    expect(
      (await list()).map(({ reportName, blocks, links, schedules }) => [reportName, blocks, links, schedules]),
    ).toEqual([
      ['For Acme, weekly (copy)', 1, 0, []],
      ['For Acme, weekly', 1, 0, []],
    ])
    await remove(reportId)
    expect((await list()).map(({ reportId: id }) => id)).toEqual([copy.reportId])
    expect((await remove(reportId)).statusCode).toBe(404)
  })

  it("can be deleted when its content can't be read any more, and keeps no other from being listed", async () => {
    const [broken, reportId] = [
      await create(),
      await create({ reportName: `${'a'.repeat(92)}🪶 and more`.slice(0, 100) }),
    ]
    for (const content of ['{"days": {"span": "decade"}, "blocks": 7}', '[]', '"x"', 'null']) {
      await app.database.owner.query('update report set content = $2 where id = $1', [broken, content])
      expect((await list()).map((one) => one.reportId)).toEqual([reportId])
    }
    expect((await remove(broken)).statusCode).toBe(200)
    const copy = await app.call(duplicateReport, { params: { ...home.params, reportId } }, { as: home.person })
    expect(await read(copy.reportId)).toMatchObject({ reportName: `${'a'.repeat(92)} (copy)` })
  })

  it('is saved by one of two people who changed it, and the other one hears of it', async () => {
    const reportId = await create()
    const body = { reportName: 'Mine', content: contentOf('empty'), version: 1 }
    const both = await Promise.all([save(reportId, body), save(reportId, { ...body, reportName: 'Theirs' })])
    expect(both.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(await read(reportId)).toMatchObject({ version: 2 })
  })

  it.for<[string, (of: ReportContent) => unknown, string]>([
    ['two blocks with one ID', (of) => ({ ...of, blocks: [...cover('a'), ...cover('b')] }), 'content.blocks'],
    [
      'more than 40 blocks',
      (of) => ({
        ...of,
        blocks: Array.from({ length: 41 }, (_, i) => ({ kind: 'pageBreak', blockId: `b${i}` })),
      }),
      'content.blocks',
    ],
    [
      'a text that is too long',
      (of) => ({ ...of, blocks: [{ kind: 'text', blockId: 'a', text: 'x'.repeat(5001) }] }),
      'content.blocks.0.text',
    ],
    ['an unknown kind', (of) => ({ ...of, blocks: [{ kind: 'script', blockId: 'a' }] }), 'content.blocks.0.kind'],
    [
      'a width between the columns',
      (of) => ({ ...of, blocks: [{ kind: 'text', blockId: 'a', text: '', width: 5 }] }),
      'content.blocks.0.width',
    ],
    ['a channel that nobody has', (of) => ({ ...of, channelIds: ['0190f1c2-0000-7000-8000-000000000001'] }), 'content'],
  ])('with %s is refused at its field, and nothing is stored', async ([, wrong, field]) => {
    const reportId = await create()
    const body = { reportName: 'Wrong', content: wrong(contentOf('empty')), version: 1 }
    // a body that the contract refuses
    const refused = await save(reportId, body as CallOf<typeof saveReport>['body'])
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([400, [field]])
    expect(await read(reportId)).toMatchObject({ reportName: 'For Acme', version: 1 })
  })

  it('of a campaign or a channel needs one of the project', async () => {
    const send = (more: Partial<New>) =>
      app.send(
        createReport,
        { params: home.params, body: { reportName: 'R', template: 'campaign', ...more } },
        { as: home.person },
      )
    const stranger = await app.signedInOwner()
    await team.plan(stranger, 'team')
    const theirs = await content.channel(stranger, { platform: 'facebook', handle: '@theirs' })
    expect((await send({})).json().errors).toEqual({ campaignId: ['Choose a campaign'] })
    expect((await send({ campaignId: facebook })).statusCode).toBe(404)
    expect((await send({ template: 'channel' })).json().errors).toEqual({ channelId: ['Choose a channel'] })
    expect((await send({ template: 'channel', channelId: theirs })).json().errors).toEqual({
      channelId: ["Your role doesn't include one of these channels"],
    })
    expect(await list()).toEqual([])
  })

  it('is one of at most 200', async () => {
    await create()
    await app.database.owner.query(
      `insert into report (org_id, id, project_id, name, content, created_at, updated_at)
       select r.org_id, gen_random_uuid(), r.project_id, r.name, r.content, r.created_at, r.updated_at from report r, generate_series(1, 198) where r.project_id = $1`,
      [home.projectId],
    )
    const made = await Promise.all(
      [1, 2, 3].map(() =>
        app.send(
          createReport,
          { params: home.params, body: { reportName: 'R', template: 'empty' } },
          { as: home.person },
        ),
      ),
    )
    expect(made.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    expect(await list()).toHaveLength(200)
  })
})

describe('who finds a report', () => {
  it('are people whose role includes all channels that it names', async () => {
    const some = await team.holder(
      home,
      { insights: ['view', 'create', 'edit', 'delete'], channel: ['view'] },
      { channelIds: [bluesky] },
    )
    const all = await create({ reportName: 'All' })
    const page = await create({ reportName: 'Page', template: 'channel', channelId: facebook })
    const inBlock = await create({ reportName: 'In a block', template: 'empty' })
    await save(inBlock, {
      reportName: 'In a block',
      version: 1,
      content: {
        ...contentOf('empty'),
        blocks: [
          {
            kind: 'figures',
            blockId: 'a',
            width: 6,
            heading: '',
            channelIds: [facebook],
            platforms: null,
            base: 'inTheseDays',
            names: ['followers'],
            by: 'total',
          },
        ],
      },
    })
    expect((await list(some)).map(({ reportName }) => reportName)).toEqual(['All'])
    for (const reportId of [page, inBlock]) {
      expect((await app.send(getReport, { params: { ...home.params, reportId } }, { as: some })).statusCode).toBe(404)
      const body = { reportName: 'Taken', content: contentOf('empty'), version: 1 }
      expect((await save(reportId, body, some)).statusCode).toBe(404)
      expect((await remove(reportId, some)).statusCode).toBe(404)
    }
    expect(
      (
        await save(
          all,
          { reportName: 'All', content: { ...contentOf('empty'), channelIds: [facebook] }, version: 1 },
          some,
        )
      ).json().errors,
    ).toEqual({
      content: ["Your role doesn't include one of these channels"],
    })
    expect((await list()).map(({ reportName }) => reportName).toSorted()).toEqual(['All', 'In a block', 'Page'])
  })

  it("don't get AI texts about channels outside of their role, and keep them when they save or duplicate", async () => {
    const some = await team.holder(
      home,
      { insights: ['view', 'create', 'edit'], channel: ['view'] },
      { channelIds: [bluesky] },
    )
    const reportId = await create({ template: 'empty' })
    const ai = (blockId: string, channelIds: string[], text: string) =>
      ({
        kind: 'ai',
        blockId,
        width: 6,
        heading: '',
        text,
        about: { from: '2026-10-01', to: '2026-10-31', channelIds },
        renew: false,
      }) as const
    const own = ai('b', [bluesky], 'Rooks grew.')
    const blocks = [ai('a', [facebook, bluesky], 'The page lost 7,345 readers.'), own]
    await save(reportId, { reportName: 'R', content: { ...contentOf('empty'), blocks }, version: 1 })
    const { content: seen } = await read(reportId, some)
    expect(seen.blocks).toEqual([ai('a', [facebook, bluesky], ''), own])
    const moved = { ...seen, blocks: seen.blocks.toReversed().map((block) => ({ ...block, heading: 'Moved' })) }
    expect((await save(reportId, { reportName: 'R', content: moved, version: 2 }, some)).statusCode).toBe(200)
    const { reportId: copyId } = await app.call(duplicateReport, { params: { ...home.params, reportId } }, { as: some })
    for (const id of [reportId, copyId]) {
      expect((await read(id)).content.blocks).toEqual(
        blocks.toReversed().map((block) => ({ ...block, heading: 'Moved' })),
      )
      expect(JSON.stringify(await read(id, some))).not.toContain('7,345')
    }
  })

  it('are not people without insights, of another organization or on a plan without analytics', async () => {
    const reportId = await create()
    const viewer = await team.holder(home, { insights: ['view'], channel: ['view'] })
    const none = await team.holder(home, { post: ['view'], channel: ['view'] })
    const stranger = await app.signedInOwner()
    expect(await read(reportId, viewer)).toMatchObject({ reportName: 'For Acme' })
    const body = { reportName: 'Taken', content: contentOf('empty'), version: 1 }
    expect((await save(reportId, body, viewer)).statusCode).toBe(403)
    expect((await remove(reportId, viewer)).statusCode).toBe(403)
    const get = (who: TestPerson) => app.send(getReport, { params: { ...home.params, reportId } }, { as: who })
    expect((await get(none)).statusCode).toBe(403)
    expect((await get(stranger.person)).statusCode).toBe(404)
    await team.endPlan(home)
    expect((await save(reportId, body)).json()).toMatchObject({ code: 'PLAN_LIMIT' })
    await team.plan(home, 'free')
    expect((await get(home.person)).json()).toMatchObject({ code: 'PLAN_LIMIT', meta: { gate: 'analytics' } })
  })
})
