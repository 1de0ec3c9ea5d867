import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import { UPLOAD } from '#contract/media.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import type { Place } from './limits.ts'
import type { UploadStaging } from './staging.ts'

/** An upload can be resumed for a day; then its place is free again. */
export const UPLOAD_HOURS = 24
const DAY_MS = 24 * 3_600_000
/**
 * An upload that received no byte for this long gives its place to the same person's next one: its page is gone, as
 * after a reload.
 */
const STALLED_MS = 10 * 60_000

type Unfinished = { id: string; bytes: number; created_at: Date }

/**
 * Makes room for one more upload of a person, or throws LIMIT_EXCEEDED while too many, or too many bytes, of theirs are
 * unfinished, or the organization has uploaded as much in a day as it may. Returns stalled uploads that gave up their
 * places: their rows are deleted, and what `staging` has of them should be removed after the commit. One person's
 * announcements wait for each other here.
 */
export async function mustFitQuota(
  tx: Tx,
  { orgId, projectId, personId }: Place & { personId: string },
  bytes: number,
  now: Date,
  staging: UploadStaging,
): Promise<string[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`uploads ${projectId} ${personId}`}, 0))`.execute(tx)
  const today = await sql<{ bytes: number }>`
    select coalesce(sum(a.bytes), 0)::float8 as bytes from project p join asset a on a.org_id = p.org_id and a.project_id = p.id
    where p.org_id = ${orgId} and a.created_at > ${new Date(now.getTime() - DAY_MS)}`.execute(tx)
  if ((today.rows[0]?.bytes ?? 0) + bytes > UPLOAD.bytesADay)
    throw fail('LIMIT_EXCEEDED', {
      detail: `Your organization can upload up to ${UPLOAD.bytesADay / 1_000_000_000} GB per day. Try again tomorrow.`,
    })
  const { rows } = await sql<Unfinished>`
    select id, bytes::float8 as bytes, created_at from asset
    where org_id = ${orgId} and project_id = ${projectId} and created_by = ${personId} and state = 'uploading' and created_at > ${new Date(now.getTime() - UPLOAD_HOURS * 3_600_000)}`.execute(
    tx,
  )
  const problem = tooMuch(rows, bytes)
  if (problem === undefined) return []
  const stalled = await stalledOf(rows, now, staging)
  const still = tooMuch(
    rows.filter(({ id }) => !stalled.includes(id)),
    bytes,
  )
  if (still !== undefined) throw fail('LIMIT_EXCEEDED', { detail: still, meta: { limit: 'unfinished-uploads' } })
  await sql`delete from asset where org_id = ${orgId} and id = any(${stalled}::uuid[]) and state = 'uploading'`.execute(
    tx,
  )
  return stalled
}

function tooMuch(unfinished: readonly Unfinished[], bytes: number): string | undefined {
  if (unfinished.length >= UPLOAD.unfinished)
    return `${UPLOAD.unfinished} of your uploads here aren't finished yet. Wait until some are, or remove some under “Unfinished uploads”.`
  const all = unfinished.reduce((sum, upload) => sum + upload.bytes, bytes)
  return all > UPLOAD.unfinishedBytes
    ? `Your unfinished uploads here may have ${UPLOAD.unfinishedBytes / 1_000_000_000} GB in total. Wait until some are finished, or remove some under “Unfinished uploads”.`
    : undefined
}

async function stalledOf(unfinished: readonly Unfinished[], now: Date, staging: UploadStaging): Promise<string[]> {
  const since = new Date(now.getTime() - STALLED_MS)
  const stalled = await Promise.all(
    unfinished.map(async ({ id, created_at: announced }) => {
      if (announced > since) return []
      const last = await staging.lastByteAt(id)
      return last && last > since ? [] : [id]
    }),
  )
  return stalled.flat()
}

/**
 * How much of the disk stays free, a twentieth of a small one: for the database, which may be on it, and for people who
 * have to free space.
 */
const RESERVE = 2_000_000_000

/** Whether the disk under `folder` keeps its reserve after this many more bytes. */
export async function hasRoom(folder: string, bytes: number): Promise<boolean> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return bavail * bsize - bytes >= Math.min(RESERVE, (blocks * bsize) / 20)
}
