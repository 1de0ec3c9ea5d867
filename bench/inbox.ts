import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RawBuilder } from 'kysely'
import { Pool } from 'pg'
import { Pool as HttpPool } from 'undici'
import { listConversations } from '#contract/inbox/conversations.ts'
import { systemRoles } from '#contract/permissions.ts'
import { asTenant } from '#server/db/tenant.ts'
import { clientConfig } from '#server/db/pools.ts'
import type { InboxReader } from '#server/inbox/access.ts'
import { pageQuery } from '#server/inbox/list.ts'
import { inboxRoutes } from '#server/inbox/routes.ts'
import type { TestHome } from '#server/testing/people.ts'
import { cookieOf } from './_listing.ts'
import { median, openStage } from './_stage.ts'

/*
 * The inbox of a project with 100,000 conversations and 1,000,000 items: pages of the list by filters, a conversation, and
 * the counts, over HTTP against a bare node:http server that passes the rows of the same query through (of a plain one for
 * a conversation), in turns. A page and a conversation may cost twice their bare query.
 */
const TARGET = 2
const isShort = process.argv.includes('--short')
const CONVERSATIONS = isShort ? 10_000 : 100_000
const ITEMS = 10
const PAIRS = isShort ? 40 : 200

const stage = await openStage((deps) => inboxRoutes(deps))
const { builders, content, owner, origin, parts: deps, database } = stage
const barePool = new Pool({ ...clientConfig(database.settings.owner, 'bare'), max: 8 })
let tenant = ''
// searching asks whose words
barePool.on('connect', (client) => void client.query("select set_config('app.org_id', $1, false)", [tenant]))
type Statement = { name: string; text: string; values: unknown[] }
const statements: Statement[] = []
const bare = createServer((request, response) => {
  const query = statements[Number((request.url ?? '').slice(1))]
  if (!query) {
    response.writeHead(404).end()
    return
  }
  barePool.query(query).then(
    ({ rows }) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rows)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})

try {
  const [home, other] = [await builders.signedInOwner(), await builders.signedInOwner()]
  tenant = home.orgId
  const began = performance.now()
  const { channels, labels } = await fill(home, CONVERSATIONS)
  await fill(other, CONVERSATIONS / 10)
  await owner.query('vacuum analyze')
  console.log(
    `${CONVERSATIONS.toLocaleString('en')} conversations, ${(CONVERSATIONS * ITEMS).toLocaleString('en')} items, a tenth as many of another tenant, in ${((performance.now() - began) / 1000).toFixed(0)} s`,
  )
  const bareOrigin = await new Promise<string>((resolve) => {
    // listening on a port, the address is an object
    bare.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(bare.address() as AddressInfo).port}`))
  })
  const asker = (tx: InboxReader['tx']): InboxReader => ({
    tx,
    org: home,
    project: { projectId: home.projectId, channelIds: null, permissions: systemRoles.admin.permissions, zone: 'UTC' },
    caller: home.person,
    now: new Date(),
  })
  const compiled = async (query: RawBuilder<unknown> | ((c: InboxReader) => RawBuilder<unknown>)) =>
    await asTenant(deps.databases.web, home.orgId, async (tx) =>
      (typeof query === 'function' ? query(asker(tx)) : query).compile(tx),
    )
  const path = `/api/${home.orgId}/project/${home.projectId}/inbox`
  const cookie = cookieOf(home.person)
  const plainItems = `select i.*, p.name, p.handle from inbox_item i left join inbox_person p on p.org_id = i.org_id and p.id = i.person_id where i.org_id = $1 and i.conversation_id = $2 order by i.at desc, i.id desc limit 51`
  const { rows: some } = await owner.query<{ id: string }>(
    'select id from conversation where org_id = $1 order by last_at desc limit 1 offset 777',
    [home.orgId],
  )
  const opened = some[0]?.id ?? ''
  const deep = await owner.query<{ mark: string }>(
    `select (extract(epoch from last_at) * 1000000)::bigint::text || '_' || id as mark from conversation where org_id = $1 order by last_at desc offset $2 limit 1`,
    [home.orgId, CONVERSATIONS / 2],
  )
  const [rare, usual, wide] = labels
  const pages: Record<string, string> = {
    'the newest': '',
    'open ones': 'status=OPEN',
    'open or to follow up': 'status=OPEN,FOLLOWUP',
    'waiting longest': 'sort=waiting',
    oldest: 'sort=oldest',
    'half way down': `after=${deep.rows[0]?.mark}`,
    'one of ten channels': `channelId=${channels[3]}`,
    'three channels, open': `channelId=${channels.slice(0, 3).join()}&status=OPEN`,
    'mine, open': 'assignee=me&status=OPEN',
    'of nobody, open': 'assignee=nobody&status=OPEN',
    'unread, open': 'unread=true&status=OPEN',
    unread: 'unread=true',
    'a label of 0.1%': `labels=${rare}`,
    'a label of 2%': `labels=${usual}`,
    'a label of 30%': `labels=${wide}`,
    'negative messages': 'sentiment=negative&kind=message',
    'a sentiment that none has, closed': 'sentiment=neutral&status=CLOSED',
    'a word of 0.5%': 'q=heron',
    'a word of all': 'q=rooks',
    'a letter': 'q=t',
    'two words, open, of a channel': `q=heron+rook&status=OPEN&channelId=${channels[3]}`,
  }
  let failed = false
  const compare = async (name: string, route: string, statement: { sql: string; parameters: readonly unknown[] }) => {
    statements.push({ name: `bare ${statements.length}`, text: statement.sql, values: [...statement.parameters] })
    const theirs = { origin: bareOrigin, path: `/${statements.length - 1}` }
    const took = await inTurns({ origin, path: route, cookie }, theirs)
    const ratio = took.mine / took.its
    if (ratio > TARGET) failed = true
    console.log(`${name}: ${took.mine.toFixed(1)} ms, bare ${took.its.toFixed(1)} ms, ${ratio.toFixed(2)} times`)
  }
  for (const [name, search] of Object.entries(pages)) {
    const query = listConversations.query.parse(Object.fromEntries(new URLSearchParams(search)))
    await compare(name, `${path}?${search}`, await compiled((c) => pageQuery(c, query)))
  }
  await compare('a conversation', `${path}/${opened}`, { sql: plainItems, parameters: [home.orgId, opened] })
  const plainCounts = `select status, channel_id, assignee_id is null as free, count(*) from conversation c where org_id = $1 and project_id = $2 and status in ('OPEN', 'FOLLOWUP')
    and not exists (select from conversation_read r where r.org_id = c.org_id and r.person_id = $3 and r.conversation_id = c.id and r.up_to >= c.last_received_at) group by 1, 2, 3`
  await compare('the counts', `${path}/counts`, {
    sql: plainCounts,
    parameters: [home.orgId, home.projectId, home.person.personId],
  })
  console.log(`target: at most ${TARGET} times each`)
  if (failed) process.exitCode = 1
} finally {
  bare.close()
  await barePool.end()
  await stage.close()
}

type Target = { origin: string; path: string; cookie?: string }
async function inTurns(product: Target, plain: Target): Promise<{ mine: number; its: number }> {
  const pools = [product, plain].map((target) => new HttpPool(target.origin, { connections: 1, pipelining: 1 }))
  const ask = async (at: 0 | 1, { path, cookie }: Target): Promise<number> => {
    const begun = performance.now()
    const reply = await pools[at]?.request({ method: 'GET', path, headers: cookie ? { cookie } : {} })
    const text = await reply?.body.text()
    if (reply?.statusCode !== 200) throw new Error(`${path} answered ${reply?.statusCode}: ${text}`)
    return performance.now() - begun
  }
  for (let i = 0; i < 5; i++) await Promise.all([ask(0, product), ask(1, plain)])
  const [mine, its]: [number[], number[]] = [[], []]
  for (let pair = 0; pair < PAIRS; pair++) {
    mine.push(await ask(0, product))
    its.push(await ask(1, plain))
  }
  await Promise.all(pools.map((pool) => pool.close()))
  return { mine: median(mine), its: median(its) }
}

/** Two years of conversations with ten items each on ten channels: 4% open, 1% to follow up, labels of 0.1, 2 and 30 percent. */
async function fill(home: TestHome, count: number) {
  const { orgId, projectId, person } = home
  const channels: string[] = []
  for (let i = 0; i < 10; i++) channels.push(await content.channel(home))
  const { rows: made } = await owner.query<{ id: string }>(
    "insert into label (org_id, id, project_id, name, color, created_at) select $1, uuidv7(), $2, 'Label ' || n, 'blue', now() from generate_series(1, 3) n returning id",
    [orgId, projectId],
  )
  const labels = made.map(({ id }) => id)
  await owner.query(
    `insert into inbox_person (org_id, id, channel_id, remote_id, name, handle) select $1, uuidv7(), c.id, 'p' || n, 'Person ' || n, '@person' || n || '.example'
     from unnest($2::uuid[]) c(id), generate_series(1, ${count / 50}) n`,
    [orgId, channels],
  )
  await owner.query(
    `with people as materialized (select id, channel_id, row_number() over (partition by channel_id order by id) as nth from inbox_person where org_id = $1)
     insert into conversation (org_id, id, project_id, channel_id, kind, thread_key, person_id, status, follow_up_on, assignee_id, last_at, last_direction, preview, last_received_at,
       unanswered, waiting_since, answered, sentiment, sentiment_by, created_at)
     select $1, uuidv7(), $2, t.channel_id, case n % 5 when 0 then 'message' when 1 then 'mention' else 'comment' end, 't' || n, p.id, case when n % 25 = 0 then 'OPEN' when n % 100 = 1 then 'FOLLOWUP' else 'CLOSED' end,
       case when n % 25 <> 0 and n % 100 = 1 then date '2030-01-01' end, case when n % 50 = 0 then $4::uuid end, t.at, case when n % 25 = 0 then 'received' else 'sent' end, 'The rooks come back to the old elms in autumn, don''t they?', t.at,
       case when n % 25 = 0 then 1 else 0 end, case when n % 25 = 0 then t.at end, n % 25 <> 0, case n % 20 when 0 then 'negative' when 1 then 'positive' end, case when n % 20 < 2 then 'words' end, t.at
     from generate_series(1, $5::int) n cross join lateral (select ($3::uuid[])[1 + n % 10] as channel_id, now() - n * interval '730 days' / $5::int as at) t
     join people p on p.channel_id = t.channel_id and p.nth = 1 + n % ${count / 50}`,
    [orgId, projectId, channels, person.personId, count],
  )
  await owner.query(
    `insert into inbox_item (org_id, id, conversation_id, channel_id, remote_id, type, direction, person_id, text, at, received_at)
     select c.org_id, uuidv7(), c.id, c.channel_id, c.thread_key || '-' || n, case c.kind when 'message' then 'DIRECT_MESSAGE' else 'COMMENT' end, case when n % 2 = 0 then 'sent' else 'received' end,
       case when n % 2 = 1 then c.person_id end, case when hashtext(c.id::text) % 200 = 0 and n = 1 then 'A heron among the rooks' else 'The rooks come back to the old elms' end, c.last_at - (${ITEMS} - n) * interval '1 minute', c.last_at
     from conversation c, generate_series(1, ${ITEMS}) n where c.org_id = $1`,
    [orgId],
  )
  for (const [at, share] of [0.001, 0.02, 0.3].entries())
    await owner.query(
      'insert into conversation_label (org_id, conversation_id, label_id) select org_id, id, $2 from conversation where org_id = $1 and random() < $3',
      [orgId, labels[at], share],
    )
  await owner.query(
    "insert into conversation_read (org_id, person_id, conversation_id, up_to) select org_id, $2, id, last_at from conversation where org_id = $1 and (status <> 'OPEN' or random() < 0.5)",
    [orgId, person.personId],
  )
  return { channels, labels }
}
