import { randomUUIDv7 } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { contentOf } from '#contract/reports/templates.ts'
import { composeJobs } from './composeJobs.ts'
import type { AnyJob } from './jobs/job.ts'
import type { Platform } from './platforms/platform.ts'
import { contentOn, testPlatform } from './testing/content.ts'
import { received, remoteItem } from './testing/inbox.ts'
import type { TestHome } from './testing/people.ts'
import { NOW, postsOn } from './testing/posts.ts'
import { startApp, type TestApp } from './testing/startApp.ts'

/*
 * What can't be handled of one organization stops the background work of no other. Each job that handles rows of many
 * organizations is given one whose rows make the database, or an adapter, throw, between two others. A job that isn't
 * listed here fails the test.
 */

type Poisoned = {
  /** The table whose rows of one organization can't be written; absent where that organization's account makes the adapter throw. */
  table?: string
  /** Gives the job something to do for an organization. */
  prepare: (home: TestHome, isSick: boolean) => Promise<unknown>
  /** A condition for its having been done; `$1` is the organization. */
  done: string
  payload?: Record<string, unknown>
}

const ONE_TENANT = 'one tenant per run'
const SETS = 'set-based SQL'

const jobs: Record<string, typeof ONE_TENANT | typeof SETS | Poisoned> = {
  'ai.writeDrafts': ONE_TENANT,
  'audit.seal': {
    table: 'audit',
    prepare: ({ orgId, person }) =>
      query(
        "insert into audit (org_id, id, at, person_id, action, entity, entity_id, detail) values ($1, $2, $3, $4, 'edited', 'plan', $5, '{}')",
        [orgId, randomUUIDv7(), app.clock.now(), person.personId, orgId],
      ),
    done: 'exists (select from audit where org_id = $1) and not exists (select from audit where org_id = $1 and seal is null)',
  },
  'billing.deletion': ONE_TENANT,
  'billing.due': {
    table: 'channel',
    prepare: async (home) => {
      await query("update plan set status = 'ACTIVE' where org_id = $1", [home.orgId])
      await query('update channel set plan_locked = true, enabled = true where id = $1', [await channel(home)])
    },
    done: 'exists (select from channel where org_id = $1 and not plan_locked)',
  },
  'billing.reminders': {
    table: 'notice',
    prepare: async ({ orgId }) => {
      await query("update plan set status = 'ACTIVE', plan_id = 'team' where org_id = $1", [orgId])
      await query(
        `insert into subscription (org_id, id, provider, billing_interval, anchor, period_start, period_end, renews, changed_at)
         values ($1, $2, 'paddle', 'annual', $3, $3, $3::timestamptz + interval '7 days', '{"amount": 4900, "currencyCode": "USD"}', $3)`,
        [orgId, `sub-${orgId}`, app.clock.now()],
      )
    },
    done: "exists (select from notice where org_id = $1 and kind = 'plan-renews')",
  },
  'boosts.advance': {
    table: 'boost',
    prepare: async (home) => {
      const channelId = await channel(home)
      const boostId = randomUUIDv7()
      await query(
        `insert into boost (org_id, id, project_id, post_id, channel_id, started_by, state, ad_account_id, ad_account_name, audience_id, audience_name,
           currency, minor_units, budget, days, post_type, post_remote_id, next_at, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, 'ACTIVE', 'a', 'A', 'b', 'B', 'USD', 2, 1000, 7, 'post', 'p', $7, $7, $7)`,
        [
          home.orgId,
          boostId,
          home.projectId,
          await posts.post(home, channelId),
          channelId,
          home.person.personId,
          app.clock.now(),
        ],
      )
      await query("insert into delivery (org_id, channel_id, subject, subject_id) values ($1, $2, 'boost', $3)", [
        home.orgId,
        channelId,
        boostId,
      ])
    },
    done: 'exists (select from boost where org_id = $1 and next_at > $2)',
  },
  'bulk.land': ONE_TENANT,
  'bulk.remind': SETS,
  'channels.check': {
    prepare: async (home) => query('update channel set check_at = null where id = $1', [await channel(home)]),
    // the next one is tomorrow; of one that failed in an hour
    done: "exists (select from channel where org_id = $1 and check_at > $2::timestamptz + interval '12 hours')",
  },
  'channels.delete': ONE_TENANT,
  'channels.picture': ONE_TENANT,
  // expired attempts are deleted together, and ending their sign-ins never throws
  'channels.sweep': SETS,
  'clicks.forget': SETS,
  'clicks.tell': {
    table: 'figure_line',
    prepare: async (home) => {
      const postId = await posts.post(home, await channel(home))
      await posts.put(postId, 'PUBLISHED', { remote_id: `clicked-${postId}`, published_at: app.clock.now() })
      await query(
        "insert into post_click (org_id, post_id, name, day, n) values ($1, $2, 'bioClicks', '2026-11-20', 3)",
        [home.orgId, postId],
      )
    },
    done: 'exists (select from post_click where org_id = $1 and told = n)',
  },
  'competitors.forget': SETS,
  'competitors.read': {
    table: 'competitor_figure',
    prepare: async (home) => {
      await channel(home)
      await query(
        `insert into competitor (org_id, id, project_id, platform, remote_id, name, handle, added_at, seen_at, next_at)
         values ($1, $2, $3, 'bluesky', 'did:plc:theirs', 'Theirs', '@theirs.example', $4, $4, $4)`,
        [home.orgId, randomUUIDv7(), home.projectId, app.clock.now()],
      )
    },
    done: "exists (select from competitor where org_id = $1 and state = 'read') and exists (select from competitor_figure where org_id = $1)",
  },
  'insights.alerts': {
    table: 'notice',
    prepare: async (home) => {
      const channelId = await channel(home)
      await query("update channel set platform = 'facebook' where id = $1", [channelId])
      // far more views than on the same weekdays before
      for (let ago = 1; ago <= 70; ago += 1) {
        const day = new Date(app.clock.now().getTime() - ago * 86_400_000).toISOString().slice(0, 10)
        await query(
          "insert into channel_figure (org_id, channel_id, day, name, value, read_at) values ($1, $2, $3, 'views', $4, $5)",
          [home.orgId, channelId, day, ago < 6 ? 500 : 100, app.clock.now()],
        )
      }
    },
    done: "exists (select from notice where org_id = $1 and kind = 'figures-unusual')",
  },
  'dashboard.fold': {
    table: 'post_count',
    prepare: ({ orgId, projectId }) =>
      query(
        "insert into post_count (org_id, project_id, day, state, n) values ($1, $2, '2026-11-20', 'PUBLISHED', 1), ($1, $2, '2026-11-20', 'PUBLISHED', 2)",
        [orgId, projectId],
      ),
    done: 'exists (select from post_count where org_id = $1 and folded and n = 3) and not exists (select from post_count where org_id = $1 and not folded)',
  },
  'dataRights.export': ONE_TENANT,
  'dataRights.purge': {
    table: 'member',
    prepare: ({ orgId }) =>
      query("update organization set deletes_at = $2::timestamptz - interval '1 minute' where org_id = $1", [
        orgId,
        app.clock.now(),
      ]),
    done: 'not exists (select from organization where org_id = $1)',
  },
  'dataRights.sweep': SETS,
  'dataRights.tell': ONE_TENANT,
  'inbox.data-deletion': {
    table: 'inbox_person',
    payload: { code: 'c'.repeat(24) },
    prepare: async (home) => {
      const channelId = await channel(home)
      await query("update lane set credentials = 'the-app' where channel_id = $1", [channelId])
      await received(app, home, { channelId, text: 'Something of mine' })
      await query(
        `insert into data_deletion (code, platform, app_key, installed, org_ids, user_id, requested_at)
         values ($1, 'bluesky', 'the-app', true, '{}', 'remote-maya', $2) on conflict do nothing`,
        ['c'.repeat(24), app.clock.now()],
      )
    },
    done: "exists (select from inbox_person where org_id = $1 and name = '') and exists (select from inbox_item where org_id = $1 and text is null)",
  },
  'inbox.deliveries': {
    table: 'inbox_cursor',
    prepare: async (home) => {
      const channelId = await channel(home)
      await query(
        `insert into inbox_cursor (org_id, channel_id, kind, began_at, next_at) values ($1, $2, 'comment', $3, $3::timestamptz + interval '6 hours')`,
        [home.orgId, channelId, app.clock.now()],
      )
      await query(
        `insert into inbox_push (platform, app_key, org_id, digest, told, received_at)
         values ('bluesky', 'own', $1, 'a digest', jsonb_build_array(jsonb_build_object('accountRemoteId', $2::text, 'kinds', '["comment"]'::jsonb)), $3)`,
        [home.orgId, accountOf(home), app.clock.now()],
      )
    },
    done: 'exists (select from inbox_cursor where org_id = $1 and next_at = $2 and pushed_at = $2)',
  },
  'inbox.fold': {
    table: 'inbox_count',
    prepare: async (home) => {
      await received(app, home, { channelId: await channel(home) })
      await received(app, home, { channelId: await channel(home) })
    },
    done: 'exists (select from inbox_count where org_id = $1) and not exists (select from inbox_count where org_id = $1 and not folded)',
  },
  'inbox.follow-ups': {
    table: 'conversation',
    prepare: async (home) => {
      const { conversationId } = await received(app, home, { channelId: await channel(home) })
      await query("update conversation set status = 'FOLLOWUP', follow_up_on = '2026-11-20' where id = $1", [
        conversationId,
      ])
    },
    done: "exists (select from conversation where org_id = $1 and status = 'OPEN')",
  },
  'inbox.overdue': {
    table: 'conversation',
    prepare: async (home) => {
      await received(app, home, { channelId: await channel(home), at: new Date('2026-11-09T10:00:00Z') })
      await query('insert into inbox_setting (org_id, project_id, answer_hours) values ($1, $2, 1)', [
        home.orgId,
        home.projectId,
      ])
    },
    done: 'exists (select from conversation where org_id = $1 and overdue_for = waiting_since)',
  },
  'inbox.read': {
    table: 'conversation',
    prepare: (home) => channel(home),
    done: 'exists (select from conversation where org_id = $1) and exists (select from inbox_cursor where org_id = $1 and read_at = $2)',
  },
  'inbox.retention': {
    table: 'inbox_item',
    prepare: async (home) => {
      await received(app, home, { channelId: await channel(home) })
      await query("update inbox_item set keep_until = $2::timestamptz - interval '1 minute' where org_id = $1", [
        home.orgId,
        app.clock.now(),
      ])
    },
    done: 'exists (select from inbox_item where org_id = $1 and text is null and expired)',
  },
  'insights.accounts': {
    prepare: (home) => channel(home),
    done: 'exists (select from channel_figure where org_id = $1)',
  },
  'insights.forget': SETS,
  'insights.posts': {
    table: 'measured_post',
    prepare: (home) => channel(home),
    done: 'exists (select from measured_post where org_id = $1 and elsewhere)',
  },
  'insights.read': {
    prepare: async (home) => {
      const id = await posts.post(home, await channel(home), { schedule: NOW })
      await posts.put(id, 'PUBLISHED', { remote_id: `post-of-${home.orgId}` })
      await query('update measured_post set metrics_at = $2 where id = $1', [id, app.clock.now()])
    },
    done: 'exists (select from post_metric where org_id = $1)',
  },
  'linkInBio.pictures': ONE_TENANT,
  'linkInBio.show': ONE_TENANT,
  'linkInBio.upkeep': SETS,
  'media.inspectAgain': {
    table: 'asset',
    prepare: async (home) =>
      query('update asset set facts_version = 0, color_space = null where id = $1', [
        await contentOn(app.parts).picture(home),
      ]),
    done: 'exists (select from asset where org_id = $1 and color_space is not null)',
  },
  'media.sweep': {
    table: 'asset',
    prepare: async (home) =>
      query("update asset set deleted_at = $2::timestamptz - interval '2 days' where id = $1", [
        await contentOn(app.parts).picture(home),
        app.clock.now(),
      ]),
    done: 'not exists (select from asset where org_id = $1)',
  },
  'notices.mail': {
    table: 'notice',
    // the longest waiting comes first
    prepare: ({ orgId, person }, isSick) =>
      query(
        `insert into notice (org_id, id, person_id, dedupe_key, kind, params, created_at, updated_at, mail_due_at)
         values ($1, $2, $3, 'ended', 'trial-ended', '{"orgName": "Larch"}', $4, $4, $4::timestamptz - make_interval(mins => $5))`,
        [orgId, randomUUIDv7(), person.personId, app.clock.now(), isSick ? 1 : 0],
      ),
    done: 'exists (select from notice where org_id = $1 and mailed_at = $2)',
  },
  'organizations.trials': {
    table: 'plan',
    prepare: ({ orgId }) =>
      query(
        "update plan set status = 'TRIAL_ACTIVE', trial_ends_at = $2::timestamptz - interval '1 minute' where org_id = $1",
        [orgId, app.clock.now()],
      ),
    done: "exists (select from plan where org_id = $1 and status = 'TRIAL_EXPIRED')",
  },
  'reports.ask': ONE_TENANT,
  'reports.due': {
    table: 'report_run',
    prepare: (home) => schedule(home),
    done: "exists (select from report_run where org_id = $1 and state = 'waiting')",
  },
  'reports.files': {
    table: 'report_file',
    prepare: async (home) => {
      const runId = await reportRun(home)
      await query(
        `insert into report_file (org_id, id, run_id, rights, media_key, bytes, pages, created_at)
         values ($1, $2, $3, '{}', $4, 1, 1, $5::timestamptz - interval '181 days')`,
        [home.orgId, randomUUIDv7(), runId, `${home.orgId}/${randomUUIDv7()}`, app.clock.now()],
      )
    },
    done: 'exists (select from report_file where org_id = $1 and media_key is null)',
  },
  'reports.pauses': {
    table: 'report_schedule',
    prepare: async (home) => {
      await schedule(home)
      await query("update plan set status = 'CANCELLED' where org_id = $1", [home.orgId])
    },
    done: "exists (select from report_schedule where org_id = $1 and paused = 'plan')",
  },
  'reports.run': {
    table: 'report_run',
    // nobody gets it
    prepare: (home) => reportRun(home),
    done: "exists (select from report_run where org_id = $1 and state = 'skipped')",
  },
  'upkeep.partitions': SETS,
  'upkeep.retention': SETS,
  'upkeep.words': {
    table: 'post_text',
    prepare: async (home) => {
      await posts.post(home, await channel(home))
      await query('update post_text set folded = false where org_id = $1', [home.orgId])
    },
    done: 'exists (select from post_text where org_id = $1 and folded)',
  },
  'workflows.links': ONE_TENANT,
  'workflows.remind': {
    table: 'approval',
    prepare: async (home) => {
      const postId = await posts.post(home, await channel(home))
      await posts.put(postId, 'NEEDS_APPROVAL')
      const approver = { kind: 'member', userId: home.person.personId, name: 'Ada' }
      await query(
        `insert into approval (org_id, id, post_id, workflow_name, steps, content_hash, sent_by, sent_at, step_at)
         values ($1, $2, $3, 'Legal', $4, 'a hash', $5, $6::timestamptz - interval '25 hours', $6::timestamptz - interval '25 hours')`,
        [
          home.orgId,
          randomUUIDv7(),
          postId,
          JSON.stringify([{ needs: 'any', approvers: [approver] }]),
          home.person.personId,
          app.clock.now(),
        ],
      )
    },
    done: 'exists (select from approval where org_id = $1 and day_told_at = $2)',
  },
}

let app: TestApp
let posts: ReturnType<typeof postsOn>
let registered: AnyJob[]
/** Of whom an adapter throws. */
let poisonedAccount = ''

const accountOf = ({ orgId }: TestHome) => `account-of-${orgId}`
const channel = (home: TestHome) => contentOn(app.parts).channel(home, { remoteId: accountOf(home) })
const query = (text: string, values: unknown[] = []) => app.database.owner.query<Record<string, unknown>>(text, values)

/** A schedule that is due. Returns its ID. */
async function schedule({ orgId, projectId, person }: TestHome): Promise<string> {
  const [reportId, id] = [randomUUIDv7(), randomUUIDv7()]
  await query("update plan set plan_id = 'team', status = 'ACTIVE' where org_id = $1", [orgId])
  await query(
    "insert into report (org_id, id, project_id, name, content, created_at, updated_at) values ($1, $2, $3, 'Month', $4, $5, $5)",
    [orgId, reportId, projectId, JSON.stringify(contentOf('empty')), app.clock.now()],
  )
  await query(
    `insert into report_schedule (org_id, id, project_id, report_id, owner_id, frequency, day, wall_time, zone, wait_days, next_due_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, 'weekly', 6, '10:00', 'UTC', 0, $6, $6, $6)`,
    [orgId, id, projectId, reportId, person.personId, app.clock.now()],
  )
  return id
}
/** A run that can begin. Returns its ID. */
async function reportRun(home: TestHome): Promise<string> {
  const [scheduleId, id] = [await schedule(home), randomUUIDv7()]
  await query(
    `insert into report_run (org_id, id, project_id, schedule_id, due_at, from_day, to_day, state, next_try_at, created_at)
     values ($1, $2, $3, $4, $5, '2026-10-01', '2026-10-31', 'waiting', $5, $5)`,
    [home.orgId, id, home.projectId, scheduleId, app.clock.now()],
  )
  return id
}

const mustBeHealthy = ({ remoteId }: { remoteId: string }) => {
  if (remoteId === poisonedAccount) throw new Error('poisoned')
}
const platform = (): Platform => ({
  ...testPlatform({
    check: async (_reach, _secret, account) => {
      mustBeHealthy(account)
      return { kind: 'works', endsAt: null }
    },
  }),
  inbox: {
    reads: [['comment']],
    read: async () => ({
      kind: 'read',
      changes: [remoteItem({ channelId: '', at: app.clock.now() })],
      cursor: {},
      more: false,
    }),
  },
  metrics: {
    most: 10,
    read: async (_reach, _secret, account, asked) => {
      mustBeHealthy(account)
      return { kind: 'metrics', of: new Map(asked.map(({ remoteId }) => [remoteId, { impressions: 1 }])) }
    },
  },
  account: {
    snapshot: async (_reach, _secret, account) => {
      mustBeHealthy(account)
      return { kind: 'snapshot', figures: { followers: 1 } }
    },
  },
  competitors: {
    find: async () => ({ kind: 'none', why: 'gone' }),
    read: async (_reach, _secret, _account, { remoteId, handle }) => ({
      kind: 'read',
      account: { remoteId, handle, name: 'Theirs', pictureUrl: null, profileUrl: null, figures: { followers: 1 } },
      posts: [],
      isAll: true,
    }),
  },
  ownPosts: {
    most: 10,
    list: async () => ({
      kind: 'posts',
      posts: [
        {
          remoteId: 'native',
          postType: 'post',
          publishedAt: app.clock.now(),
          text: 'From the app',
          permalink: null,
          pictureUrl: null,
        },
      ],
      next: null,
    }),
  },
})

beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: platform() } })
  posts = postsOn(app, app.database)
  registered = composeJobs(app.parts)
  await query(`create function refuse_poisoned() returns trigger language plpgsql as $$
    begin
      if coalesce(new.org_id, old.org_id)::text = tg_argv[0] then raise exception 'poisoned' using errcode = '22021'; end if;
      return coalesce(new, old);
    end $$`)
})
afterAll(() => app.close())
afterEach(() => (poisonedAccount = ''))

it('lists every job', () => {
  expect(Object.keys(jobs).toSorted()).toEqual(registered.map(({ name }) => name).toSorted())
})

const poisoned = Object.entries(jobs).flatMap(([name, how]) => (typeof how === 'string' ? [] : [{ name, ...how }]))

it.each(poisoned)(
  "one organization that can't be handled stops no other: $name",
  async ({ name, table, prepare, done, payload = {} }) => {
    const homes: TestHome[] = []
    for (let n = 0; n < 3; n++) {
      const home = await app.signedInOwner()
      await prepare(home, n === 1)
      homes.push(home)
    }
    const sick = homes[1]?.orgId ?? ''
    const isDone = async () => {
      const outcomes: boolean[] = []
      for (const { orgId } of homes) {
        const values = done.includes('$2') ? [orgId, app.clock.now()] : [orgId]
        const { rows } = await query(`select ${done} as done`, values)
        outcomes.push(rows[0]?.['done'] === true)
      }
      return outcomes
    }
    const run = async () => {
      const { databases, clock, log } = app.parts
      const job = registered.find((one) => one.name === name)
      // a job may fail when the others are done, so that it's tried again
      await job
        ?.perform({ databases, clock, log, signal: new AbortController().signal }, payload)
        .catch(() => undefined)
    }
    expect(await isDone()).toEqual([false, false, false])
    if (table === undefined) poisonedAccount = `account-of-${sick}`
    else
      await query(
        `create trigger refuse_poisoned before insert or update or delete on ${table} for each row execute function refuse_poisoned('${sick}')`,
      )
    try {
      await run()
    } finally {
      if (table !== undefined) await query(`drop trigger refuse_poisoned on ${table}`)
    }
    expect(await isDone()).toEqual([true, false, true])
  },
)
