import { randomUUIDv7 } from 'node:crypto'
import type { EndpointShape } from '#contract/endpoint.ts'
import { Problem } from '#contract/errors.ts'
import { getPost } from '#contract/posts.ts'
import { submitPost } from '#contract/submit.ts'
import { setQueueSlots } from '#contract/queues.ts'
import { approvePost, createWorkflow } from '#contract/workflows.ts'
import { ApiFailure, type clientOf } from './client.ts'
import type { TestHome } from './people.ts'
import type { TestChannel } from './publishing.ts'
import type { Harness } from './harness.ts'
import { until } from './until.ts'

/*
 * People who work through the API while everything breaks: series, queues, approvals and several channels at once. A
 * call that fails because the database is down is repeated with the same Idempotency-Key, as the web app does.
 */

type Client = ReturnType<typeof clientOf>
export type PeopleAtWork = {
  stage: Harness
  client: Client
  home: TestHome
  channels: readonly TestChannel[]
  workflowId: string
  now: () => Date
}

/** How often a text is sent on each of the channels. */
export type Expected = { text: string; channelIds: readonly string[]; times: number }

/** Posts of one series on one channel. */
export const TIMES_OF_A_SERIES = 3

/** One round of work: returns what should be live in the end, once all of it was accepted. */
export async function workOnce(at: PeopleAtWork, round: number): Promise<Expected[]> {
  const all = at.channels.map(({ channelId }) => channelId)
  const some = all.slice(0, Math.max(2, Math.floor(all.length / 2)))
  const inHours = (hours: number) =>
    new Date(Math.ceil(at.now().getTime() / 60_000) * 60_000 + hours * 3_600_000).toISOString()
  const series = await submit(
    at,
    {
      intent: 'SCHEDULE',
      schedule: {
        type: 'RECURRING_CUSTOM',
        details: {
          timezone: 'Europe/Berlin',
          utc: Array.from({ length: TIMES_OF_A_SERIES }, (_, i) => inHours(1 + i)),
        },
      },
    },
    `series ${round}`,
    some,
  )
  await comeDue(
    at,
    series.map(({ postId }) => postId),
  )
  const batch = await submit(at, { intent: 'PUBLISH', schedule: { type: 'NOW' } }, `batch ${round}`, all)
  const asked = await submit(
    at,
    { intent: 'NEEDS_APPROVAL', schedule: { type: 'NOW' }, workflowId: at.workflowId },
    `approved ${round}`,
    some,
  )
  for (const { postId } of asked) await approve(at, postId)
  const queued = await submit(
    at,
    { intent: 'QUEUE', schedule: { type: 'QUEUE', details: { position: 'LAST' } } },
    `queued ${round}`,
    some,
  )
  await comeDue(
    at,
    queued.map(({ postId }) => postId),
  )
  await submit(
    at,
    { intent: 'NEEDS_APPROVAL', schedule: { type: 'NOW' }, workflowId: at.workflowId },
    `never approved ${round}`,
    some,
  )
  return [
    { text: `series ${round}`, channelIds: some, times: series.length / some.length },
    { text: `batch ${round}`, channelIds: all, times: batch.length / all.length },
    { text: `approved ${round}`, channelIds: some, times: asked.length / some.length },
    { text: `queued ${round}`, channelIds: some, times: queued.length / some.length },
    { text: `never approved ${round}`, channelIds: some, times: 0 },
  ]
}

/**
 * Prepares a daily slot for every channel, so that anything can be queued, and the approvers. Before anything breaks.
 */
export async function prepareWork(client: Client, home: TestHome, channels: readonly TestChannel[]): Promise<string> {
  const slots = Array.from({ length: 7 }, (_, day) => ({ day, time: '09:00' }))
  for (const { channelId } of channels)
    await client.call(
      setQueueSlots,
      { params: { ...home.params, channelId }, body: { timezone: 'Europe/Berlin', slots } },
      { as: home.person },
    )
  const steps = [{ needs: 'any' as const, approvers: [{ kind: 'member' as const, userId: home.person.personId }] }]
  return (
    await client.call(createWorkflow, { params: home.params, body: { name: 'The owner', steps } }, { as: home.person })
  ).workflowId
}

async function submit(
  at: PeopleAtWork,
  how: object,
  text: string,
  channelIds: readonly string[],
): Promise<{ postId: string }[]> {
  const body = {
    ...how,
    channels: channelIds.map((channelId) => ({ channelId, postType: 'post', contents: [{ text, media: [] }] })),
  }
  return submitPost.reply.parse(await insist(at, submitPost, { params: at.home.params, body })).posts
}

/** Approves until the post says so: a response may have been lost after the decision was stored. */
async function approve(at: PeopleAtWork, postId: string): Promise<void> {
  const params = { ...at.home.params, postId }
  await until(
    async () => {
      const post = getPost.reply.parse(await insist(at, getPost, { params }))
      if (post.status !== 'NEEDS_APPROVAL') return true
      await at.client.call(approvePost, { params, body: { version: post.version } }, { as: at.home.person })
      return true
    },
    { deadline: 60_000, what: 'an approval' },
  )
}

/** Makes these posts due. */
async function comeDue({ stage, home, now }: PeopleAtWork, postIds: readonly string[]): Promise<void> {
  await until(
    async () => {
      await stage.owner.query(
        `with due as (update post set due_at = $2, shown_at = $2 where org_id = $1 and id = any($3) and state in ('SCHEDULED', 'QUEUED') returning id, channel_id),
         delivered as (update delivery d set step_at = $2, wanted_at = $2 from due where d.org_id = $1 and d.subject_id = due.id and d.step = 'send')
         update lane set wake_at = least(wake_at, $2) where org_id = $1 and channel_id in (select channel_id from due)`,
        [home.orgId, now(), postIds],
      )
      return true
    },
    { deadline: 60_000, what: 'the database to be there' },
  )
}

/** Repeats a call until there is a response. Calls that fail without a database are repeated; refusals aren't. */
async function insist(
  at: PeopleAtWork,
  endpoint: EndpointShape,
  input: { params: unknown; body?: unknown },
): Promise<unknown> {
  const key = randomUUIDv7()
  return await until(
    async () => {
      const response = await at.client.send(endpoint, input, {
        as: at.home.person,
        ...(endpoint.method === 'GET' ? {} : { headers: { 'idempotency-key': key } }),
      })
      if (response.statusCode < 400) return response.json<object>()
      if (response.statusCode >= 500 || response.statusCode === 409) return undefined
      throw new ApiFailure(Problem.parse(response.json()))
    },
    { deadline: 60_000, what: `${endpoint.method} ${endpoint.path}` },
  )
}
