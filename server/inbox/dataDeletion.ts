import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { asSystem } from '../db/system.ts'
import type { Dependencies } from '../dependencies.ts'
import { fail } from '../errors.ts'
import { assertWithinLimit, count, type Limit } from '../http/attempts.ts'
import type { Bytes } from '../http/route.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { eachAlone } from '../jobs/eachAlone.ts'
import { defineJob, type Job, type JobContext } from '../jobs/job.ts'
import { appsAt, pushOf } from './deliveries.ts'
import type { Address } from './pushChannels.ts'
import { applyChanges } from './store.ts'

/*
 * What people ask a platform to have deleted: the platform tells us who, signed by the app's secret, and wants an address at
 * which they can see what became of it (Meta, Data Deletion Request Callback).
 */

type Needs = Pick<Dependencies, 'databases' | 'clock' | 'env' | 'secrets' | 'platforms'>

/** What stores a request enqueues this. */
const ERASE = { name: 'inbox.data-deletion' }
/** Items of one transaction. */
const BATCH = 200
const DAY_MS = 86_400_000
/** How long people can look up what became of their request: at the installation's app, and at an organization's own. */
const KEPT_DAYS = { installation: 365, organization: 90 } as const

/** People of one app, whose requests leave a row each. docs/operations.md prints these. */
export const deletionLimits = {
  installation: { name: 'data-deletions', most: 10_000, seconds: 86_400 },
  organization: { name: 'own-data-deletions', most: 500, seconds: 86_400 },
} as const satisfies Record<string, Limit>

/**
 * Takes a request. The same one again has the same code. Throws SIGNATURE_REFUSED, BAD_INPUT for one that names nobody,
 * RATE_LIMITED.
 */
export async function takeDeletionRequest(
  needs: Needs,
  { platform, clientId }: Address,
  body: string,
): Promise<{ url: string; confirmation_code: string }> {
  const { deletionOf } = pushOf(needs, platform)
  if (!deletionOf) throw fail('NOT_FOUND')
  const apps = await appsAt(needs, { platform, clientId })
  const signed = apps.flatMap(({ orgId, clientSecret }) => {
    const asked = deletionOf(body, clientSecret)
    return asked === null ? [] : [{ orgId, clientSecret, userId: asked.userId }]
  })
  const [first] = signed
  if (!first) throw fail('SIGNATURE_REFUSED')
  const { userId, clientSecret } = first
  if (userId === null) throw fail('BAD_INPUT', { detail: 'This request names no user. Nothing was deleted.' })
  const orgIds = signed.flatMap(({ orgId }) => orgId ?? [])
  const installed = orgIds.length < signed.length
  const code = createHmac('sha256', clientSecret).update(`delete ${platform} ${userId}`).digest('hex').slice(0, 24)
  const now = needs.clock.now()
  await asSystem(needs.databases.system, async (tx) => {
    const known = await tx.selectFrom('data_deletion').select('code').where('code', '=', code).executeTakeFirst()
    if (!known) {
      const limit = installed ? deletionLimits.installation : deletionLimits.organization
      assertWithinLimit(
        await count(tx, limit, `${platform} ${clientId} ${installed ? '' : orgIds.toSorted().join()}`, now),
      )
    }
    await sql`
      insert into data_deletion (code, platform, app_key, installed, org_ids, user_id, requested_at)
      values (${code}, ${platform}, ${clientId}, ${installed}, ${orgIds}::uuid[], ${userId}, ${now})
      on conflict (code) do update set installed = excluded.installed, org_ids = excluded.org_ids, user_id = excluded.user_id, requested_at = excluded.requested_at, done_at = null`.execute(
      tx,
    )
    await enqueue(tx, ERASE, { code }, { key: code })
  })
  return { url: `${needs.env.publicUrl}/api/public/data-deletion/${code}`, confirmation_code: code }
}

/** What became of a request, for the person who asked. Throws NOT_FOUND. */
export async function describeDeletion(needs: Needs, code: string): Promise<Bytes> {
  const row = await asSystem(needs.databases.system, (tx) =>
    tx.selectFrom('data_deletion').select(['requested_at', 'done_at']).where('code', '=', code).executeTakeFirst(),
  )
  if (!row) throw fail('NOT_FOUND')
  const day = (at: Date): string => at.toISOString().slice(0, 10)
  const text = row.done_at
    ? `You asked us on ${day(row.requested_at)} to delete your data. We deleted it on ${day(row.done_at)}.`
    : `You asked us on ${day(row.requested_at)} to delete your data. We're deleting it now.`
  return { bytes: Buffer.from(`${text}\nConfirmation code: ${code}\n`), contentType: 'text/plain; charset=utf-8' }
}

/** Erases what someone wrote and who they are, in all channels of the app that asked. */
export const dataDeletionJob = (): Job<{ code: string }> =>
  defineJob({
    ...ERASE,
    payload: z.object({ code: z.string() }),
    run: async (context, { code }) => {
      const { databases, clock } = context
      const request = await asSystem(databases.system, (tx) =>
        tx.selectFrom('data_deletion').selectAll().where('code', '=', code).executeTakeFirst(),
      )
      if (request?.user_id) {
        const persons = await findPersons(context, { ...request, user_id: request.user_id })
        const failed = "a person's data couldn't be deleted"
        const left = await eachAlone(context, persons, { name: ({ id }) => ({ personId: id }), failed }, (person) =>
          erasePerson(context, person),
        )
        // it isn't done, and the worker tries again
        if (left.length > 0) throw new Error(`${left.length} of ${persons.length} people couldn't be erased`)
      }
      await asSystem(databases.system, async (tx) => {
        const done = { done_at: clock.now(), user_id: null }
        await tx.updateTable('data_deletion').set(done).where('code', '=', code).execute()
        for (const [whose, days] of Object.entries(KEPT_DAYS))
          await tx
            .deleteFrom('data_deletion')
            .where('done_at', '<', new Date(clock.now().getTime() - days * DAY_MS))
            .where('installed', '=', whose === 'installation')
            .execute()
      })
    },
  })

type Person = {
  org_id: string
  id: string
  channel_id: string
  project_id: string
  platform: string
  remote_id: string
}

/** One organization's app says nothing about channels of others. */
async function findPersons(
  { databases }: Pick<JobContext, 'databases'>,
  request: { platform: string; app_key: string; installed: boolean; org_ids: string[]; user_id: string },
): Promise<Person[]> {
  const { rows } = await asSystem(databases.system, (tx) =>
    sql<Person>`
      select p.org_id, p.id, p.channel_id, p.remote_id, c.project_id, c.platform
      from channel c join lane l on l.org_id = c.org_id and l.channel_id = c.id
      join inbox_person p on p.org_id = c.org_id and p.channel_id = c.id
      where c.platform = ${request.platform} and l.credentials = ${request.app_key} and p.remote_id = ${request.user_id}
        and (c.org_id = any(${request.org_ids}::uuid[])
          or ${request.installed} and not exists (select from app_credentials a where a.org_id = c.org_id and a.client_id = ${request.app_key}))`.execute(
      tx,
    ),
  )
  return rows
}

async function erasePerson(
  { databases, clock, signal }: Pick<JobContext, 'databases' | 'clock' | 'signal'>,
  person: Person,
): Promise<void> {
  const { org_id: orgId, id, channel_id: channelId, project_id: projectId, remote_id: remoteId } = person
  const channel = { orgId, channelId, projectId, platform: PlatformKey.parse(person.platform) }
  for (let erased = BATCH; erased === BATCH;) {
    signal.throwIfAborted()
    erased = await asSystem(databases.system, async (tx) => {
      const items = await tx
        .selectFrom('inbox_item')
        .select('remote_id')
        .where('org_id', '=', orgId)
        .where('person_id', '=', id)
        .where('deleted_at', 'is', null)
        .limit(BATCH)
        .execute()
      const now = clock.now()
      const changes = items.map((item) => ({ change: 'deleted' as const, remoteId: item.remote_id, at: now }))
      await applyChanges(tx, channel, changes, { now })
      return items.length
    })
  }
  await asSystem(databases.system, async (tx) => {
    await sql`
      update conversation set subject = subject || '{"person": null, "text": ""}'
      where org_id = ${orgId} and channel_id = ${channelId} and subject -> 'person' ->> 'remoteId' = ${remoteId}`.execute(
      tx,
    )
    await tx
      .updateTable('inbox_person')
      .set({ name: '', handle: '', picture_url: null, url: null })
      .where('org_id', '=', orgId)
      .where('id', '=', id)
      .execute()
  })
}
