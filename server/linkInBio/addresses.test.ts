import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createBioPage, renameBioPage, saveBioPage } from '#contract/linkInBio/pages.ts'
import { deleteProject } from '#contract/orgSettings.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { until } from '../testing/until.ts'
import { freeSlugs } from './upkeep.ts'

let app: TestApp
let home: TestHome
beforeAll(async () => {
  app = await startApp({ env: { TRUST_PROXY: '127.0.0.1' } })
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
})

const open = (path: string, address = '203.0.113.1') =>
  app.app.inject({ url: `/b/${path}`, headers: { host: 'rookery.test', 'x-forwarded-for': address } })
const create = async (slug: string, at = home) =>
  (await app.call(createBioPage, { params: at.params, body: { name: 'Page', slug } }, { as: at.person })).pageId
const goLive = (pageId: string, version: number, items: Parameters<typeof item>[0][] = [], at = home) =>
  app.call(
    saveBioPage,
    {
      params: { ...at.params, pageId },
      body: { version, name: 'Page', theme: 'paper', live: true, items: items.map(item) },
    },
    { as: at.person },
  )
const item = (times: { label: string; starts?: string; ends?: string }) => {
  const moment = (wall: string | undefined) => {
    const [date = '', time = ''] = wall?.split(' ') ?? []
    return wall === undefined ? null : { date, time }
  }
  return {
    kind: 'button' as const,
    label: times.label,
    url: 'https://shop.example/',
    zone: 'Europe/Berlin',
    starts: moment(times.starts),
    ends: moment(times.ends),
  }
}
const showsAt = async (slug: string, instant: string, label: string) => {
  app.clock.set(new Date(instant))
  return (await open(slug)).body.includes(label)
}

describe('an earlier address', () => {
  it('leads to its page for 90 days, then to nothing, and is free for others', async () => {
    const pageId = await create('before-it')
    await goLive(pageId, 1)
    await app.call(
      renameBioPage,
      { params: { ...home.params, pageId }, body: { slug: 'after-it' } },
      { as: home.person },
    )
    const lead = async (path: string) => {
      const { statusCode, headers } = await open(path)
      return [statusCode, headers.location, headers['cache-control']]
    }
    await until(async () => (await lead('before-it'))[0] === 302)
    expect(await lead('before-it')).toEqual([302, '/b/after-it', 'no-cache'])
    expect(await lead('before-it/1')).toEqual([302, '/b/after-it/1', 'no-cache'])
    // what other sites remember of a page
    for (const path of ['card/abc.png', 'p/abc-2', 'report'])
      expect(await lead(`before-it/${path}`)).toEqual([302, `/b/after-it/${path}`, 'no-cache'])
    expect((await open('after-it')).statusCode).toBe(200)
    app.clock.set(new Date('2027-02-19T09:59:59Z'))
    expect(await freeSlugs(app.parts.databases, app.clock.now())).toBe(0)
    expect((await lead('before-it'))[0]).toBe(302)
    // to the second, whether the job ran or not
    app.clock.set(new Date('2027-02-19T10:00:00Z'))
    expect((await lead('before-it'))[0]).toBe(404)
    expect(await freeSlugs(app.parts.databases, app.clock.now())).toBe(1)
    const other = await app.signedInOwner()
    const theirs = await create('before-it', other)
    await goLive(theirs, 1, [{ label: 'Another page' }], other)
    await until(async () => (await open('before-it')).body.includes('Another page'))
  })
})

describe('the address of a page whose project is deleted', () => {
  it('leads to nothing, and is free for others after 90 days', async () => {
    await create('of-project')
    await app.call(deleteProject, { params: { orgId: home.orgId, id: home.projectId } }, { as: home.person })
    app.clock.set(new Date('2027-02-19T09:59:59Z'))
    expect(await freeSlugs(app.parts.databases, app.clock.now())).toBe(0)
    const other = await app.signedInOwner()
    await expect(create('of-project', other)).rejects.toMatchObject({ code: 'NAME_TAKEN' })
    app.clock.set(new Date('2027-02-19T10:00:00Z'))
    expect(await freeSlugs(app.parts.databases, app.clock.now())).toBe(1)
    await create('of-project', other)
  })
})

describe('start and end', () => {
  it('are the wall times of their zone on days when clocks go forward', async () => {
    const pageId = await create('forward')
    await goLive(pageId, 1, [
      // 01:59 is followed by 03:00, so 02:30 is 03:30
      { label: 'Across', starts: '2027-03-28 01:30', ends: '2027-03-28 03:15' },
      { label: 'Skipped', starts: '2027-03-28 02:30' },
    ])
    expect(await showsAt('forward', '2027-03-28T00:29:59Z', 'Across')).toBe(false)
    expect(await showsAt('forward', '2027-03-28T00:30:00Z', 'Across')).toBe(true)
    expect(await showsAt('forward', '2027-03-28T01:14:59Z', 'Across')).toBe(true)
    expect(await showsAt('forward', '2027-03-28T01:15:00Z', 'Across')).toBe(false)
    expect(await showsAt('forward', '2027-03-28T01:29:59Z', 'Skipped')).toBe(false)
    expect(await showsAt('forward', '2027-03-28T01:30:00Z', 'Skipped')).toBe(true)
  })

  it('are the wall times of their zone on days when clocks go back', async () => {
    const pageId = await create('back')
    await goLive(pageId, 1, [
      // 02:30 is there twice: the first one counts
      { label: 'Across', starts: '2027-10-31 01:30', ends: '2027-10-31 03:15' },
      { label: 'Twice', starts: '2027-10-31 02:30' },
    ])
    expect(await showsAt('back', '2027-10-30T23:29:59Z', 'Across')).toBe(false)
    expect(await showsAt('back', '2027-10-30T23:30:00Z', 'Across')).toBe(true)
    expect(await showsAt('back', '2027-10-31T00:29:59Z', 'Twice')).toBe(false)
    expect(await showsAt('back', '2027-10-31T00:30:00Z', 'Twice')).toBe(true)
    expect(await showsAt('back', '2027-10-31T02:14:59Z', 'Across')).toBe(true)
    expect(await showsAt('back', '2027-10-31T02:15:00Z', 'Across')).toBe(false)
  })
})

describe('a flood of unknown addresses', () => {
  it('reads the database 60 times a minute for one network, and hides no page from it', async () => {
    const pageId = await create('kept-page')
    await goLive(pageId, 1)
    expect((await open('kept-page')).statusCode).toBe(200)
    const { reads } = app.publicPages.stats()
    const statuses = new Map<number, number>()
    for (let n = 0; n < 100; n += 1) {
      const { statusCode } = await open(`flood-${n}`, `2001:db8::${n.toString(16)}`)
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    }
    expect([...statuses]).toEqual([
      [404, 60],
      [429, 40],
    ])
    expect(app.publicPages.stats().reads - reads).toBeLessThanOrEqual(60)
    app.clock.advance({ seconds: 30 })
    // a page that was known is read again, however many unknown ones were asked for
    expect((await open('kept-page', '2001:db8::1')).statusCode).toBe(200)
    expect((await open('flood-x', '203.0.113.9')).statusCode).toBe(404)
    app.clock.advance({ seconds: 31 })
    expect((await open('flood-y', '2001:db8::1')).statusCode).toBe(404)
  })

  it('reads three at a time, lets 200 wait, and tells others to come back', async () => {
    const { system } = app.parts.databases
    // no reading ends while these connections are taken
    const held = await Promise.all(Array.from({ length: 6 }, () => system.connect()))
    const replies: [number, unknown][] = []
    const asked = Array.from({ length: 210 }, async (_, n) => {
      const { statusCode, headers } = await open(`queue-${n}`, `10.1.${n}.1`)
      replies.push([statusCode, headers['retry-after']])
    })
    await until(() => replies.length === 7)
    expect(replies).toEqual(Array.from({ length: 7 }, () => [503, '60']))
    for (const client of held) client.release()
    await Promise.all(asked)
    expect(new Set(replies.slice(7).map(([status]) => status))).toEqual(new Set([404]))
  })
})
