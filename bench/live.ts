import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { addressOf } from '#contract/address.ts'
import { events, LiveEvent } from '#contract/live.ts'
import { listPostChanges, listPosts, postStatistics } from '#contract/postLists.ts'
import { systemClock } from '#server/clock.ts'
import { startDatabase, type RunningDatabase } from '#server/db/database.ts'
import { openDatabases, openOwnerPool } from '#server/db/pools.ts'
import { withDatabase } from '#server/db/withDatabase.ts'
import { readSecretKeys } from '#server/delivery/secrets.ts'
import { diskStore } from '#server/media/diskStore.ts'
import { contentOn } from '#server/testing/content.ts'
import { manyPosts } from '#server/testing/manyPosts.ts'
import { buildersOn, type TestHome, type TestPerson } from '#server/testing/people.ts'
import { startProgram } from '#server/testing/program.ts'
import { createBurst } from '#web/lib/burst.ts'

/*
 * 50 open calendars of one project, each of another person, while 20 posts change every second: the processor time of the
 * server's process, and the bytes that each screen gets per change. Each screen does what the web app does: it gathers the
 * events of a burst, asks for what changed since its revision and for the counts of the rail, and rests (web/lib/burst.ts). The
 * changes are written straight into the database, so that all of the time is spent on telling of them.
 */
const [SCREENS, CHANGES, POSTS] = [50, 20, 850]
const SECONDS = process.argv.includes('--short') ? 20 : 60
/** Of one core, and bytes per change and screen. */
const LIMITS = { core: 0.1, bytes: 2000 }
/** After this time every screen has heard of the last change. Milliseconds. */
const SETTLED = 7_000
const DAY = 86_400_000

const Changes = z.object({
  revision: z.string(),
  reset: z.boolean(),
  posts: z.array(z.object({ excerpt: z.string() })),
})

const dataDir = mkdtempSync(join(tmpdir(), 'rookery-bench-'))
try {
  const { home, people, ids } = await fill()
  const program = await startProgram(dataDir, { LOG_LEVEL: 'warn', NODE_ENV: 'production' })
  try {
    const screens = people.map((person) => openScreen(program.address, home, person))
    await Promise.all(screens.map(({ ready }) => ready))
    await pause(2000)
    await withDatabase({ DATA_DIR: dataDir }, async ({ settings }) => {
      const owner = openOwnerPool(settings, 'bench')
      const idle = await busyOver(program.child.pid, 5, async () => {})
      const before = screens.reduce((sum, screen) => sum + screen.bytes(), 0)
      let changes = 0
      const began = performance.now()
      const busy = await busyOver(program.child.pid, SECONDS, async () => {
        await change(owner, home, ids[(changes * 7) % ids.length] ?? '', changes)
        changes += 1
      })
      const seconds = (performance.now() - began) / 1000
      await pause(SETTLED)
      const bytes = (screens.reduce((sum, screen) => sum + screen.bytes(), 0) - before) / changes / SCREENS
      const asked = screens.reduce((sum, screen) => sum + screen.asked(), 0)
      console.log(
        `${SCREENS} open calendars, ${(changes / seconds).toFixed(0)} changes a second: ${percent(busy)} of a core (limit ${percent(LIMITS.core)}; ${percent(idle)} without changes), ${bytes.toFixed(0)} bytes per change and screen (limit ${LIMITS.bytes}), ${(asked / seconds).toFixed(0)} calls a second`,
      )
      if (busy > LIMITS.core || bytes > LIMITS.bytes || screens.some((screen) => !screen.isCurrent(changes)))
        process.exitCode = 1
      await owner.end()
    })
    for (const screen of screens) screen.close()
  } finally {
    await program.stop()
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`
}

async function fill(): Promise<{ home: TestHome; people: TestPerson[]; ids: string[] }> {
  const database: RunningDatabase = await startDatabase({ dataDir })
  const databases = openDatabases(database.settings)
  const owner = openOwnerPool(database.settings, 'bench')
  try {
    const deps = {
      clock: systemClock,
      databases,
      secrets: readSecretKeys({ dataDir }),
      media: diskStore(join(dataDir, 'media')),
    }
    const builders = buildersOn(deps)
    const home = await builders.signedInOwner()
    await owner.query(`update plan set status = 'ACTIVE', plan_id = 'team', trial_ends_at = null where org_id = $1`, [
      home.orgId,
    ])
    const channels: string[] = []
    for (let i = 0; i < 10; i += 1) channels.push(await contentOn(deps).channel(home))
    const people: TestPerson[] = []
    for (let i = 0; i < SCREENS; i += 1) people.push(await builders.colleague(home, 'admin'))
    // all to come, and none soon: nothing is published meanwhile
    const from = new Date(Math.ceil(Date.now() / DAY) * DAY + DAY).toISOString()
    const ids = await manyPosts(owner, home, channels, { from, days: 28, count: POSTS })
    await owner.query("update post set state = 'SCHEDULED', published_at = null, permalink = null where org_id = $1", [
      home.orgId,
    ])
    await owner.query('vacuum analyze')
    return { home, people, ids }
  } finally {
    await Promise.all([databases.close(), owner.end()])
    await database.stop()
  }
}

type Owner = ReturnType<typeof openOwnerPool>
async function change(owner: Owner, { orgId, projectId }: TestHome, postId: string, n: number): Promise<void> {
  await owner.query(
    `with changed as (update post set excerpt = $3, version = version + 1, updated_at = now() where org_id = $1 and id = $2)
     insert into event (at, org_id, project_id, kind, ref) values (now(), $1, $4, 'post', $2)`,
    [orgId, postId, `Change ${n} of this bench, in as many words as a month shows`, projectId],
  )
}

/** Does this `CHANGES` times a second, and answers the share of a core that the process used meanwhile. */
async function busyOver(pid: number | undefined, seconds: number, work: () => Promise<void>): Promise<number> {
  const [began, used] = [performance.now(), cpuOf(pid)]
  for (let n = 0; n < seconds * CHANGES; n += 1) {
    await work()
    await pause(Math.max(0, began + ((n + 1) * 1000) / CHANGES - performance.now()))
  }
  return (cpuOf(pid) - used) / ((performance.now() - began) / 1000)
}

/** Processor seconds of a process so far, as Linux counts them, in hundredths. */
function cpuOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** A calendar that is open in a browser, as far as the server notices. */
function openScreen(address: string, home: TestHome, person: TestPerson) {
  const headers = {
    cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'accept-encoding': 'br',
  }
  const month = {
    from: new Date(Date.now() - 2 * DAY).toISOString(),
    to: new Date(Date.now() + 40 * DAY).toISOString(),
    view: 'month' as const,
  }
  let [bytes, asked, newest] = [0, 0, -1]
  let revision = ''
  let working: Promise<void> = Promise.resolve()
  const ask = async (path: string): Promise<unknown> => {
    const response = await open(`${address}${path}`, headers)
    const parts: Buffer[] = []
    for await (const part of response) parts.push(part)
    const body = Buffer.concat(parts)
    bytes += body.length
    asked += 1
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${body.toString()}`)
    return JSON.parse((response.headers['content-encoding'] === 'br' ? brotliDecompressSync(body) : body).toString())
  }
  const catchUp = async () => {
    const query = { ...month, since: revision }
    const [answer] = await Promise.all([
      ask(addressOf(listPostChanges, { params: home.params, query })),
      ask(addressOf(postStatistics, { params: home.params, query: {} })),
    ])
    const changes = Changes.parse(answer)
    if (changes.reset) throw new Error('what changed could not be told')
    revision = changes.revision
    for (const { excerpt } of changes.posts) newest = Math.max(newest, Number(/^Change (\d+)/.exec(excerpt)?.[1] ?? -1))
  }
  const burst = createBurst(() => {
    working = working.then(catchUp)
  })
  let stream: IncomingMessage | undefined
  const ready = (async () => {
    revision = Changes.pick({ revision: true }).parse(
      await ask(addressOf(listPosts, { params: home.params, query: month })),
    ).revision
    stream = await open(`${address}${addressOf(events, { params: home.params, query: {} })}`, headers)
    stream.setEncoding('utf8').on('data', (text: string) => {
      bytes += Buffer.byteLength(text)
      const heard = [...text.matchAll(/^data: (.+)$/gm)].some(
        ([, data = '']) => LiveEvent.safeParse(JSON.parse(data)).data?.kind === 'post',
      )
      if (heard) burst.hear()
    })
  })()
  return {
    ready,
    bytes: () => bytes,
    asked: () => asked,
    /** Whether it heard of the last of so many changes. */
    isCurrent: (changes: number) => newest === changes - 1,
    close: () => stream?.destroy(),
  }
}

function open(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => get(url, { headers }, resolve).on('error', reject))
}
