import { sql } from 'kysely'
import { asSystem } from '../db/system.ts'
import { eachAlone } from '../jobs/eachAlone.ts'
import type { JobContext } from '../jobs/job.ts'
import { UPLOAD_HOURS } from './uploadQuota.ts'
import type { UploadContext } from './uploads.ts'

type Logged = Partial<Pick<JobContext, 'log'>>

const ABANDONED_MS = UPLOAD_HOURS * 3_600_000

/**
 * Deletes uploads that began more than a day ago and weren't finished: rows of all tenants and their bytes on the disk.
 * Returns how many rows.
 */
export async function sweepUploads(context: UploadContext & Logged): Promise<number> {
  const before = new Date(context.clock.now().getTime() - ABANDONED_MS)
  const rows = await asSystem(context.databases.system, (tx) =>
    tx
      .deleteFrom('asset')
      .where('state', '=', 'uploading')
      .where('created_at', '<', before)
      .returning('store_key')
      .execute(),
  )
  // a complete file whose row was never committed
  const failed = "the bytes of an abandoned upload couldn't be deleted"
  await eachAlone(context, rows, { name: ({ store_key: key }) => ({ key }), failed }, ({ store_key: key }) =>
    context.media.delete(key),
  )
  await context.staging.sweep(before)
  return rows.length
}

/**
 * A deleted file can be restored for this long, a page's image waits for its post, and posts being written with it can
 * still be saved.
 */
const KEPT_MS = 24 * 3_600_000
/** How many of one project in a pass, and how many projects: the rest is left for later passes. */
const [FILES, PROJECTS] = [500, 200]

type Sweeper = Pick<UploadContext, 'databases' | 'clock' | 'media'> & Logged

/**
 * Removes files that were deleted from the library more than a day ago and that no post, no reply
 * and no link in bio page needs: rows of all tenants and their bytes. A deleted post still needs its files, because it can be restored. Returns how many.
 */
export async function sweepDeleted(context: Sweeper): Promise<number> {
  const before = new Date(context.clock.now().getTime() - KEPT_MS)
  // at random here and below: files that a post names without recorded use are found again by every pass, and must not
  // block others
  const projects = await asSystem(context.databases.system, async (tx) => {
    const { rows } =
      await sql<InProject>`select org_id as "orgId", project_id as "projectId" from asset a where ${unnoted(before)} group by org_id, project_id order by random() limit ${PROJECTS}`.execute(
        tx,
      )
    return rows
  })
  let removed = 0
  const failed = "deleted files of a project couldn't be removed"
  await eachAlone(context, projects, { name: ({ projectId }) => ({ projectId }), failed }, async (project) => {
    removed += await sweepProject(context, project, before)
  })
  return removed
}

type InProject = { orgId: string; projectId: string }

const unnoted = (before: Date) =>
  sql`a.deleted_at < ${before} and not exists (select from post_asset u where u.org_id = a.org_id and u.asset_id = a.id)
    and not exists (select from reply r where r.org_id = a.org_id and r.asset_ids @> array[a.id])
    and not exists (select from bio_page b where b.org_id = a.org_id and b.picture_asset_id = a.id)`

/** Anything that looks like an id. The project's posts are read once, however many files there are. */
const NAMED = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'

async function sweepProject(context: Sweeper, { orgId, projectId }: InProject, before: Date): Promise<number> {
  return await asSystem(context.databases.system, async (tx) => {
    // locked first and checked again afterwards: a post that starts using the file in the meantime either is seen here
    // or waits and finds it gone
    const { rows: locked } = await sql<{ id: string }>`
      select a.id from asset a where a.org_id = ${orgId} and a.project_id = ${projectId} and ${unnoted(before)} order by random() limit ${FILES} for update of a skip locked`.execute(
      tx,
    )
    if (locked.length === 0) return 0
    const { rows } = await sql<{ store_key: string; thumbnail_key: string | null }>`
      with named as materialized (
        select distinct m[1]::uuid as id from post p, regexp_matches(concat_ws(' ', p.contents, p.details, p.draft), ${`(${NAMED})`}, 'g') as m
        where p.org_id = ${orgId} and p.project_id = ${projectId}
      )
      delete from asset a where a.org_id = ${orgId} and a.id = any(${locked.map(({ id }) => id)}::uuid[]) and ${unnoted(before)} and not exists (select from named n where n.id = a.id)
      returning a.store_key, a.thumbnail_key`.execute(tx)
    // before the commit: failures here are retried within the hour, and nothing is left behind
    for (const { store_key: key, thumbnail_key: thumbnail } of rows)
      for (const one of thumbnail === null ? [key] : [key, thumbnail]) await context.media.delete(one)
    return rows.length
  })
}
