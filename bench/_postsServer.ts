import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import type * as Constants from '#contract/constants.ts'
import type * as Limits from '#server/http/limits.ts'
import type * as Routes from '#server/posts/routes.ts'
import { cookieOf } from './_listing.ts'
import type * as Stage from './_stage.ts'

/*
 * The product of a checkout over its own database, with ten channels to post on and no limit on creating posts, for
 * bench/posts.ts: `node bench/_postsServer.ts FOLDER` prints where it is, analyzes its tables
 * for each line of its standard input, and ends with it.
 */
const folder = resolve(process.argv[2] ?? '.')
/** A module of that checkout, whose own imports are of that checkout, too. */
const moduleOf = (file: string): Promise<unknown> => import(pathToFileURL(join(folder, file)).href)

// the same files as here, maybe of an earlier version
const { limits } = (await moduleOf('server/http/limits.ts')) as typeof Limits
const { SCHEDULE } = (await moduleOf('contract/constants.ts')) as typeof Constants
const { postRoutes } = (await moduleOf('server/posts/routes.ts')) as typeof Routes
const { openStage } = (await moduleOf('bench/_stage.ts')) as typeof Stage

const unlimited = { burst: 1_000_000, perMinute: 1_000_000 }
limits.rates.post = { person: unlimited, organization: unlimited }
Object.assign(SCHEDULE.cap, { limited: 1_000_000, paid: 1_000_000 })

const stage = await openStage((deps) => postRoutes(deps))
const home = await stage.builders.signedInOwner()
const channels: string[] = []
for (let i = 0; i < 10; i++) channels.push(await stage.content.channel(home))
const path = `/api/${home.orgId}/project/${home.projectId}/post`
console.log(JSON.stringify({ origin: stage.origin, path, cookie: cookieOf(home.person), channels }))
// statistics as a database has that has been running for a while
for await (const _ of createInterface(process.stdin)) {
  await stage.owner.query('vacuum analyze')
  console.log('{}')
}
await stage.close()
