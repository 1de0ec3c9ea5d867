import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Pool } from 'pg'
import { clientConfig, type ConnectionSettings } from '#server/db/pools.ts'
import type { TestHome } from '#server/testing/people.ts'

/*
 * A small server of our own that does what the best open peer was measured to do, without its framework, whose cost is left
 * out in its favor: a statement each for session, membership and what is asked for, rows with their channel and labels nested
 * in each, put together as objects and written as JSON for every request. A month of 850 posts is 577 kB of it. A post is
 * created in a transaction, with a job that will publish it.
 */

/** The peer's reply per post, in bytes. */
const PEER_POST = 677

export type ReferencePlace = { origin: string; month: string; path: string }
type Options = { home: TestHome; month: { from: string; to: string }; connections: number | undefined }

/** Starts it over the database, as its owner. */
export async function startReference(
  settings: ConnectionSettings,
  { home, month, connections }: Options,
): Promise<{ place: ReferencePlace; close(): Promise<void> }> {
  const pool = new Pool({
    ...clientConfig(settings, 'reference'),
    ...(connections !== undefined && { max: connections }),
  })
  pool.on('error', () => {})
  await pool.query(`
    create table peer_post (id uuid primary key, org_id uuid not null, project_id uuid not null, channel_id uuid not null, state text not null, at timestamptz not null, content text not null, settings jsonb not null, created_at timestamptz not null default now());
    create index on peer_post (org_id, project_id, at);
    create table peer_job (id uuid primary key, queue text not null, payload jsonb not null, run_at timestamptz not null);
    create index on peer_job (queue, run_at)`)
  const answer = async (request: IncomingMessage): Promise<string> => {
    await pool.query({ name: 'session', text: SESSION, values: [home.person.personId] })
    await pool.query({ name: 'membership', text: MEMBERSHIP, values: [home.orgId, home.person.personId] })
    if (request.method === 'POST') return await create(pool, home, JSON.parse(await text(request)))
    const id = /^\/post\/([\w-]+)$/.exec(request.url ?? '')?.[1]
    const { rows } = id
      ? await pool.query({ name: 'post', text: `${POSTS} and p.id = $3`, values: [home.orgId, home.projectId, id] })
      : await pool.query({
          name: 'posts',
          text: `${POSTS} and p.shown_at >= $3 and p.shown_at < $4 order by p.shown_at`,
          values: [home.orgId, home.projectId, month.from, month.to],
        })
    return JSON.stringify({ posts: rows.map((row) => ({ ...row, settings: filling(PEER_POST, row) })) })
  }
  const server = createServer((request, response) => {
    answer(request).then(
      (json) => response.writeHead(200, { 'content-type': 'application/json' }).end(json),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // listening on a port, the address is an object
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await pool.end()
  }
  return { place: { origin, month: '/month', path: '/post' }, close }
}

const SESSION = 'select * from person where id = $1'
const MEMBERSHIP = 'select * from member m join organization o using (org_id) where m.org_id = $1 and m.person_id = $2'
const POSTS = `select p.id, p.excerpt as content, p.shown_at as "publishDate", p.permalink as "releaseURL", p.state, p.series_id as "group",
    (select json_build_object('id', c.id, 'providerIdentifier', c.platform, 'name', c.name, 'picture', c.picture_url, 'handle', c.handle) from channel c where c.org_id = p.org_id and c.id = p.channel_id) as integration,
    (select coalesce(json_agg(json_build_object('tag', json_build_object('id', l.id, 'name', l.name, 'color', l.color))), '[]') from post_label pl join label l on l.org_id = pl.org_id and l.id = pl.label_id where pl.org_id = p.org_id and pl.post_id = p.id) as tags
  from post p where p.org_id = $1 and p.project_id = $2`

type NewPost = {
  channels: { channelId: string; contents: { text: string }[] }[]
  schedule: { details: { utc: string } }
}

/** Takes the body that the product takes. */
async function create(pool: Pool, home: TestHome, { channels, schedule }: NewPost): Promise<string> {
  const client = await pool.connect()
  try {
    const posts: { postId: string }[] = []
    await client.query('begin')
    for (const { channelId, contents } of channels) {
      await client.query({
        name: 'channel',
        text: 'select * from channel where org_id = $1 and id = $2',
        values: [home.orgId, channelId],
      })
      const id = randomUUID()
      const values = [
        id,
        home.orgId,
        home.projectId,
        channelId,
        schedule.details.utc,
        contents[0]?.text,
        JSON.stringify(contents),
      ]
      await client.query({
        name: 'insert post',
        text: "insert into peer_post (id, org_id, project_id, channel_id, state, at, content, settings) values ($1, $2, $3, $4, 'QUEUE', $5, $6, $7) returning *",
        values,
      })
      await client.query({
        name: 'insert job',
        text: "insert into peer_job (id, queue, payload, run_at) values ($1, 'publish', $2, $3)",
        values: [randomUUID(), JSON.stringify({ id }), schedule.details.utc],
      })
      posts.push({ postId: id })
    }
    await client.query('commit')
    return JSON.stringify({ posts })
  } finally {
    client.release()
  }
}

/** Padding up to the size of the peer's post. */
function filling(bytes: number, row: unknown): string {
  return 'x'.repeat(Math.max(0, bytes - JSON.stringify(row).length - 15))
}
