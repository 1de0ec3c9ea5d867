import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dashboardInboxStats } from '#contract/dashboard.ts'
import { inboxReplyTimes } from '#contract/inbox/replyTimes.ts'
import { contentOn } from '../../testing/content.ts'
import { received } from '../../testing/inbox.ts'
import type { TestHome, TestPerson } from '../../testing/people.ts'
import { contentWith, documentsOn, partOf } from '../../testing/reports.ts'
import { startApp, TEST_NOW, type TestApp } from '../../testing/startApp.ts'
import { teamOn } from '../../testing/team.ts'

let app: TestApp
let home: TestHome
let mastodon: string
let bluesky: string
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  const content = contentOn(app.parts)
  mastodon = await content.channel(home, { platform: 'mastodon', handle: '@crows' })
  bluesky = await content.channel(home, { platform: 'bluesky', handle: '@rooks' })
})

const week = { from: '2026-11-15', to: '2026-11-21' }
const compared = { ...week, compareFrom: '2026-11-08', compareTo: '2026-11-14' }
const read = (...args: Parameters<ReturnType<typeof documentsOn>['read']>) => documentsOn(app).read(...args)
const at = (day: number, minutes = 0) =>
  new Date(Date.parse(`2026-11-${String(day).padStart(2, '0')}T10:00Z`) + minutes * 60_000)

describe('the inbox of a report', () => {
  async function fill() {
    for (const channelId of [mastodon, bluesky])
      for (const [day, wait] of [
        [9, 5],
        [16, 90],
        [17, 30],
        [18, null],
        ...(channelId === bluesky ? ([[19, 240]] as const) : []),
      ] as const) {
        const threadKey = `thread-${channelId}-${day}`
        await received(app, home, { channelId, threadKey, at: at(day) })
        if (wait !== null) await received(app, home, { channelId, threadKey, at: at(day, wait), isOurs: true })
      }
    await received(app, home, { channelId: bluesky, at: at(20), conversation: 'message' })
  }
  const shown = async (who: TestPerson) => {
    const { blocks } = await read(home, contentWith([{ kind: 'inbox' }]), { who })
    const { figures } = partOf(blocks[0], 'figures')
    return {
      values: Object.fromEntries(figures.map(({ title, value }) => [title, value.value])),
      figures,
      notes: blocks[0]?.notes,
    }
  }

  it('is what the dashboard and the reply times tell, for all roles', async () => {
    await fill()
    const bound = await app.colleague(home, 'editor', { channelIds: [mastodon] })
    for (const who of [home.person, bound]) {
      const stats = await app.call(dashboardInboxStats, { params: home.params }, { as: who })
      const times = await app.call(inboxReplyTimes, { params: home.params }, { as: who })
      expect(stats.range).toEqual(compared)
      const { values, figures } = await shown(who)
      expect(values).toEqual({
        Received: stats.received,
        Answered: stats.answered,
        Positive: stats.sentiment.positive,
        Neutral: stats.sentiment.neutral,
        Negative: stats.sentiment.negative,
        Replies: times.replies,
        'Median reply time': times.medianMinutes === null ? null : times.medianMinutes * 60,
        'Slowest reply': times.slowestMinutes === null ? null : times.slowestMinutes * 60,
      })
      expect(values).toMatchObject(who === bound ? { Received: 3, Replies: 2 } : { Received: 8, Replies: 5 })
      expect(figures.find(({ title }) => title === 'Replies')?.changeValue).toBe(
        (times.replies / times.before.replies - 1) * 100,
      )
    }
  })

  it('shows only the kinds of conversations that the role includes, or says that it includes none', async () => {
    await fill()
    const team = teamOn(app)
    const comments = await team.holder(home, { insights: ['view'], inbox: ['view'], comment: ['view'] })
    const some = await shown(comments)
    expect([some.values.Received, some.notes?.[1]]).toEqual([7, "Without messages, which the role doesn't include."])
    const none = await team.holder(home, { insights: ['view'] })
    const { blocks } = await read(home, contentWith([{ kind: 'inbox' }]), { who: none })
    expect(blocks[0]?.parts).toEqual([
      { kind: 'nothing', text: "The inbox isn't shown here, because the role doesn't include it." },
    ])
  })

  it('covers the channels of the report', async () => {
    await fill()
    const { blocks } = await read(
      home,
      contentWith([{ kind: 'inbox' }], { channelIds: [mastodon], campaignId: crypto.randomUUID() }),
    )
    expect(partOf(blocks[0], 'figures').figures[0]?.value.value).toBe(3)
    expect(blocks[0]?.notes).toContain('Conversations of all posts, whatever campaign, label or hashtag.')
    const empty = await read(
      home,
      contentWith([{ kind: 'inbox' }], {
        days: { span: 'custom', from: '2025-01-01', to: '2025-01-07', compare: 'before' },
      }),
    )
    expect(empty.blocks[0]?.parts).toEqual([{ kind: 'nothing', text: 'Nothing was received in these days.' }])
  })
})
