import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listNotices } from '#contract/notices.ts'
import { addDays } from '../rangeDays.ts'
import { contentOn } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { alertJobs } from './jobs.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let figures: ReturnType<typeof figuresOn>
let home: TestHome
let facebook: string
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
})

const run = async () => {
  const [job] = alertJobs({ env: { analyticsTerms: [] } })
  const { databases, clock, log } = app.parts
  await job?.perform({ databases, clock, log, signal: new AbortController().signal }, {})
}
const notices = async (who: TestPerson = home.person) =>
  (await app.call(listNotices, { params: home.params, query: { topic: 'insights' } }, { as: who })).notices
/** Ten weeks of views, read once they were final, until the last final day of a Monday. */
const last = '2026-11-16'
const views = async (channelId: string, onLast: number) => {
  for (let ago = 0; ago <= 70; ago += 1) {
    const day = addDays(last, -ago)
    await figures.channelDay(channelId, day, { views: ago === 0 ? onLast : 1000 }, `${addDays(day, 5)}T12:00:00Z`)
  }
}

describe('the notification of unusual figures', () => {
  it('says once what was unusual on the last final day', async () => {
    await views(facebook, 3000)
    await run()
    await run()
    const [notice, ...others] = await notices()
    expect(notice).toMatchObject({
      kind: 'figures-unusual',
      title: 'A figure was out of the ordinary on November 16',
      body: '@page on Facebook: 3,000 views, more than the usual 968 to 1,032.',
      count: 1,
    })
    expect(notice?.link).toMatch(/\/insights\/insights$/)
    expect(others).toEqual([])
  })

  it('is created for nothing usual, without analytics, and of no platform whose terms forbid it', async () => {
    await views(facebook, 1010)
    const youtube = await content.channel(home, { platform: 'youtube', handle: '@tube' })
    await views(youtube, 9000)
    await run()
    expect(await notices()).toEqual([])
    await views(facebook, 9000)
    await teamOn(app).plan(home, 'free')
    await run()
    await teamOn(app).plan(home, 'team')
    expect(await notices()).toEqual([])
  })

  it('names only channels of the role', async () => {
    const other = await content.channel(home, { platform: 'facebook', handle: '@other' })
    await views(facebook, 3000)
    await views(other, 10)
    const bound = await app.colleague(home, 'user', { channelIds: [other] })
    const none = await app.colleague(home, 'user', {
      channelIds: [await content.channel(home, { platform: 'facebook', handle: '@quiet' })],
    })
    await run()
    expect((await notices())[0]?.title).toBe('2 figures were out of the ordinary on November 16')
    const [theirs] = await notices(bound)
    expect(theirs?.body).toBe('@other on Facebook: 10 views, fewer than the usual 968 to 1,032.')
    expect(await notices(none)).toEqual([])
  })
})
