import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'pg'
import { clientConfig } from '#server/db/pools.ts'
import { postRoutes } from '#server/posts/routes.ts'
import { bytesOf, check, compare, CONNECTIONS, fill, FROM, TO } from './_listing.ts'
import { openStage } from './_stage.ts'

/*
 * Listing the 300 posts of a month over HTTP at 32 connections: the product (session, access, row-level security,
 * contract) against a bare node:http server that passes PostgreSQL's own JSON through with as many connections, in turns in
 * one run. The target is a ratio of 0.75. Both send it uncompressed; what browsers get is compressed and counted apart.
 */
const TARGET = 0.75
/** The maximum size of the compressed list on the wire, in bytes. */
const MOST_SENT = 15_000
const TURNS = process.argv.includes('--short') ? 16 : 80

const stage = await openStage((deps) => postRoutes(deps))
const { database } = stage
const barePool = new Pool({
  ...clientConfig(database.settings.owner, 'bare'),
  max: stage.parts.databases.web.options.max,
})
barePool.on('error', () => {})
const bare = bareServer(barePool)

try {
  const { home, cookie } = await fill(stage.builders, stage.content, stage.owner)
  const { orgId, projectId } = home
  const product = {
    origin: stage.origin,
    path: `/api/${orgId}/project/${projectId}/post?from=${FROM}&to=${TO}&view=month`,
    cookie,
  }
  const reference = { origin: await listen(bare), path: `/${orgId}/${projectId}`, cookie: '' }
  await check(product, reference)
  const ratio = await compare(product, reference, ['product', 'bare'], TURNS)
  console.log(
    `listing 300 posts, ${CONNECTIONS} connections: ratio ${ratio.toFixed(2)} (median of ${TURNS}), target ${TARGET}`,
  )
  const [plain, sent] = [await bytesOf(product, 'identity'), await bytesOf(product, 'br')]
  console.log(`on the wire: ${sent} bytes, of ${plain} uncompressed (at most ${MOST_SENT})`)
  if (ratio < TARGET || sent > MOST_SENT) process.exitCode = 1
} finally {
  bare.close()
  await barePool.end()
  await stage.close()
}

/**
 * What the product is measured against: no session, no access, no tenant policies, no framework; the same JSON, as
 * cheaply as we know.
 */
function bareServer(pool: Pool): Server {
  const instant = (column: string) => `rtrim(to_json(${column} at time zone 'UTC')::text, '"') || 'Z"'`
  const text = `
    with listed as materialized (
      select id, state, shown_at, excerpt, channel_id from post where org_id = $1 and project_id = $2 and shown_at >= $3 and shown_at < $4 and state <> 'DELETED'
    ), channels as materialized (
      select id, row_number() over (order by id) - 1 as place, json_build_object('channelId', id, 'channelName', name, 'handle', handle, 'platformName', platform, 'profileUrl', picture_url, 'simulated', simulated) as json
      from channel where org_id = $1 and project_id = $2 and id in (select channel_id from listed)
    )
    select '{"posts":[' || (
        select string_agg(concat('{"postId":"', p.id, '","status":"', p.state, '","at":', ${instant('p.shown_at')},
          ',"excerpt":', to_json(case when length(p.excerpt) > 48 then left(p.excerpt, 47) || '…' else p.excerpt end), ',"channel":', c.place, '}'), ',' order by p.shown_at, p.id)
        from listed p join channels c on c.id = p.channel_id
      ) || '],"channels":[' || (select string_agg(json::text, ',' order by place) from channels) || ']}' as json`
  return createServer((request, response) => {
    const [, orgId, projectId] = (request.url ?? '').split('/')
    pool.query({ name: 'listing', text, values: [orgId, projectId, FROM, TO] }).then(
      ({ rows }) => response.writeHead(200, { 'content-type': 'application/json' }).end(rows[0].json),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    // listening on a port, the address is an object
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
}
