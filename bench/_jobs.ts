import { Logger, run } from 'graphile-worker'
import { Pool } from 'pg'
import type { PostType } from '#contract/platforms/rules.ts'
import { systemClock } from '../server/clock.ts'
import { clientConfig } from '../server/db/pools.ts'
import { openSecret } from '../server/delivery/secrets.ts'
import type { Platform } from '../server/platforms/platform.ts'
import type { SafeFetch } from '../server/platforms/safeFetch.ts'
import type { Harness } from '../server/testing/harness.ts'
import { testKeys, type PublishingFixture } from '../server/testing/publishing.ts'

/*
 * Publishing by one job per post, as a reference: a tuned graphile-worker with its localQueue, no queue names, bookkeeping
 * without fsync, and as many durable commits of ours as the product has, which makes the same calls. Its numbers are the best
 * of a sweep over concurrency 8 to 48, queue 8 to 500, batching of completions off, 0 and 50 ms, and 6 to 40 connections; the
 * connections matter most, so it has more of them than the product's pool.
 */

const BEGIN = `
  with p as (update post set state = 'PROCESSING', updated_at = $4 where org_id = $1 and id = $2 returning *),
  d as (update delivery set step = 'reconcile', fence = fence + 1, send_key = $3 where org_id = $1 and subject_id = $2 and subject = 'post' returning fence),
  e as (insert into post_event (org_id, post_id, id, kind, at) select org_id, id, uuidv7(), 'due', $4 from p),
  v as (insert into event (at, org_id, project_id, kind, ref) select $4, org_id, project_id, 'post', id::text from p),
  a as (insert into attempt (org_id, id, subject, subject_id, channel_id, fence, step, node_id, send_key, started_at) select p.org_id, $5, 'post', p.id, p.channel_id, d.fence, 'send', $5, $3, $4 from p, d)
  select p.*, d.fence, s.key_id, s.sealed, c.remote_id as account_id, c.handle, c.service from p cross join d
  join channel c on c.org_id = p.org_id and c.id = p.channel_id join channel_secret s on s.org_id = p.org_id and s.channel_id = p.channel_id`
const SENT = `
  with d as (update delivery set step = 'readback', remote_id = $4, sent_at = $5 where org_id = $1 and subject_id = $2 and subject = 'post' and fence = $3 returning org_id, subject_id),
  p as (update post p set remote_id = $4 from d where p.org_id = d.org_id and p.id = d.subject_id returning p.org_id, p.id)
  insert into post_event (org_id, post_id, id, kind, at) select org_id, id, uuidv7(), 'sent', $5 from p`
const DONE = `
  with d as (update delivery set state = 'sent', step = null, step_at = null where org_id = $1 and subject_id = $2 and subject = 'post' and fence = $3 returning org_id, subject_id),
  p as (update post p set state = 'PUBLISHED', permalink = $4, published_at = $5, shown_at = $5, updated_at = $5 from d where p.org_id = d.org_id and p.id = d.subject_id returning p.*),
  e as (insert into post_event (org_id, post_id, id, kind, at) select org_id, id, uuidv7(), 'confirmed', $5 from p),
  v as (insert into event (at, org_id, project_id, kind, ref) select $5, org_id, project_id, 'post', id::text from p)
  update attempt a set finished_at = $5, outcome = 'published' from p where a.org_id = p.org_id and a.id = $6 and a.started_at = $7`

const JOBS = { concurrency: 24, queue: 500, batchDelay: 50, connections: 24 }

type JobPost = {
  org_id: string
  id: string
  channel_id: string
  fence: number
  created_at: Date
  contents: { text: string }[]
  key_id: string
  sealed: Buffer
  account_id: string
  handle: string
  service: string | null
}

/** Publishes these posts, which nobody else may publish, from now on, until `stop`. */
export async function startJobs(
  stage: Harness,
  house: PublishingFixture,
  { ids, platform, fetch }: { ids: readonly string[]; platform: Platform; fetch: SafeFetch },
): Promise<{ stop(): Promise<void> }> {
  await stage.owner.query(
    "select graphile_worker.add_jobs(array(select json_populate_record(null::graphile_worker.job_spec, json_build_object('identifier', 'publish', 'payload', json_build_object('id', id))) from unnest($1::uuid[]) as p(id)))",
    [ids],
  )
  const pool = new Pool({ ...clientConfig(stage.settings.system, 'rookery bench jobs'), max: JOBS.connections })
  pool.on('error', (error) => console.error(error))
  const runner = await run({
    pgPool: stage.databases.jobs,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    preset: {
      worker: {
        concurrentJobs: JOBS.concurrency,
        localQueue: { size: JOBS.queue, ttl: 5000 },
        completeJobBatchDelay: JOBS.batchDelay,
        pollInterval: 100,
      },
    },
    // enqueued above
    taskList: { publish: async (payload) => await publish((payload as { id: string }).id) },
  })
  const stop = async () => {
    await runner.stop()
    await pool.end()
  }
  return { stop }

  async function publish(id: string): Promise<void> {
    const started = systemClock.now()
    const attempt = crypto.randomUUID()
    const { rows } = await pool.query<JobPost>({
      name: 'job begin',
      text: BEGIN,
      values: [house.orgId, id, platform.publish.chooseSendKey(started), started, attempt],
    })
    const [post] = rows
    if (!post) throw new Error('no post')
    const secret = openSecret(
      testKeys,
      { orgId: post.org_id, channelId: post.channel_id },
      { keyId: post.key_id, sealed: post.sealed },
    )
    const account = { remoteId: post.account_id, handle: post.handle, service: post.service }
    const reach = { fetch, signal: AbortSignal.timeout(60_000) }
    const outgoing = {
      postId: id,
      postType: 'post' as PostType,
      contents: post.contents.map(({ text }) => ({ text, media: [] })),
      details: {},
      firstComment: null,
      extraMedia: new Map(),
      createdAt: started,
      sendKey: platform.publish.chooseSendKey(started),
      progress: {},
    }
    const sent = await platform.publish.send(reach, secret, account, outgoing)
    if (sent.kind !== 'sent') throw new Error(sent.kind)
    await pool.query({
      name: 'job sent',
      text: SENT,
      values: [post.org_id, id, post.fence, sent.remoteId, systemClock.now()],
    })
    const read = await platform.publish.readBack(reach, secret, account, outgoing, sent.remoteId)
    if (read.kind !== 'live') throw new Error(read.kind)
    await pool.query({
      name: 'job done',
      text: DONE,
      values: [post.org_id, id, post.fence, read.permalink, systemClock.now(), attempt, started],
    })
  }
}
