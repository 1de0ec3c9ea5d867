import { because } from '#contract/failures/catalog.ts'
import { postWithDelivery, putDelivery } from './deliveries.ts'
import { randomUUIDv7 } from 'node:crypto'
import type { z } from 'zod'
import type { DraftBody } from '#contract/drafts.ts'
import { submitPost, type Submit } from '#contract/submit.ts'
import type { PostState } from '#contract/postStates.ts'
import type { clientOf } from './client.ts'
import type { TestDatabase } from './database.ts'
import type { TestHome, TestPerson } from './people.ts'

type Body = z.input<typeof Submit>
export type TestSchedule = Body['schedule']

export const NOW: TestSchedule = { type: 'NOW' }
/** A day after TEST_NOW, half an hour earlier. */
export const TOMORROW: TestSchedule = {
  type: 'ONCE',
  details: { utc: '2026-11-22T09:30:00.000Z', timezone: 'Europe/London' },
}
export const at = (utc: string, timezone = 'Europe/London'): TestSchedule => ({
  type: 'ONCE',
  details: { utc, timezone },
})

/** Posts for tests: submitted through the API, then put into any status. */
export function postsOn({ call }: ReturnType<typeof clientOf>, database: TestDatabase) {
  /** A post on one channel. Returns its ID. */
  async function post(
    home: TestHome,
    channelId: string,
    options: {
      text?: string
      schedule?: TestSchedule
      as?: TestPerson
      media?: { assetId: string; altText?: string }[]
    } = {},
  ): Promise<string> {
    const { text = 'Hello there', schedule = TOMORROW, as = home.person, media = [] } = options
    const intent = schedule.type === 'NOW' ? 'PUBLISH' : schedule.type === 'ONCE' ? 'SCHEDULE' : 'DRAFT'
    const reply = await call(
      submitPost,
      {
        params: home.params,
        body: { intent, channels: [{ channelId, postType: 'post', contents: [{ text, media }] }], schedule },
      },
      { as },
    )
    return reply.posts[0]?.postId ?? ''
  }

  /** Leaves the post as the engine would have in that status. */
  async function put(postId: string, state: PostState, columns: Record<string, unknown> = {}): Promise<void> {
    const machine: Partial<Record<PostState, Record<string, unknown>>> = {
      PUBLISHED: {
        remote_id: `at://did:plc:x/app.bsky.feed.post/${randomUUIDv7()}`,
        permalink: 'https://bsky.example/post/1',
        published_at: '2026-11-21T09:59:00Z',
      },
      FAILED: {
        failure: JSON.stringify({
          class: 'permanent',
          action: 'edit',
          ...because('refused', { platform: 'Bluesky', doing: 'publish-post', words: 'It is too long.' }),
          platformCode: 'InvalidRequest',
        }),
      },
    }
    const steps: Partial<Record<PostState, Record<string, unknown>>> = {
      SCHEDULED: {},
      PROCESSING: {},
      UNCONFIRMED: { step: 'reconcile', step_at: '2026-11-21T10:05:00Z' },
    }
    const isOfDelivery = ([name]: [string, unknown]) => DELIVERY_COLUMNS.includes(name)
    const given = Object.entries(columns)
    await putDelivery(database.owner, postId, {
      ...(steps[state] ?? { step: null, step_at: null }),
      ...Object.fromEntries(given.filter(isOfDelivery)),
    })
    const all = { state, ...machine[state], ...Object.fromEntries(given.filter((one) => !isOfDelivery(one))) }
    const names = Object.keys(all)
    await database.owner.query(
      `update post set ${names.map((name, i) => `${name} = $${i + 2}`).join(', ')} where id = $1`,
      [postId, ...Object.values(all)],
    )
  }

  /** The post's row. */
  async function row(postId: string): Promise<Record<string, unknown>> {
    return await postWithDelivery(database.owner, postId)
  }

  /** The kinds of the post's timeline entries, in order. */
  async function story(postId: string): Promise<string[]> {
    return (
      await database.owner.query('select kind from post_event where post_id = $1 order by at, id', [postId])
    ).rows.map((event) => String(event.kind))
  }

  return { post, put, row, story }
}

const DELIVERY_COLUMNS = [
  'step',
  'step_at',
  'fence',
  'tries',
  'absent_at',
  'send_key',
  'progress',
  'sent_at',
  'doubted',
]

export const draftBody = (more: Partial<DraftBody> = {}): DraftBody => ({
  text: 'A thought',
  media: [],
  channelIds: [],
  additionalDetails: {},
  schedule: { mode: 'now', date: '', time: '', timezone: 'Europe/London' },
  ...more,
})
