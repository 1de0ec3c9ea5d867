import type { Pool } from 'pg'
import { postRoutes } from '#server/posts/routes.ts'
import { cookieOf } from './_listing.ts'
import { median, openStage } from './_stage.ts'

/*
 * A series of 61 posts on 10 channels, submitted over HTTP (rules checked, times computed, cap counted, posts, lanes,
 * history, events and audit written), against a bare insert of the very rows that it wrote, sent as JSON by a client that
 * checks nothing, in one transaction. In turns; the rows are removed in between. It may cost three times the insert.
 */
const TARGET = 3
const ROUNDS = process.argv.includes('--short') ? 10 : 40
const [CHANNELS, POSTS, DAY] = [10, 61, 86_400_000]
/** What a submit writes to, in the order of its keys. */
const TABLES = ['series', 'post', 'post_event', 'post_asset', 'event', 'audit', 'audit_client'] as const

const stage = await openStage((deps) => postRoutes(deps))
try {
  const { owner } = stage
  const home = await stage.builders.signedInOwner()
  await owner.query("update plan set plan_id = 'team', status = 'ACTIVE', trial_ends_at = null where org_id = $1", [
    home.orgId,
  ])
  const channels = await Promise.all(Array.from({ length: CHANNELS }, () => stage.content.channel(home)))
  const start = new Date(Math.ceil(Date.now() / DAY) * DAY + DAY + 9 * 3_600_000)
  const body = JSON.stringify({
    intent: 'SCHEDULE',
    channels: channels.map((channelId) => ({
      channelId,
      postType: 'post',
      contents: [{ text: 'The rooks come back to the old elms in autumn.', media: [] }],
    })),
    schedule: {
      type: 'RECURRING_WEEKLY',
      details: {
        timezone: 'UTC',
        utcStartDate: start.toISOString(),
        utcEndDate: new Date(start.getTime() + (POSTS - 1) * DAY).toISOString(),
        daysOfWeek: [0, 1, 2, 3, 4, 5, 6],
      },
    },
  })
  const submit = async (): Promise<number> => {
    const begun = performance.now()
    const response = await fetch(`${stage.origin}/api/${home.orgId}/project/${home.projectId}/post`, {
      method: 'POST',
      headers: { cookie: cookieOf(home.person), 'content-type': 'application/json' },
      body,
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`answered ${response.status}: ${text.slice(0, 300)}`)
    return performance.now() - begun
  }

  await clear(owner)
  await submit()
  const rows = await written(owner)
  const posts = rows.find(({ table }) => table === 'post')?.count
  if (posts !== CHANNELS * POSTS) throw new Error(`${posts} posts instead of ${CHANNELS * POSTS}`)
  const ratios: number[] = []
  const [ours, bare]: [number[], number[]] = [[], []]
  for (let round = -3; round < ROUNDS; round++) {
    const measured: Record<'ours' | 'bare', number> = { ours: 0, bare: 0 }
    for (const turn of round % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const)) {
      await clear(owner)
      measured[turn] = turn === 'ours' ? await submit() : await insert(owner, rows)
    }
    if (round < 0) continue
    ours.push(measured.ours)
    bare.push(measured.bare)
    ratios.push(measured.ours / measured.bare)
  }
  console.log(
    `series ${median(ours).toFixed(0)} ms, bare insert ${median(bare).toFixed(0)} ms; ${rows.map(({ table, count }) => `${count} ${table}`).join(', ')}`,
  )
  console.log(
    `a series of ${POSTS} posts on ${CHANNELS} channels: ${median(ratios).toFixed(2)} times a bare insert of the same rows (median of ${ROUNDS}), target at most ${TARGET}`,
  )
  if (median(ratios) > TARGET) process.exitCode = 1
} finally {
  await stage.close()
}

type Written = { table: string; columns: string; json: string; count: number }

/** The rows that a submit wrote, as a client would send them. */
async function written(pool: Pool): Promise<Written[]> {
  const tables: Written[] = []
  for (const table of TABLES) {
    const names = await pool.query<{ name: string }>(
      "select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''",
      [table],
    )
    const { rows } = await pool.query<{ json: string; count: number }>(
      `select json_agg(t)::text as json, count(*)::int as count from ${table} t`,
    )
    if (rows[0]?.count)
      tables.push({ table, columns: names.rows.map(({ name }) => `"${name}"`).join(', '), ...rows[0] })
  }
  return tables
}

async function insert(pool: Pool, tables: readonly Written[]): Promise<number> {
  const begun = performance.now()
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (const { table, columns, json } of tables)
      await client.query({
        name: `insert ${table}`,
        text: `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)`,
        values: [json],
      })
    // these rows' one job: when each lane is due
    await client.query(
      'update lane l set wake_at = n.at from (select org_id, channel_id, min(step_at) as at from delivery group by org_id, channel_id) n where l.org_id = n.org_id and l.channel_id = n.channel_id',
    )
    await client.query('commit')
  } finally {
    client.release()
  }
  return performance.now() - begun
}

async function clear(pool: Pool): Promise<void> {
  await pool.query('update lane set wake_at = null')
  await pool.query(
    `delete from post_event; delete from event; delete from audit_client; delete from audit; delete from post_asset; delete from delivery; delete from post; delete from series`,
  )
}
