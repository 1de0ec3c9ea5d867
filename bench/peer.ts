import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import { Pool } from 'pg'
import { clientConfig } from '#server/db/pools.ts'
import { postRoutes } from '#server/posts/routes.ts'
import { manyPosts } from '#server/testing/manyPosts.ts'
import { compare, CONNECTIONS, cookieOf, FROM, shelve, TO, type Target } from './_listing.ts'
import { openStage } from './_stage.ts'

/*
 * A month of 850 posts on 10 channels with 6 labels, as requests a second and as bytes, beside a small server of our own
 * that does what the best open peer was measured to do: a statement each for session, membership and posts, rows with
 * their channel and labels nested in each, put together as objects and written as 577 kB of JSON for every request. Both
 * run on this machine in one run, in turns; the ratio counts. The month is measured three times: each request for another
 * range, so that it's read from the database; the same again, which the node sends from memory after a check; and with its ETag (304).
 */
const POSTS = 850
const TURNS = process.argv.includes('--short') ? 8 : 40
/** Required ratios; the aim is 20 for the month, and 2,500 unchanged months a second. Bytes. */
const TARGET = { fresh: 3, again: 10, unchanged: 15, json: 180_000, sent: 35_000 }
/** The peer's reply per post, in bytes. */
const PEER_POST = 677

const stage = await openStage((deps) => postRoutes(deps), { holds: true })
const pool = new Pool({
  ...clientConfig(stage.database.settings.owner, 'peer'),
  max: stage.parts.databases.web.options.max,
})
pool.on('error', () => {})
const peer = peerServer(pool)

try {
  const { builders, content, owner, origin } = stage
  const home = await builders.signedInOwner()
  const channels: string[] = []
  for (let i = 0; i < 10; i += 1) channels.push(await content.channel(home))
  for (const from of ['2026-09-01T00:00:00.000Z', '2026-10-01T00:00:00.000Z', FROM, '2026-12-01T00:00:00.000Z'])
    await manyPosts(owner, home, channels, { from, days: 29, count: POSTS })
  await shelve(owner)
  await owner.query('vacuum analyze')

  const path = `/api/${home.orgId}/project/${home.projectId}/post?from=${FROM}&to=${TO}&view=month`
  const month: Target = { origin, path, cookie: cookieOf(home.person) }
  const reference: Target = {
    origin: await listen(peer),
    path: `/${home.orgId}/${home.projectId}/${home.person.personId}`,
    cookie: '',
  }
  const first = await sizeOf(month, 'identity')
  const [br, gzip, theirs] = [
    await sizeOf(month, 'br'),
    await sizeOf(month, 'gzip'),
    await sizeOf(reference, 'identity'),
  ]
  const other = { ...month, path: month.path.replace(TO, TO.replace('000Z', '{n}Z')) }
  const fresh = await compare(other, reference, ['month read again', 'reference'], TURNS)
  const again = await compare(month, reference, ['month sent again', 'reference'], TURNS)
  const held = { ...month, tag: first.tag }
  const unchanged = await compare(held, reference, ['unchanged month', 'reference'], TURNS)
  console.log(`month read again, ${CONNECTIONS} connections: ratio ${fresh.toFixed(1)} (target ${TARGET.fresh})`)
  console.log(`month sent again: ratio ${again.toFixed(1)} (target ${TARGET.again})`)
  console.log(`unchanged month: ratio ${unchanged.toFixed(1)} (target ${TARGET.unchanged})`)
  console.log(
    `bytes: ${first.bytes} as JSON, ${br.bytes} brotli, ${gzip.bytes} gzip; reference ${theirs.bytes} as JSON`,
  )
  const isSlow = fresh < TARGET.fresh || again < TARGET.again || unchanged < TARGET.unchanged
  if (isSlow || first.bytes > TARGET.json || br.bytes > TARGET.sent) process.exitCode = 1
} finally {
  peer.close()
  await pool.end()
  await stage.close()
}

async function sizeOf({ origin, path, cookie }: Target, encoding: string): Promise<{ bytes: number; tag: string }> {
  const { body, headers } = await request(origin + path, { headers: { cookie, 'accept-encoding': encoding } })
  return { bytes: (await body.arrayBuffer()).byteLength, tag: String(headers.etag ?? '') }
}

/** The peer's shapes, without its framework, whose cost is left out in its favor. */
function peerServer(database: Pool): Server {
  const answer = async (url: string) => {
    const [, orgId, projectId, personId] = url.split('/')
    await database.query({ name: 'session', text: 'select * from person where id = $1', values: [personId] })
    await database.query({
      name: 'membership',
      text: 'select * from member m join organization o using (org_id) where m.org_id = $1 and m.person_id = $2',
      values: [orgId, personId],
    })
    const { rows } = await database.query({
      name: 'posts',
      text: `select p.id, p.excerpt as content, p.shown_at as "publishDate", p.permalink as "releaseURL", p.state, p.series_id as "group",
          (select json_build_object('id', c.id, 'providerIdentifier', c.platform, 'name', c.name, 'picture', c.picture_url, 'handle', c.handle) from channel c where c.org_id = p.org_id and c.id = p.channel_id) as integration,
          (select coalesce(json_agg(json_build_object('tag', json_build_object('id', l.id, 'name', l.name, 'color', l.color))), '[]') from post_label pl join label l on l.org_id = pl.org_id and l.id = pl.label_id where pl.org_id = p.org_id and pl.post_id = p.id) as tags
        from post p where p.org_id = $1 and p.project_id = $2 and p.shown_at >= $3 and p.shown_at < $4 order by p.shown_at`,
      values: [orgId, projectId, FROM, TO],
    })
    return JSON.stringify({ posts: rows.map((row) => ({ ...row, settings: filling(PEER_POST, row) })) })
  }
  return createServer((incoming, response) => {
    answer(incoming.url ?? '').then(
      (json) => response.writeHead(200, { 'content-type': 'application/json' }).end(json),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
}

/** Padding up to the size of the peer's post. */
function filling(bytes: number, row: unknown): string {
  return 'x'.repeat(Math.max(0, bytes - JSON.stringify(row).length - 15))
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    // listening on a port, the address is an object
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
}
