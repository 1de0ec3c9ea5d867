import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'pg'
import { Pool as HttpPool } from 'undici'
import { clientConfig } from '#server/db/pools.ts'
import { foldInboxCounts } from '#server/inbox/foldCounts.ts'
import { inboxRoutes } from '#server/inbox/routes.ts'
import { cookieOf } from './_listing.ts'
import { fillInbox } from './_inbox.ts'
import { openStage } from './_stage.ts'

/*
 * The inbox of a project with 100,000 open conversations on ten channels, and 1,000,000 items: pages of the list, each filter
 * alone and pairs that hurt, a search, a conversation, and the counts of the rail, over HTTP. Each has a fixed limit of what
 * a person doesn't notice, for the 95th of a hundred calls. In the same run and in turns, a bare node:http server answers 50
 * rows of a plain query: on a machine where that takes longer than PLAIN, limits are longer by as much.
 */
const LIMITS = { list: 50, counts: 20, filter: 100, search: 150, conversation: 50 }
/** What the plain reference takes where these limits were chosen, milliseconds of the 95th. */
const PLAIN = 5
const isShort = process.argv.includes('--short')
const CONVERSATIONS = isShort ? 10_000 : 100_000
const ITEMS = 10
const CALLS = isShort ? 40 : 100

const stage = await openStage((deps) => inboxRoutes(deps))
const { builders, content, owner, origin, parts: deps, database } = stage
const barePool = new Pool({ ...clientConfig(database.settings.owner, 'bare'), max: 8 })
let plain: { text: string; values: unknown[] } = { text: '', values: [] }
const bare = createServer((_request, response) => {
  barePool.query({ name: 'plain', ...plain }).then(
    ({ rows }) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rows)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})

type Kind = keyof typeof LIMITS
try {
  const [home, other] = [await builders.signedInOwner(), await builders.signedInOwner()]
  const began = performance.now()
  const { channels, labels, postId } = await fillInbox(owner, content, home, CONVERSATIONS, ITEMS)
  await fillInbox(owner, content, other, CONVERSATIONS / 10, ITEMS)
  await foldInboxCounts({ databases: deps.databases, signal: new AbortController().signal })
  await owner.query('vacuum analyze')
  console.log(
    `${CONVERSATIONS.toLocaleString('en')} open conversations and as many closed ones, ${(2 * CONVERSATIONS * ITEMS).toLocaleString('en')} items, a tenth as many of another tenant, in ${((performance.now() - began) / 1000).toFixed(0)} s`,
  )
  const bareOrigin = await new Promise<string>((resolve) => {
    // listening on a port, the address is an object
    bare.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(bare.address() as AddressInfo).port}`))
  })
  plain = {
    text: `select c.id, c.preview, c.last_at, p.name from conversation c left join inbox_person p on p.org_id = c.org_id and p.id = c.person_id
      where c.org_id = $1 and c.project_id = $2 and c.status = 'OPEN' order by c.last_at desc, c.id desc limit 50`,
    values: [home.orgId, home.projectId],
  }
  const { rows: some } = await owner.query<{ id: string; mark: string }>(
    `select id, (extract(epoch from last_at) * 1000000)::bigint::text || '_' || id as mark from conversation where org_id = $1 and status = 'OPEN' order by last_at desc limit 1 offset $2`,
    [home.orgId, CONVERSATIONS / 2],
  )
  const [opened, deep] = [some[0]?.id ?? '', some[0]?.mark ?? '']
  const [rare, usual, wide] = labels
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const pages: Record<string, [Kind, string]> = {
    'the newest': ['list', ''],
    'open ones': ['list', 'status=OPEN'],
    'a page in the middle': ['list', `status=OPEN&after=${deep}`],
    'the oldest': ['list', 'status=OPEN&sort=oldest'],
    'waiting longest': ['list', 'sort=waiting'],
    'of a channel': ['filter', `status=OPEN&channelId=${channels[3]}`],
    'of a platform': ['filter', 'status=OPEN&platform=mastodon'],
    'reviews (none but ten)': ['filter', 'kind=review'],
    messages: ['filter', 'kind=message&status=OPEN'],
    'negative ones (ten)': ['filter', 'sentiment=negative&status=OPEN'],
    'not judged': ['filter', 'sentiment=unknown'],
    'answered, open': ['filter', 'answered=true&status=OPEN'],
    'not answered, closed (none)': ['filter', 'answered=false&status=CLOSED'],
    unread: ['filter', 'unread=true&status=OPEN'],
    'unread, closed (20)': ['filter', 'unread=true&status=CLOSED'],
    read: ['filter', 'unread=false&status=OPEN'],
    mine: ['filter', 'assignee=me&status=OPEN'],
    'unassigned (20)': ['filter', 'assignee=nobody&status=OPEN'],
    'to follow up (none)': ['filter', 'status=FOLLOWUP'],
    'of a day a year ago': ['filter', `from=${ago(366)}&to=${ago(365)}`],
    'of a rare label': ['filter', `labels=${rare}`],
    'of a usual label': ['filter', `labels=${usual}&status=OPEN`],
    'of a label of a third': ['filter', `labels=${wide}&status=OPEN`],
    'about a post': ['filter', `postId=${postId}`],
    'not sent': ['filter', 'unsent=true'],
    'mentions that are negative (none)': ['filter', 'kind=mention&sentiment=negative'],
    'mine and negative': ['filter', 'assignee=me&sentiment=negative'],
    'unread messages, closed': ['filter', 'unread=true&kind=message&status=CLOSED'],
    'unread of a channel, closed': ['filter', `unread=true&status=CLOSED&channelId=${channels[3]}`],
    'unassigned reviews of a platform': ['filter', 'assignee=nobody&kind=review&platform=bluesky'],
    'waiting reviews': ['filter', 'sort=waiting&kind=review'],
    'waiting, negative, of a channel': ['filter', `sort=waiting&sentiment=negative&channelId=${channels[3]}`],
    'a rare word': ['search', 'q=heron'],
    'a usual word': ['search', 'q=rook'],
    'a rare and a usual word of a channel': ['search', `q=heron+rook&status=OPEN&channelId=${channels[3]}`],
  }
  const path = `/api/${home.orgId}/project/${home.projectId}/inbox`
  const cookie = cookieOf(home.person)
  const calls: [string, Kind, string][] = [
    ['the counts', 'counts', `${path}/counts`],
    ['a conversation', 'conversation', `${path}/${opened}`],
    ...Object.entries(pages).map(([name, [kind, search]]): [string, Kind, string] => [name, kind, `${path}?${search}`]),
  ]
  const pools = [origin, bareOrigin].map((each) => new HttpPool(each, { connections: 1, pipelining: 1 }))
  const ask = async (at: 0 | 1, route: string): Promise<number> => {
    const start = performance.now()
    const reply = await pools[at]?.request({ method: 'GET', path: route, headers: { cookie } })
    const text = await reply?.body.text()
    if (reply?.statusCode !== 200) throw new Error(`${route} answered ${reply?.statusCode}: ${text}`)
    return performance.now() - start
  }
  for (const [name, kind, route] of calls) {
    for (let i = 0; i < 5; i++) await Promise.all([ask(0, route), ask(1, '/')])
    const [mine, its]: [number[], number[]] = [[], []]
    for (let i = 0; i < CALLS; i++) {
      mine.push(await ask(0, route))
      its.push(await ask(1, '/'))
    }
    const slower = Math.max(1, late(its) / PLAIN)
    const limit = LIMITS[kind] * slower
    const isOver = late(mine) > limit
    if (isOver) process.exitCode = 1
    console.log(
      `${isOver ? 'TOO LONG ' : ''}${name}: ${late(mine).toFixed(1)} ms (limit ${limit.toFixed(0)} ms; the plain query ${late(its).toFixed(1)} ms)`,
    )
  }
  await Promise.all(pools.map((pool) => pool.close()))
} finally {
  bare.close()
  await barePool.end()
  await stage.close()
}

/** The 95th of a hundred. */
function late(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN
}
