import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deletePost, reschedulePost } from '#contract/posts.ts'
import { submitPost, type Schedule } from '#contract/submit.ts'
import { getQueue, queuePositions, reorderQueue, setQueueSlots, setQueueStatus } from '#contract/queues.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { modelRuns } from '../testing/modelRuns.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'

/*
 * Whatever people do to a queue, in any order: it's an array, and each of its posts has the slot of its position. The
 * model counts full hours in UTC and knows nothing about zones, weeks or SQL.
 */

const HOUR = 3_600_000
type Modeled = { postId: string; at: number | null }
type Model = {
  now: number
  hours: number[]
  paused: boolean
  scheduled: { postId: string; at: number }[]
  posts: Modeled[]
}

function settle(model: Model): void {
  const waiting = model.paused ? model.posts : model.posts.filter(({ at }) => at === null || at > model.now)
  let next = Math.floor(model.now / HOUR) * HOUR
  for (const post of waiting) {
    if (model.paused || model.hours.length === 0) post.at = null
    else {
      do next += HOUR
      while (!model.hours.includes(new Date(next).getUTCHours()) || model.scheduled.some(({ at }) => at === next))
      post.at = next
    }
  }
}

const op = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('join' as const), position: fc.constantFrom(...queuePositions) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('leave' as const), which: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('reorder' as const),
      keys: fc.array(fc.nat(), { minLength: 15, maxLength: 15 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pause' as const), paused: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('slots' as const),
      hours: fc.uniqueArray(fc.integer({ min: 0, max: 23 }), { maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('schedule' as const), ahead: fc.integer({ min: 1, max: 72 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('unschedule' as const),
      which: fc.nat(),
      how: fc.constantFrom('delete' as const, 'move' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 30 }) }) },
)
type Op = typeof op extends fc.Arbitrary<infer T> ? T : never

let app: TestApp
let content: ReturnType<typeof contentOn>
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  content = contentOn(app.parts)
})
afterAll(() => app.close())

async function play(ops: readonly Op[]): Promise<void> {
  app.clock.set(TEST_NOW)
  const home = await app.signedInOwner()
  const channelId = await content.channel(home)
  const params = { ...home.params, channelId }
  const as = home.person
  const model: Model = { now: TEST_NOW.getTime(), hours: [9, 17], paused: false, scheduled: [], posts: [] }
  const read = () => app.call(getQueue, { params }, { as })
  const setHours = (hours: readonly number[]) =>
    app.call(
      setQueueSlots,
      {
        params,
        body: {
          timezone: 'UTC',
          slots: hours.flatMap((hour) =>
            [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, time: `${String(hour).padStart(2, '0')}:00` })),
          ),
        },
      },
      { as },
    )
  const submit = async (intent: 'QUEUE' | 'SCHEDULE', schedule: Schedule): Promise<string> => {
    const reply = await app.call(
      submitPost,
      {
        params: home.params,
        body: {
          intent,
          channels: [{ channelId, postType: 'post', contents: [{ text: 'Hello', media: [] }] }],
          schedule,
        },
      },
      { as },
    )
    return reply.posts[0]?.postId ?? ''
  }

  await setHours(model.hours)
  for (const step of ops) {
    switch (step.kind) {
      case 'join': {
        const { position } = step
        const joined = { postId: await submit('QUEUE', { type: 'QUEUE', details: { position } }), at: null }
        if (position === 'NEXT') model.posts.unshift(joined)
        else model.posts.push(joined)
        break
      }
      case 'leave': {
        const [gone] = model.posts.splice(step.which % Math.max(1, model.posts.length), 1)
        if (gone) await app.call(deletePost, { params: { ...home.params, postId: gone.postId } }, { as })
        break
      }
      case 'reorder': {
        const key = new Map(model.posts.map(({ postId }, i) => [postId, step.keys[i % step.keys.length] ?? 0]))
        model.posts = model.posts.toSorted((a, b) => (key.get(a.postId) ?? 0) - (key.get(b.postId) ?? 0))
        await app.call(
          reorderQueue,
          { params, body: { version: (await read()).version, postIds: model.posts.map(({ postId }) => postId) } },
          { as },
        )
        break
      }
      case 'pause':
        model.paused = step.paused
        await app.call(setQueueStatus, { params, body: { paused: step.paused } }, { as })
        break
      case 'slots':
        model.hours = step.hours
        await setHours(step.hours)
        break
      case 'schedule': {
        const at = Math.floor(model.now / HOUR + step.ahead) * HOUR
        model.scheduled.push({
          postId: await submit('SCHEDULE', {
            type: 'ONCE',
            details: { utc: new Date(at).toISOString(), timezone: 'UTC' },
          }),
          at,
        })
        break
      }
      case 'unschedule': {
        const coming = model.scheduled.filter(({ at }) => at > model.now)
        const gone = coming[step.which % Math.max(1, coming.length)]
        if (!gone) break
        const params = { ...home.params, postId: gone.postId }
        if (step.how === 'delete') {
          await app.call(deletePost, { params }, { as })
          model.scheduled = model.scheduled.filter((post) => post !== gone)
        } else {
          gone.at += 24 * HOUR
          await app.call(
            reschedulePost,
            {
              params,
              body: { schedule: { type: 'ONCE', details: { utc: new Date(gone.at).toISOString(), timezone: 'UTC' } } },
            },
            { as },
          )
        }
        break
      }
      case 'wait':
        model.now += step.hours * HOUR
        app.clock.advance({ hours: step.hours })
    }
    settle(model)
    const { posts } = await read()
    expect(posts.map(({ postId, at }) => ({ postId, at }))).toEqual(
      model.posts.map(({ postId, at }) => ({ postId, at: at === null ? null : new Date(at).toISOString() })),
    )
  }
}

const { runs, seed, timeout } = modelRuns('queues model')
test('a queue is an array whose posts have the slots of their positions', { timeout }, async () => {
  await fc.assert(fc.asyncProperty(fc.array(op, { minLength: 4, maxLength: 14 }), play), {
    numRuns: runs,
    seed,
  })
})
