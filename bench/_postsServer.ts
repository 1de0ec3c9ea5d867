import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import type * as Constants from '#contract/constants.ts'
import type * as Limits from '#server/http/limits.ts'
import type * as Routes from '#server/posts/routes.ts'
import type * as ManyPosts from '#server/testing/manyPosts.ts'
import type * as Listing from './_listing.ts'
import { startReference } from './_reference.ts'
import type * as Stage from './_stage.ts'

/*
 * The product of a checkout over its own database, for bench/peer.ts: `node bench/_postsServer.ts FOLDER` has a month of 850
 * posts on ten channels with labels, and no limit on creating posts. It prints where it is, analyzes its tables for each line
 * of its standard input, and ends with it. `--holds`: replies are sent from memory, too. `--reference`: with a plain server
 * over the same database.
 */
const folder = resolve(process.argv[2] ?? '.')
const has = (flag: string) => process.argv.includes(flag)
/** A module of that checkout, whose own imports are of that checkout, too. */
const moduleOf = (file: string): Promise<unknown> => import(pathToFileURL(join(folder, file)).href)

// the same files as here, maybe of an earlier version
const { limits } = (await moduleOf('server/http/limits.ts')) as typeof Limits
const { SCHEDULE } = (await moduleOf('contract/constants.ts')) as typeof Constants
const { postRoutes } = (await moduleOf('server/posts/routes.ts')) as typeof Routes
const { manyPosts } = (await moduleOf('server/testing/manyPosts.ts')) as typeof ManyPosts
const { openStage } = (await moduleOf('bench/_stage.ts')) as typeof Stage
const { cookieOf, FROM, shelve, TO } = (await moduleOf('bench/_listing.ts')) as typeof Listing

const POSTS = 850
const MONTHS = ['2026-09-01T00:00:00.000Z', '2026-10-01T00:00:00.000Z', FROM, '2026-12-01T00:00:00.000Z']

const unlimited = { burst: 1_000_000, perMinute: 1_000_000 }
limits.rates.post = { person: unlimited, organization: unlimited }
Object.assign(SCHEDULE.cap, { limited: 1_000_000, paid: 1_000_000 })

const stage = await openStage((deps) => postRoutes(deps), { holds: has('--holds') })
const home = await stage.builders.signedInOwner()
const channels: string[] = []
for (let i = 0; i < 10; i++) channels.push(await stage.content.channel(home))
for (const from of MONTHS) await manyPosts(stage.owner, home, channels, { from, days: 29, count: POSTS })
await shelve(stage.owner)
await stage.owner.query('vacuum analyze')
const path = `/api/${home.orgId}/project/${home.projectId}/post`
const reference = has('--reference')
  ? await startReference(stage.database.settings.owner, {
      home,
      month: { from: FROM, to: TO },
      connections: stage.parts.databases.web.options.max,
    })
  : undefined
console.log(
  JSON.stringify({
    origin: stage.origin,
    path,
    month: `${path}?from=${FROM}&to=${TO}&view=month`,
    cookie: cookieOf(home.person),
    channels,
    reference: reference?.place,
  }),
)
// statistics as a database has that has been running for a while
for await (const _ of createInterface(process.stdin)) {
  await stage.owner.query('vacuum analyze')
  console.log('{}')
}
await reference?.close()
await stage.close()
