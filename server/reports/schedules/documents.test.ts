import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentOf } from '#contract/reports/templates.ts'
import { contentOn } from '../../testing/content.ts'
import { figuresOn } from '../../testing/figures.ts'
import type { TestHome } from '../../testing/people.ts'
import { scheduleWorkOn, schedulesOn } from '../../testing/schedules.ts'
import { startApp, type TestApp } from '../../testing/startApp.ts'
import { teamOn } from '../../testing/team.ts'
import { reportMakers } from './documents.ts'

/* Runs with the documents that the product makes. */

let app: TestApp
let home: TestHome
let channels: { facebook: string; instagram: string }
beforeAll(async () => {
  app = await startApp()
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  const content = contentOn(app.parts)
  const figures = figuresOn(app.database)
  const facebook = await content.channel(home, { platform: 'facebook', handle: '@page' })
  app.clock.advance({ minutes: 1 })
  channels = { facebook, instagram: await content.channel(home, { platform: 'instagram', handle: '@grams' }) }
  for (let day = 16; day <= 22; day += 1) {
    await figures.channelDay(channels.facebook, `2026-11-${day}`, { views: 1000 }, '2026-11-23T05:00:00Z')
    await figures.channelDay(channels.instagram, `2026-11-${day}`, { views: 10 }, '2026-11-23T05:00:00Z')
  }
})
afterAll(() => app.close())

const textOf = async (pdf: Buffer | undefined) => {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf ?? Buffer.alloc(0))), {
    mergePages: true,
  })
  return text.replaceAll(/\s+/g, ' ')
}

it('sends each reader the figures of the own channels, and waits for those that are not final', async () => {
  const on = schedulesOn(app)
  const work = scheduleWorkOn(app, reportMakers(app.parts))
  const bound = await app.colleague(home, 'user', { channelIds: [channels.instagram] })
  const [cover] = contentOf('empty').blocks
  if (!cover) throw new Error('a report begins with a cover')
  const narrowed = { width: 6, heading: '', channelIds: null, platforms: null } as const
  const reportId = await on.report(home, {
    blocks: [
      cover,
      { kind: 'figures', blockId: 'b2', ...narrowed, base: 'inTheseDays', names: ['viewsAndImpressions'], by: 'total' },
    ],
  })
  const recipients = { userIds: [home.person.personId, bound.personId] }
  const params = await on.schedule(home, { ...recipients, waitDays: 2 }, { reportId })
  app.clock.set(new Date('2026-11-23T08:00:00Z'))
  await work.minute()
  expect(await on.runs(params, home.person)).toMatchObject([
    { state: 'waiting', notFinal: ['grams (Instagram)', 'page (Facebook)'], mails: [] },
  ])
  // names of other channels are told to nobody
  expect(await on.runs(params, bound)).toMatchObject([{ state: 'waiting', notFinal: [] }])
  app.clock.set(new Date('2026-11-25T08:00:00Z'))
  await work.minute()
  const mailTo = (email: string) => app.outbox.find((mail) => mail.to === email)
  const [own, theirs] = [mailTo(home.person.email), mailTo(bound.email)]
  expect(own?.subject).toBe('Weekly figures, 16 Nov to 22 Nov 2026')
  expect(await textOf(own?.attachments?.[0]?.content)).toContain('7,070')
  const text = await textOf(theirs?.attachments?.[0]?.content)
  expect(text).toContain('70')
  expect(text).not.toContain('7,070')
  expect(own?.text).toContain('those of page (Facebook) and grams (Instagram).')
  expect(theirs?.text).toContain('those of grams (Instagram).')
  expect(await on.runs(params, bound)).toMatchObject([{ state: 'done', notFinal: ['grams (Instagram)'] }])
  expect(await on.runs(params, home.person)).toMatchObject([
    { state: 'done', from: '2026-11-16', to: '2026-11-22', files: [{ pages: expect.any(Number) }, {}] },
  ])
}, 60_000)
