import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  deleteReply,
  editReply,
  hideItem,
  reactToItem,
  confirmReply,
  retryReply,
  sendReply,
} from '#contract/inbox/replies.ts'
import type { EndpointShape } from '#contract/endpoint.ts'
import type { ReplyState } from '#contract/inbox/terms.ts'
import { createNotification } from '../../notifications/create.ts'
import { because } from '#contract/failures/catalog.ts'
import type { Platform } from '../../platforms/platform.ts'
import { composePlatforms, hostsOf } from '../../platforms/registry.ts'
import { createSafeFetch } from '../../platforms/safeFetch.ts'
import { simulated } from '../../platforms/simulated.ts'
import { startPublishing } from '../../publishing/start.ts'
import { seeded } from '../../simulators/bluesky/faults.ts'
import { startPlatforms, type RunningPlatforms } from '../../simulators/start.ts'
import type { SimulatedPost } from '../../simulators/world.ts'
import { urlOf } from '../../testing/client.ts'
import { signInToPages } from '../../testing/pages.ts'
import type { TestHome } from '../../testing/people.ts'
import { makeChannels, quietLog } from '../../testing/publishing.ts'
import type { ReplyLine, ReplyOrder } from '../../testing/replyWorker.ts'
import { startApp, type TestApp } from '../../testing/startApp.ts'
import { until } from '../../testing/until.ts'
import { readDueInboxes } from '../read.ts'
import { itemChangeSubject, replyChangeSubject } from './changeSubjects.ts'
import { replySubject } from './subject.ts'

/*
 * Requests about replies are killed (SIGKILL) before each of their steps: each statement and each call to the platform,
 * which runs in this process and survives. Before one step is after the previous one. A child process takes as many
 * requests as there are steps, each for another Facebook Page, and each halts before a different step; then the process is
 * killed. Nodes continue what is left, and people repeat their requests as their browsers do. Facebook knows no key of ours.
 */

/** More than any of the requests has steps. */
const PAGES = 44
const SEED = Math.floor(Math.random() * 2 ** 30)
const NODE_KILLS = 4

let outside: RunningPlatforms
let app: TestApp
let home: TestHome
let facebook: Platform
let pages: { pageId: string; channelId: string }[]
let workers: ChildProcess[] = []
beforeAll(async () => {
  outside = await startPlatforms({ now: () => app.clock.now().getTime() })
  const platforms = composePlatforms({ plcDirectory: outside.base, publicUrl: 'http://rookery.test' })
  const adapter = platforms('facebook')
  if (!adapter) throw new Error('no adapter of Facebook')
  facebook = { ...adapter, budgets: [] }
  app = await startApp({
    platforms: { facebook },
    fetch: simulated(createSafeFetch({ allow: [outside.allow] }), hostsOf(platforms), outside.base),
  })
  home = await app.signedInOwner()
  await app.database.owner.query("update plan set plan_id = 'team', status = 'ACTIVE' where org_id = $1", [home.orgId])
  const signedIn = await signInToPages(outside, adapter, app.parts.fetch, PAGES)
  const house = { ...home, personId: home.person.personId }
  const channels = await makeChannels(app.database.owner, house, PAGES, {
    now: app.clock.now(),
    platform: 'facebook',
    accounts: signedIn.map(({ account }) => account),
    secret: (_, i) => signedIn[i]?.secret ?? {},
    keys: app.parts.secrets,
  })
  pages = channels.map(({ channelId, did }) => ({ channelId, pageId: did }))
  await read()
}, 120_000)
afterEach(async () => {
  await Promise.all(workers.map(kill))
  workers = []
})
afterAll(async () => {
  await app.close()
  await outside.stop()
})

const world = () => outside.platform('facebook').state
const as = () => ({ as: home.person })

/** Reads everything now, without time passing, which would make pending replies late. */
async function read(): Promise<void> {
  await app.database.owner.query("update inbox_cursor set next_at = $1 where next_at < 'infinity'", [app.clock.now()])
  const context = { ...app.parts, signal: new AbortController().signal }
  while ((await readDueInboxes(app.parts, context)) > 0);
}

async function kill(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return
  const ended = once(worker, 'exit')
  worker.kill('SIGKILL')
  await ended
}

/** Someone comments on each Page, and it's read. */
async function receiveQuestions(): Promise<Question[]> {
  const now = app.clock.now().getTime()
  const asker = world().accounts[0]?.id ?? ''
  const questions = pages.map(({ pageId, channelId }, i) => {
    const post = world().publish(
      { id: `${pageId}_${world().nextId()}`, account: pageId, kind: 'post', text: 'Our post' },
      now,
    )
    const comment = world().publish({ account: asker, kind: 'comment', text: `Question ${i}`, parent: post.id }, now)
    return { pageId, channelId, comment, text: `Answer ${i} ${randomUUID()}`, replyId: randomUUID() }
  })
  await read()
  const { rows } = await app.database.owner.query<{ remote_id: string; id: string; conversation_id: string }>(
    'select remote_id, id, conversation_id from inbox_item where remote_id = any($1)',
    [questions.map(({ comment }) => comment.id)],
  )
  const items = new Map(rows.map((row) => [row.remote_id, row]))
  return questions.map((one) => {
    const item = items.get(one.comment.id)
    if (!item) throw new Error('a question was not read')
    return { ...one, itemId: item.id, conversationId: item.conversation_id }
  })
}
type Question = {
  pageId: string
  channelId: string
  comment: SimulatedPost
  text: string
  replyId: string
  itemId: string
  conversationId: string
}

type ApiRequest = { endpoint: EndpointShape; params: Record<string, string>; body?: object }
const replying = ({ conversationId, replyId, text }: Question): ApiRequest => ({
  endpoint: sendReply,
  params: { conversationId },
  body: { replyId, text },
})
const call = ({ endpoint, params, body }: ApiRequest) =>
  app.send(endpoint, { params: { ...home.params, ...params }, body }, as())

function startWorker(work: Pick<ReplyOrder, 'requests' | 'diesAt'>): ChildProcess & { lines: ReplyLine[] } {
  const order: ReplyOrder = {
    settings: app.database.settings,
    dataDir: app.dataDir,
    now: app.clock.now().getTime(),
    simulators: outside.base,
    ...work,
  }
  const file = fileURLToPath(new URL('../../testing/replyWorker.ts', import.meta.url))
  const worker = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] })
  workers.push(worker)
  worker.stdin.end(JSON.stringify(order))
  const lines: ReplyLine[] = []
  // each line is one of the worker's own
  createInterface(worker.stdout).on('line', (line) => lines.push(JSON.parse(line) as ReplyLine))
  return Object.assign(worker, { lines })
}

/** Lets a process take the requests, each up to another step, and kills it. Those that have fewer steps come to their end. */
async function runKilled(requests: readonly ApiRequest[]): Promise<void> {
  const worker = startWorker({
    requests: requests.map(({ endpoint, params, body }, i) => ({
      // the endpoints of replies are none that only read
      method: endpoint.method as 'POST' | 'PUT' | 'DELETE',
      url: urlOf(endpoint, { params: { ...home.params, ...params } }),
      body,
      headers: {
        'content-type': 'application/json',
        host: 'rookery.test',
        cookie: [...home.person.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      haltsAt: i + 1,
    })),
  })
  const { lines } = worker
  await until(() => lines.length === requests.length || worker.exitCode !== null, {
    deadline: 200_000,
    what: 'every request to halt or to end',
  })
  await kill(worker)
  const halted = lines.filter(({ reached }) => reached !== undefined)
  const ended = lines.slice(halted.length)
  // some had no step left to halt before, so none was left out
  expect(ended.filter(({ status }) => status !== 200)).toEqual([])
  expect(ended.length).toBeGreaterThan(0)
  // among them the platform's call
  expect(halted.filter(({ reached }) => /^(?:POST|DELETE) https:/.test(reached ?? ''))).toHaveLength(1)
}

/** A node continues until it's killed before its nth statement or has nothing left to do. */
async function runKilledNode(diesAt: number): Promise<void> {
  const { rows } = await app.database.owner.query<{ last: Date | null }>('select max(step_at) as last from delivery')
  // the leases of the previous one have ended
  if (rows[0]?.last && rows[0].last > app.clock.now()) app.clock.set(rows[0].last)
  const worker = startWorker({ diesAt })
  const isDone = async () =>
    worker.signalCode === 'SIGKILL' ||
    (await app.database.owner.query('select from delivery where step is not null and step_at <= $1', [app.clock.now()]))
      .rowCount === 0
  await until(isDone, { deadline: 60_000, what: `a node to die at statement ${diesAt}` })
  await kill(worker)
}

/** A node continues until nothing is left to do. Time passes from one due step to the next. */
async function finishDeliveries(platform: Platform = facebook): Promise<void> {
  const { databases, secrets, fetch, apps } = app.parts
  const { clock } = app
  const node = await startPublishing({
    isAsApproved: () => true,
    subjects: [replySubject(), replyChangeSubject, itemChangeSubject],
    databases,
    clock,
    platforms: [platform],
    secrets,
    apps,
    media: async () => new Map(),
    fetch,
    notify: createNotification,
    log: quietLog,
    options: { poll: 10, clockTolerance: 0, watchdog: 0, heartbeat: 600_000_000 },
  })
  const isThrough = async () => {
    const { rows } = await app.database.owner.query<{ left: number; busy: boolean; next: Date | null }>(
      `select count(*) filter (where step is not null)::int as left, min(step_at) as next,
         exists (select from attempt where node_id = $1 and finished_at is null) as busy from delivery`,
      [node.nodeId],
    )
    const [at] = rows
    if (!at || at.busy) return false
    if (at.left === 0) return true
    if (at.next && at.next > clock.now()) clock.set(at.next)
    return false
  }
  try {
    await until(isThrough, { deadline: 60_000, what: 'nothing to be left' })
  } finally {
    await node.stop({ drain: 1000 })
  }
}

type StoredReply = { replyId: string; state: ReplyState; remoteId: string | null; items: string[] }
/** What the inbox says of each reply, and which items of ours its conversation has. */
async function storedReplies(questions: readonly Question[]): Promise<StoredReply[]> {
  const { rows } = await app.database.owner.query<{
    id: string
    state: ReplyState
    remote_id: string
    items: string[]
  }>(
    `select r.id, r.state, r.remote_id, array(select i.text from inbox_item i where i.org_id = r.org_id and i.conversation_id = r.conversation_id
       and i.direction = 'sent' and i.deleted_at is null order by i.at) as items
     from reply r where r.id = any($1)`,
    [questions.map(({ replyId }) => replyId)],
  )
  return rows.map(({ id, remote_id: remoteId, ...row }) => ({ replyId: id, remoteId, ...row }))
}
const onFacebook = ({ text }: Pick<Question, 'text'>) => world().live((post) => post.text === text)

/** Replies that aren't on the platform and in the inbox exactly once. */
async function mistakes(questions: readonly Question[]): Promise<object[]> {
  const rows = new Map((await storedReplies(questions)).map((row) => [row.replyId, row]))
  return questions.flatMap((one) => {
    const row = rows.get(one.replyId)
    const there = onFacebook(one)
    const isRight =
      there.length === 1 &&
      row?.state === 'SENT' &&
      row.remoteId === there[0]?.id &&
      row.items.length === 1 &&
      row.items[0] === one.text
    return isRight ? [] : [{ text: one.text, there: there.length, ...row }]
  })
}

describe('a reply whose request is killed before any of its steps', { timeout: 600_000 }, () => {
  it('is sent exactly once and is one item, whether its echo or its acknowledgment comes first', async () => {
    const questions = await receiveQuestions()
    await runKilled(questions.map(replying))
    await read()
    await finishDeliveries()
    for (const one of questions) await call(replying(one))
    await finishDeliveries()
    await read()
    expect(await mistakes(questions)).toEqual([])
  })

  it('is sent exactly once while the nodes that continue are killed as well', async () => {
    const random = seeded(SEED)
    const questions = await receiveQuestions()
    await runKilled(questions.map(replying))
    for (let kills = 0; kills < NODE_KILLS; kills++) await runKilledNode(1 + Math.floor(random() * 40))
    await finishDeliveries()
    for (const one of questions) await call(replying(one))
    await finishDeliveries()
    await read()
    expect(await mistakes(questions), `seed ${SEED}`).toEqual([])
  })

  it('is left to a person if the platform cannot be asked: none is sent twice, and none is lost', async () => {
    const questions = await receiveQuestions()
    await runKilled(questions.map(replying))
    await finishDeliveries(withoutLookup())
    for (const one of questions) await call(replying(one))
    await finishDeliveries(withoutLookup())
    expect(questions.filter((one) => onFacebook(one).length > 1)).toEqual([])
    const rows = await storedReplies(questions)
    const unsure = rows.filter(({ state }) => state !== 'SENT')
    expect(new Set(unsure.map(({ state }) => state))).toEqual(new Set(['UNCONFIRMED']))
    for (const { replyId } of unsure) {
      const there = questions.filter((one) => one.replyId === replyId).flatMap(onFacebook).length
      await call({ endpoint: confirmReply, params: { replyId }, body: { sent: there === 1 } })
      if (there === 0) await call({ endpoint: retryReply, params: { replyId } })
    }
    await read()
    expect(await mistakes(questions)).toEqual([])
  })

  it('would be sent twice if the claim left it to be sent again', async () => {
    const { rows } = await app.database.owner.query<{ text: string }>(
      "select pg_get_functiondef('claim_delivery'::regproc) as text",
    )
    const [{ text } = { text: '' }] = rows
    const careless = text.replace("step = 'reconcile'", "step = 'send'")
    expect(careless).not.toBe(text)
    const questions = await receiveQuestions()
    await app.database.owner.query(careless)
    try {
      await runKilled(questions.map(replying))
      await finishDeliveries()
    } finally {
      await app.database.owner.query(text)
    }
    expect(questions.filter((one) => onFacebook(one).length > 1)).not.toEqual([])
  })
})

describe('a change whose request is killed before any of its steps', { timeout: 600_000 }, () => {
  it('is made on the platform and in the inbox, or in neither: an edit, hiding, a like, a deletion', async () => {
    const questions = await receiveQuestions()
    for (const one of questions) await call(replying(one))
    expect(await mistakes(questions)).toEqual([])
    for (const { request, onPlatform, inInbox } of changes) {
      await runKilled(questions.map(request))
      await finishDeliveries()
      const [before, ours] = [onPlatform(questions), await inInbox(questions)]
      expect(ours).toEqual(before)
      // people whose request got no answer repeat it
      for (const [i, one] of questions.entries()) if (before[i] !== true) await call(request(one))
      expect([onPlatform(questions), await inInbox(questions)]).toEqual([
        questions.map(() => true),
        questions.map(() => true),
      ])
    }
  })
})

/** Facebook, where nobody is shown what the account wrote, as Instagram does with replies to mentions. */
function withoutLookup(): Platform {
  const { inbox } = facebook
  if (!inbox?.replies) throw new Error('Facebook takes no replies')
  const reason = because('inbox-reply-unseen', { platform: 'Facebook' })
  return {
    ...facebook,
    inbox: { ...inbox, replies: { ...inbox.replies, reconcile: async () => ({ kind: 'rejected', reason }) } },
  }
}

const edited = ({ text }: Question) => `${text}, edited`
const sentOf = ({ comment }: Question) => [...world().posts.values()].find(({ parent }) => parent === comment.id)

/** Each change as a request, and whether it was made on the platform and in the inbox. */
const changes: {
  request: (one: Question) => ApiRequest
  onPlatform: (questions: readonly Question[]) => boolean[]
  inInbox: (questions: readonly Question[]) => Promise<boolean[]>
}[] = [
  {
    request: (one) => ({ endpoint: editReply, params: { replyId: one.replyId }, body: { text: edited(one) } }),
    onPlatform: (questions) => questions.map((one) => sentOf(one)?.text === edited(one)),
    inInbox: (questions) => checkEach(questions, 'r.text = $2 and s.text = $2', edited),
  },
  {
    request: ({ conversationId, itemId }) => ({
      endpoint: hideItem,
      params: { conversationId },
      body: { itemId, hidden: true },
    }),
    onPlatform: (questions) => questions.map(({ comment }) => comment.more.hidden === true),
    inInbox: (questions) => checkEach(questions, 'i.hidden'),
  },
  {
    request: ({ conversationId, itemId }) => ({
      endpoint: reactToItem,
      params: { conversationId },
      body: { itemId, reaction: 'LIKE' },
    }),
    onPlatform: (questions) => questions.map(({ comment }) => comment.more.liked === true),
    inInbox: (questions) => checkEach(questions, "i.reaction is not distinct from 'LIKE'"),
  },
  {
    request: ({ replyId }) => ({ endpoint: deleteReply, params: { replyId } }),
    onPlatform: (questions) => questions.map((one) => sentOf(one)?.deleted === true),
    inInbox: (questions) => checkEach(questions, "r.state = 'DELETED' and s.deleted_at is not null and s.text is null"),
  },
]

/** Whether the SQL condition is true for each reply `r`, the question `i` that it answers, and its own item `s`. */
async function checkEach(
  questions: readonly Question[],
  condition: string,
  text: (one: Question) => string = () => '',
): Promise<boolean[]> {
  const answers = []
  for (const one of questions) {
    const { rows } = await app.database.owner.query<{ holds: boolean }>(
      `select ${condition} as holds from reply r join inbox_item i on i.id = r.item_id join inbox_item s on s.channel_id = r.channel_id and s.remote_id = r.remote_id
       where r.id = $1 and $2::text is not null`,
      [one.replyId, text(one)],
    )
    answers.push(rows.length === 1 && rows[0]?.holds === true)
  }
  return answers
}
