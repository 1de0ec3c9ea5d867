import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { getPost, listPosts, saveDraft, submitPost, type Submit } from '#contract/posts.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let home: TestHome

beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  content = contentOn(app.parts)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
})

type Body = z.input<typeof Submit>
const to = (channelId: string, text = 'Hello there', more: Partial<Body['channels'][number]> = {}): Body['channels'][number] => ({ channelId, postType: 'post', contents: [{ text, media: [] }], ...more })
const tomorrow = { type: 'ONCE', details: { utc: '2026-11-22T09:30:00.000Z', timezone: 'Europe/London' } } as const
const now = { type: 'NOW' } as const
const submit = (body: Body, as = home.person, headers: Record<string, string> = {}) => app.call(submitPost, { params: home.params, body }, { as, headers })
const rows = async (columns = '*') => (await app.database.owner.query(`select ${columns} from post where org_id = $1 order by id`, [home.orgId])).rows

describe('a submit', () => {
  it('makes one post per channel, hands them to the machine and writes down who did it', async () => {
    const [a, b] = [await content.channel(home), await content.channel(home)]
    const reply = await submit({ intent: 'SCHEDULE', channels: [to(a), to(b, 'Other words')], schedule: tomorrow })
    expect(reply.message).toBe('Post Scheduled')
    expect(reply.posts.map(({ channelId, status, dueAt }) => ({ channelId, status, dueAt }))).toEqual([
      { channelId: a, status: 'SCHEDULED', dueAt: '2026-11-22T09:30:00.000Z' },
      { channelId: b, status: 'SCHEDULED', dueAt: '2026-11-22T09:30:00.000Z' },
    ])
    expect(await rows('state, wall_time, zone, step, step_at, batch_id, excerpt')).toMatchObject([
      { state: 'SCHEDULED', wall_time: '2026-11-22T09:30', zone: 'Europe/London', step: 'send', step_at: new Date('2026-11-22T09:30:00Z'), batch_id: reply.batchId, excerpt: 'Hello there' },
      { excerpt: 'Other words', batch_id: reply.batchId },
    ])
    const lanes = await app.database.owner.query('select wake_at from lane where org_id = $1', [home.orgId])
    expect(lanes.rows).toEqual([{ wake_at: new Date('2026-11-22T09:30:00Z') }, { wake_at: new Date('2026-11-22T09:30:00Z') }])
    const audit = await app.database.owner.query("select entity_id from audit where org_id = $1 and action = 'created' and entity = 'post' order by entity_id", [home.orgId])
    expect(audit.rows.map((row) => row.entity_id)).toEqual(reply.posts.map(({ postId }) => postId).toSorted())
    const events = await app.database.owner.query("select ref from event where org_id = $1 and kind = 'post'", [home.orgId])
    expect(events.rows.map((row) => row.ref).toSorted()).toEqual(reply.posts.map(({ postId }) => postId).toSorted())
    const first = await app.call(getPost, { params: { ...home.params, postId: reply.posts[0]?.postId ?? '' } }, { as: home.person })
    expect(first.timeline.map(({ kind, by }) => ({ kind, by }))).toEqual([{ kind: 'created', by: 'Olive Owner' }, { kind: 'scheduled', by: 'Olive Owner' }])
  })

  it('publishes now', async () => {
    const channel = await content.channel(home)
    const reply = await submit({ intent: 'PUBLISH', channels: [to(channel)], schedule: now })
    expect(reply.message).toBe('Post sent for processing')
    expect(await rows('state, step, step_at, wall_time')).toEqual([{ state: 'SCHEDULED', step: 'send', step_at: app.clock.now(), wall_time: null }])
  })
})
void randomUUID
void listPosts
void saveDraft
