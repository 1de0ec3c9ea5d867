import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql, type RawBuilder } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { asSystem } from '../db/system.ts'
import { inboxRules } from '#contract/platforms/inboxRegistry.ts'
import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { runProgram } from '../testing/program.ts'

// What `npm run seed` runs, on a database of its own.

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => await database.drop())

function seed() {
  const { folder, superuser } = inject('cluster')
  const DATABASE_URL = `postgres://${superuser.user}:${encodeURIComponent(superuser.password ?? '')}@localhost/${database.settings.app.database}?host=${encodeURIComponent(superuser.host)}`
  return runProgram(
    mkdtempSync(join(folder, 'seed-')),
    { DATABASE_URL, SIMULATED_CHANNELS: '1', ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') },
    fileURLToPath(new URL('main.ts', import.meta.url)),
  )
}

// runs the program twice, which takes a while on a busy machine
it(
  'creates the demo organization once, and leaves every waiting post to the engine at its time',
  { timeout: 600_000 },
  async () => {
    expect(await seed()).toMatchObject({ code: 0, output: expect.stringContaining('Created Northlight Coffee') })
    const waiting = await asSystem(
      database.databases.system,
      async (tx) =>
        (
          await sql<{ state: string; posts: number; timed: number; unknown: number }>`
        select p.state, count(*)::int as posts, count(d.step_at)::int as timed,
          count(*) filter (where p.due_at is not null and (d.step is null or d.wanted_at is distinct from p.due_at))::int as unknown
        from post p left join delivery d on d.org_id = p.org_id and d.subject_id = p.id and d.subject = 'post'
        where p.state in ('SCHEDULED', 'QUEUED') group by p.state order by p.state`.execute(tx)
        ).rows,
    )
    expect(waiting).toMatchObject([
      { state: 'QUEUED', unknown: 0 },
      { state: 'SCHEDULED', unknown: 0 },
    ])
    for (const { posts, timed } of waiting) {
      expect(posts).toBeGreaterThan(0)
      expect(timed).toBeGreaterThan(0)
    }
    await expectTwoYears()
    await expectLivelyInbox()
    expect(await seed()).toMatchObject({ output: expect.not.stringContaining('Created') })
  },
)

/** Every platform's own figures, as far back as its terms let them be kept, and none that it doesn't report. */
async function expectTwoYears() {
  const told = await counted(sql<{ platform: PlatformKey; names: string[]; days: number }>`
    select c.platform, array_agg(distinct f.name order by f.name) as names, (max(f.day) - min(f.day))::int as days
    from channel_figure f join channel c on c.org_id = f.org_id and c.id = f.channel_id group by c.platform`)
  expect(told.map(({ platform }) => platform).toSorted()).toEqual([...platformKeys].toSorted())
  for (const { platform, names, days } of told) {
    const { channel, terms } = platformFigures[platform]
    expect(names, platform).toEqual(channel.map(({ name }) => name).toSorted())
    expect(days, platform).toBeGreaterThan((terms.keepDays ?? 730) - 10)
    expect(days, platform).toBeLessThanOrEqual(terms.keepDays ?? 730)
  }
  const [gained] = await counted(sql<{ days: number }>`
    select (max(day) - min(day))::int as days from figure_day where name = 'reactions'`)
  expect(gained?.days).toBeGreaterThan(700)
}

const counted = async <T>(query: RawBuilder<T>) =>
  await asSystem(database.databases.system, async (tx) => (await query.execute(tx)).rows)

/** Every kind on every platform that has it, everything that people do with conversations, and nothing that no platform could tell. */
async function expectLivelyInbox() {
  const kinds = await counted(sql<{ place: string }>`
    select distinct h.platform || ' ' || c.kind as place from conversation c join channel h on h.org_id = c.org_id and h.id = c.channel_id`)
  expect(kinds.map(({ place }) => place).toSorted()).toEqual(
    platformKeys.flatMap((key) => Object.keys(inboxRules[key].kinds).map((kind) => `${key} ${kind}`)).toSorted(),
  )
  const [conversations] = await counted(sql<Record<string, number>>`
    select count(*) filter (where status = 'OPEN')::int as open, count(*) filter (where status = 'FOLLOWUP')::int as "followUp",
      count(*) filter (where status = 'CLOSED')::int as closed, count(*) filter (where assignee_id is not null)::int as assigned,
      count(*) filter (where waiting_since is not null and status = 'OPEN')::int as waiting, count(*) filter (where answered)::int as answered,
      count(*) filter (where rating is not null)::int as rated, count(*) filter (where sentiment = 'negative')::int as negative,
      count(*) filter (where sentiment = 'positive')::int as positive, count(*) filter (where post_id is not null)::int as "aboutPosts",
      count(*) filter (where exists (select from conversation_label l where l.conversation_id = c.id))::int as labeled,
      count(*) filter (where exists (select from note n where n.conversation_id = c.id))::int as noted,
      count(*) filter (where exists (select from conversation_read r where r.conversation_id = c.id))::int as read
    from conversation c`)
  for (const [what, count] of Object.entries(conversations ?? {})) expect({ what, count }).toSatisfy(isSome)
  const [items] = await counted(sql<Record<string, number>>`
    select count(*) filter (where deleted_at is not null)::int as deleted, count(*) filter (where hidden)::int as hidden,
      count(*) filter (where edited_at is not null)::int as edited, count(*) filter (where media <> '[]')::int as pictured,
      (select count(*) from canned_response)::int as responses, (select max(n) from (select count(*) as n from inbox_item group by conversation_id) c)::int as longest,
      (select count(*) from inbox_person where picture_url is not null)::int as "withPicture",
      count(*) filter (where direction = 'sent' and not exists (select from reply r where r.channel_id = i.channel_id and r.remote_id = i.remote_id))::int as "answeredThere"
    from inbox_item i`)
  for (const [what, count] of Object.entries(items ?? {})) expect({ what, count }).toSatisfy(isSome)
  expect(items?.longest).toBeGreaterThan(20)
  const wrong = await counted(sql`
    select i.text from inbox_item i join conversation c on c.org_id = i.org_id and c.id = i.conversation_id left join post p on p.org_id = c.org_id and p.id = c.post_id
    where i.at > now() or i.at < p.published_at
    union all
    select r.text from reply r where r.state = 'SENT' and not exists (select from inbox_item i where i.channel_id = r.channel_id and i.remote_id = r.remote_id and i.text = r.text)`)
  expect(wrong).toEqual([])
}
const isSome = ({ count }: { count: number }) => count > 0
