import { randomUUIDv7 } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { z } from 'zod'
import { openBrowser } from '../e2e/browser.ts'
import { foldCounts } from '../server/dashboard/fold.ts'
import { readSecretKeys } from '../server/delivery/secrets.ts'
import { systemClock } from '../server/clock.ts'
import { startDatabase } from '../server/db/database.ts'
import { openDatabases, openOwnerPool } from '../server/db/pools.ts'
import { diskStore } from '../server/media/diskStore.ts'
import { contentOn } from '../server/testing/content.ts'
import { buildersOn, type TestHome } from '../server/testing/people.ts'
import { startProgram } from '../server/testing/program.ts'

/*
 * The product as its own process with its built web app, over a database that is filled before it starts, and Chromium.
 */

export type Filling = { home: TestHome; owner: Pool; content: ReturnType<typeof contentOn> }
/** The browser, the program's URL, and the project's owner. */
export type OnStage = { browser: Browser; address: string; home: TestHome }

/** Fills this month with so many posts on three channels: published up to this moment, scheduled after it. */
export async function fillMonth({ home, owner, content }: Filling, posts: number): Promise<void> {
  const channels = [await content.channel(home), await content.channel(home), await content.channel(home)]
  await owner.query(
    `insert into post (org_id, id, project_id, channel_id, author_id, state, post_type, contents, excerpt, schedule, zone, due_at, shown_at, created_at, updated_at)
     select $1, g.id, $2, ($3::uuid[])[1 + g.n % 3], $4, case when t.at < now() then 'PUBLISHED' else 'SCHEDULED' end, 'post',
       jsonb_build_array(jsonb_build_object('text', t.words, 'media', '[]'::jsonb)), t.words, '{"type":"NOW"}', 'Europe/London', t.at, t.at, now(), now()
     from unnest($5::uuid[]) with ordinality as g(id, n),
       lateral (select date_trunc('month', now()) + interval '28 days' * (g.n - 1) / $6 as at, 'Post ' || g.n || ': the rooks come back to the old elms in autumn' as words) t`,
    [
      home.orgId,
      home.projectId,
      channels,
      home.person.personId,
      Array.from({ length: posts }, () => randomUUIDv7()),
      posts,
    ],
  )
}

/** Fills a paid organization's project, starts the program, runs the scenario, and removes everything. */
export async function inBrowser<T>(
  fill: (at: Filling) => Promise<T>,
  play: (at: OnStage & { filled: T }) => Promise<void>,
): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rookery-bench-'))
  const browser = await openBrowser()
  try {
    const { home, filled } = await fillDatabase(dataDir, fill)
    const program = await startProgram(dataDir, { LOG_LEVEL: 'warn', NODE_ENV: 'production' })
    try {
      await play({ browser, address: program.address, home, filled })
    } finally {
      await program.stop()
    }
  } finally {
    await browser.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function fillDatabase<T>(
  dataDir: string,
  fill: (at: Filling) => Promise<T>,
): Promise<{ home: TestHome; filled: T }> {
  const database = await startDatabase({ dataDir })
  const databases = openDatabases(database.settings)
  const owner = openOwnerPool(database.settings, 'bench')
  try {
    const parts = {
      clock: systemClock,
      databases,
      secrets: readSecretKeys({ dataDir }),
      media: diskStore(join(dataDir, 'media')),
    }
    const home = await buildersOn(parts).signedInOwner()
    await owner.query(`update plan set status = 'ACTIVE', plan_id = 'team', trial_ends_at = null where org_id = $1`, [
      home.orgId,
    ])
    const filled = await fill({ home, owner, content: contentOn(parts) })
    // as every five minutes: months of new lines are in no database that's in use
    await foldCounts({ databases, signal: new AbortController().signal })
    return { home, filled }
  } finally {
    await Promise.all([databases.close(), owner.end()])
    await database.stop()
  }
}

/** A window of the project's owner at a path of the project, with bench/_observe.js in it. `before` has the page while it is still empty. */
export async function openProject(
  { browser, address, home }: OnStage,
  path: string,
  before: (page: Page, context: BrowserContext) => Promise<void> = async () => {},
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, timezoneId: 'Europe/London' })
  await context.addCookies([...home.person.cookies].map(([name, value]) => ({ name, value, url: address })))
  const page = await context.newPage()
  await page.addInitScript({ path: join(import.meta.dirname, '_observe.js') })
  await before(page, context)
  await page.goto(`${address}/${home.orgId}/project/${home.projectId}/${path}`)
  return { context, page }
}

/** Waits until the page is idle. */
export async function idle(page: Page): Promise<void> {
  await page.evaluate('rookeryBench.idle()')
}

export const traced = { categories: ['__metadata', 'devtools.timeline', 'disabled-by-default-devtools.timeline'] }

const Trace = z.object({
  traceEvents: z.array(
    z.looseObject({
      name: z.string(),
      pid: z.number(),
      tid: z.number(),
      tdur: z.number().optional(),
      args: z.looseObject({ name: z.unknown().optional() }).optional(),
    }),
  ),
})

/** The main thread's tasks of a page by their CPU time, in milliseconds. */
export function tasksOf(trace: Buffer): number[] {
  const { traceEvents } = Trace.parse(JSON.parse(trace.toString('utf8')))
  const mains = new Set(
    traceEvents
      .filter((event) => event.name === 'thread_name' && event.args?.name === 'CrRendererMain')
      .map((event) => `${event.pid}.${event.tid}`),
  )
  const tasks = traceEvents
    .filter((event) => event.name === 'RunTask' && mains.has(`${event.pid}.${event.tid}`))
    .map(({ tdur = 0 }) => tdur / 1000)
  if (tasks.length === 0) throw new Error('the trace holds no tasks')
  return tasks
}
