import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ReportContent } from '#contract/reports/content.ts'
import { createReport, getReport, saveReport } from '#contract/reports/reports.ts'
import { openModel } from '../ai/model.ts'
import { startAiStub, type AiStub } from '../testing/aiStub.ts'
import { contentOn } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { contentWith } from '../testing/reports.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { renewTexts } from './renew.ts'

let stub: AiStub
let app: TestApp
let home: TestHome
let reportId: string
beforeAll(async () => {
  stub = await startAiStub()
  app = await startApp({ env: { AI_BASE_URL: stub.baseUrl, AI_MODEL: 'small' } })
})
afterAll(async () => {
  await app.close()
  await stub.stop()
})
beforeEach(async () => {
  stub.reset()
  app.clock.set(TEST_NOW)
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  const channelId = await contentOn(app.parts).channel(home, { platform: 'mastodon', handle: '@crows' })
  const figures = figuresOn(app.database)
  const id = await figures.published(home, channelId, '2026-11-16T10:00:00Z')
  await figures.reading(id, '2026-11-18T10:00:00Z', { reactions: 42 }, '2026-11-16T10:00:00Z')
  const old = { from: '2026-11-01', to: '2026-11-07', channelIds: [channelId] }
  const content = contentWith(
    [
      { kind: 'ai', text: 'Old words.', about: old, renew: true },
      { kind: 'ai', text: 'Kept words.', about: old },
      { kind: 'ai', renew: true },
    ],
    { days: { span: '7', compare: 'off' } },
  )
  reportId = await save(content)
  await stubAnswers()
})

async function save(content: ReportContent): Promise<string> {
  const { reportId: id } = await app.call(
    createReport,
    { params: home.params, body: { reportName: 'Weekly', template: 'empty' } },
    { as: home.person },
  )
  const body = { reportName: 'Weekly', content, version: 1 }
  await app.call(saveReport, { params: { ...home.params, reportId: id }, body }, { as: home.person })
  return id
}
/** A model that repeats the number of reactions, whichever fact has it. */
async function stubAnswers() {
  stub.always({
    json: {
      sentences: Array.from({ length: 40 }, (_, n) => ({
        text: 'There were 42 reactions in these days.',
        facts: [`f${n + 1}`],
      })),
    },
  })
}
const renew = (who: Pick<TestPerson, 'personId'> = home.person, today = '2026-11-21') =>
  renewTexts(
    { ...app.parts, model: openModel(app.parts.env) },
    { ...home.params, reportId, personId: who.personId, today },
  )
const texts = async () => {
  const { content, version } = await app.call(getReport, { params: { ...home.params, reportId } }, { as: home.person })
  return [
    version,
    ...content.blocks.map((block) => (block.kind === 'ai' ? [block.text, block.about?.from, block.about?.to] : [])),
  ]
}
const used = async () =>
  (await app.database.owner.query<{ used: number }>('select used from ai_usage where org_id = $1', [home.orgId]))
    .rows[0]?.used ?? 0
const before = [
  2,
  ['Old words.', '2026-11-01', '2026-11-07'],
  ['Kept words.', '2026-11-01', '2026-11-07'],
  ['', undefined, undefined],
]

describe('AI texts of a report that is sent', () => {
  it('are written again for its days where people want that, once for one credit', async () => {
    await renew()
    const [version, first, second, third] = await texts()
    expect(version).toBe(3)
    expect([first, third]).toEqual(
      Array.from({ length: 2 }, () => [expect.stringContaining('42'), '2026-11-14', '2026-11-20']),
    )
    expect(second).toEqual(before[2])
    await renew()
    expect([await texts(), await used()]).toEqual([[3, first, second, third], 1])
  })

  it("stay as they are for someone who can't have texts written, and without credits, figures or a model", async () => {
    const viewer = await teamOn(app).holder(home, { insights: ['view', 'edit'], channel: ['view'] })
    await renew(viewer)
    await renew({ personId: (await app.person()).personId })
    await renew(home.person, '2020-01-01')
    await renewTexts(
      { ...app.parts, model: undefined },
      { ...home.params, reportId, personId: home.person.personId, today: '2026-11-21' },
    )
    stub.always({ json: { sentences: [{ text: 'There were 43 reactions.', facts: ['f1'] }] } })
    await renew()
    await app.database.owner.query(
      'insert into ai_usage (org_id, month, used) values ($1, $2, 100000) on conflict (org_id, month) do update set used = excluded.used',
      [home.orgId, '2026-11-01'],
    )
    await renew()
    expect(await texts()).toEqual(before)
  })
})
