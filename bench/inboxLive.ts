import { createHmac } from 'node:crypto'
import { get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { Pool as HttpPool } from 'undici'
import { addressOf } from '#contract/address.ts'
import { listConversations } from '#contract/inbox/conversations.ts'
import { inboxCounts } from '#contract/inbox/counts.ts'
import { events } from '#contract/live.ts'
import type { Dependencies } from '#server/dependencies.ts'
import { readEnv } from '#server/env.ts'
import { inboxJobs } from '#server/inbox/jobs.ts'
import { readDueInboxes } from '#server/inbox/read.ts'
import { inboxRoutes } from '#server/inbox/routes.ts'
import { startJobs } from '#server/jobs/worker.ts'
import { liveRoutes } from '#server/live/routes.ts'
import { graphPush } from '#server/platforms/graphPush.ts'
import type { InboxChange } from '#server/platforms/inbox.ts'
import type { Platform } from '#server/platforms/platform.ts'
import { testPlatform } from '#server/testing/content.ts'
import { remoteItem } from '#server/testing/inbox.ts'
import { cookieOf } from './_listing.ts'
import { openStage } from './_stage.ts'

/*
 * What comes in, against a platform that answers at once with what was written since. 500 channels that are read every five
 * minutes, each with something new, may take a tenth of that time, of this process and PostgreSQL together. While 200 signed
 * notifications come in every second, each of a new comment, the list and the counts stay quick and nothing is lost. A
 * comment whose notification comes is in the list that an open screen reads after its live event within 2 s.
 */
const isShort = process.argv.includes('--short')
const LIMITS = { core: 0.1, notification: 200, list: 100, shown: 2_000 }
const CHANNELS = isShort ? 50 : 500
const SECONDS = isShort ? 5 : 20
const A_SECOND = 200
/** Channels of one organization. */
const EACH = 20
const SHOWN = isShort ? 5 : 20
const SECRET = 'hush'

/** What people have written to a Page and nobody has read yet. */
const written = new Map<string, InboxChange[]>()
let wrote = 0
function write(page: string): string {
  const text = `Comment ${(wrote += 1)}`
  const item = remoteItem({
    channelId: page,
    remoteId: `item-${wrote}`,
    from: `person${wrote % 500}`,
    text,
    at: new Date(),
  })
  written.set(page, [...(written.get(page) ?? []), item])
  return text
}
const platform: Platform = {
  ...testPlatform({ key: 'facebook' }),
  budgets: [],
  inbox: {
    reads: [['comment', 'mention'], ['message']],
    read: async (_reach, _secret, account, { kind }) => {
      const changes = kind === 'comment' ? (written.get(account.remoteId) ?? []) : []
      if (kind === 'comment') written.delete(account.remoteId)
      return { kind: 'read', changes, cursor: {}, more: false }
    },
  },
  push: graphPush({ feed: 'comment' }),
}
let parts: Dependencies | undefined
const stage = await openStage((deps) => {
  const variables = { FACEBOOK_CLIENT_ID: 'installed', FACEBOOK_CLIENT_SECRET: SECRET, LOG_LEVEL: 'silent' }
  parts = { ...deps, env: readEnv({ ...variables, DATA_DIR: deps.env.DATA_DIR }), platforms: () => platform }
  return [...inboxRoutes(parts), ...liveRoutes(parts)]
})
const { builders, content, owner, origin } = stage

try {
  if (!parts) throw new Error('the routes were not composed')
  const deps = parts
  const context = { ...deps, signal: new AbortController().signal }
  const home = await builders.signedInOwner()
  let of = home
  const pages: string[] = []
  for (let i = 0; i < CHANNELS; i++) {
    if (i > 0 && i % EACH === 0) of = await builders.signedInOwner()
    const page = `7${String(i).padStart(9, '0')}`
    const id = await content.channel(of, { remoteId: page, platform: 'facebook' })
    await owner.query("update lane set credentials = 'installed' where channel_id = $1", [id])
    pages.push(page)
  }
  const read = async () => {
    const began = performance.now()
    while ((await readDueInboxes(deps, context)) > 0);
    return (performance.now() - began) / 1000
  }
  await read()

  // every channel is due at once, which costs as much as one after the other
  for (const page of pages) write(page)
  await owner.query("update inbox_cursor set next_at = now() where kind in ('comment', 'message')")
  const share = ((await read()) / 300) * (500 / CHANNELS)
  say(
    `500 channels that are read every five minutes: ${(share * 100).toFixed(1)}% of a core (limit ${LIMITS.core * 100}%)`,
    share > LIMITS.core,
  )
  await owner.query("update inbox_cursor set next_at = now() + interval '6 hours' where next_at < 'infinity'")

  const jobs = await startJobs({ ...deps, jobs: inboxJobs(deps), heartbeat: 5000, alone: true })
  const cookie = cookieOf(home.person)
  const pool = new HttpPool(origin, { connections: 32, pipelining: 1 })
  const ask = async (path: string, body?: string): Promise<{ took: number; text: string }> => {
    const began = performance.now()
    const signature = body && createHmac('sha256', SECRET).update(body).digest('hex')
    const reply = await pool.request({
      method: body ? 'POST' : 'GET',
      path,
      ...(body ? { body } : {}),
      headers: body ? { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` } : { cookie },
    })
    const text = await reply.body.text()
    if (reply.statusCode !== 200) throw new Error(`${path} answered ${reply.statusCode}: ${text}`)
    return { took: performance.now() - began, text }
  }
  const notify = (page: string, id: string) =>
    ask(
      '/api/public/inbox/facebook/installed',
      JSON.stringify({
        object: 'page',
        entry: [{ id: page, time: Date.now(), changes: [{ field: 'feed', value: { id } }] }],
      }),
    )
  const list = addressOf(listConversations, { params: home.params, query: { status: 'OPEN' } })
  const counts = addressOf(inboxCounts, { params: home.params })

  // what is written while they come in, with a list and the counts ten times a second
  const [notifications, screens]: [Promise<number>[], Promise<number>[]] = [[], []]
  const before = wrote
  const began = performance.now()
  for (let n = 0; n < SECONDS * A_SECOND; n++) {
    const page = pages[n % EACH] ?? ''
    write(page)
    notifications.push(notify(page, String(n)).then(({ took }) => took))
    if (n % 20 === 0) for (const path of [list, counts]) screens.push(ask(path).then(({ took }) => took))
    await pause(Math.max(0, began + ((n + 1) * 1000) / A_SECOND - performance.now()))
  }
  const [told, shown] = [await Promise.all(notifications), await Promise.all(screens)]
  const seconds = (performance.now() - began) / 1000
  const stored = async () =>
    Number((await owner.query<{ n: string }>('select count(*) as n from inbox_item')).rows[0]?.n ?? 0)
  const ended = performance.now()
  while ((await stored()) < wrote && performance.now() - ended < 60_000) await pause(50)
  const behind = (performance.now() - ended) / 1000
  say(
    `${told.length.toLocaleString('en')} notifications, ${(told.length / seconds).toFixed(0)} a second: answered in ${late(told).toFixed(0)} ms (limit ${LIMITS.notification} ms), the list and the counts in ${late(shown).toFixed(0)} ms (limit ${LIMITS.list} ms)`,
    late(told) > LIMITS.notification || late(shown) > LIMITS.list || told.length / seconds < A_SECOND * 0.95,
  )
  say(
    `${(wrote - before).toLocaleString('en')} comments of ${(await stored()) < wrote ? 'which some are missing' : 'which all are stored'} ${behind.toFixed(1)} s after the last notification`,
    (await stored()) < wrote,
  )

  // from a notification to the list that the screen reads after its event
  const times: number[] = []
  for (let n = 0; n < SHOWN; n++) {
    const page = pages[n % EACH] ?? ''
    const text = write(page)
    const start = performance.now()
    const heard = nextEvent(`${origin}${addressOf(events, { params: home.params, query: {} })}`, cookie)
    await heard.ready
    await notify(page, `shown ${n}`)
    await heard.came
    while (!(await ask(list)).text.includes(`"${text}"`)) await pause(20)
    times.push(performance.now() - start)
  }
  say(
    `a comment is in the list of an open screen ${late(times).toFixed(0)} ms after its notification (limit ${LIMITS.shown} ms)`,
    late(times) > LIMITS.shown,
  )
  await pool.close()
  await jobs.stop()
} finally {
  await stage.close()
}

function say(text: string, isOver: boolean): void {
  if (isOver) process.exitCode = 1
  console.log(`${isOver ? 'NOT MET: ' : ''}${text}`)
}

/** The 95th of a hundred. */
function late(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN
}

/** Opens a screen's stream, and says when it's told of a conversation. */
function nextEvent(url: string, cookie: string): { ready: Promise<void>; came: Promise<void> } {
  const [ready, came] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const request = get(url, { headers: { cookie } }, (response) => {
    ready.resolve()
    response.setEncoding('utf8').on('data', (text: string) => {
      if (!text.includes('"conversation"')) return
      came.resolve()
      request.destroy()
    })
  }).on('error', (error) => {
    ready.reject(error)
    came.reject(error)
  })
  return { ready: ready.promise, came: came.promise }
}
