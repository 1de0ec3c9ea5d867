import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { MEDIA_BEFORE_CHANNEL } from '#contract/constants.ts'
import { IMPORTS, UPLOAD } from '#contract/media.ts'
import type { MediaProblem } from '#contract/mediaProblems.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import { problem } from '#contract/postProblems.ts'
import { platformsOf } from '../access/channels.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import { kindOf } from './fileType.ts'

export type Place = { orgId: string; projectId: string }

/**
 * Why a file of this size isn't accepted at all, or undefined: images and documents have fixed limits, videos that of
 * the largest connected platform, at least 500 MB. A post's own limits are lower, and checked when it's submitted.
 */
export async function bytesTooMany(
  tx: Tx,
  at: Place,
  contentType: string,
  bytes: number,
): Promise<MediaProblem | undefined> {
  const kind = contentType === '' || contentType === 'application/octet-stream' ? 'image' : kindOf(contentType)
  const most =
    kind === 'image' ? UPLOAD.imageBytes : kind === 'document' ? UPLOAD.documentBytes : await largestVideo(tx, at)
  return bytes > most ? { code: 'too-large', kind, bytes: most } : undefined
}

/** The maximum size of a video in the project, in bytes. */
export async function largestVideo(tx: Tx, at: Place): Promise<number> {
  const platforms = await platformsOf(tx, at)
  return Math.max(
    MEDIA_BEFORE_CHANNEL.videoBytes,
    ...platforms.flatMap((platform) => platformRules[platform].posts.map(({ videos }) => videos.bytes)),
  )
}

/** An import is over by then, whatever became of it: longer than its download and inspection may take. */
const LONGEST_IMPORT_MS = 5 * 60_000
const DAY_MS = 24 * 3_600_000

/**
 * Records that a file is requested from a URL; returns the record's id. Throws LIMIT_EXCEEDED once the organization has
 * imported as many files or bytes within a day as it may, and with `waitedFor` if too many are running. Bytes count
 * whatever became of them. Imports of an organization wait for each other here.
 */
export async function beginImport(
  tx: Tx,
  { orgId, projectId }: Place,
  now: Date,
  { waitedFor }: { waitedFor: boolean },
): Promise<string> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`imports ${orgId}`}, 0))`.execute(tx)
  const { rows } = await sql<{ files: number; bytes: number; busy: number }>`
    select count(*)::int as files, coalesce(sum(bytes), 0)::float8 as bytes, count(*) filter (where ended_at is null and began_at > ${new Date(now.getTime() - LONGEST_IMPORT_MS)})::int as busy
    from asset_import where org_id = ${orgId} and began_at > ${new Date(now.getTime() - DAY_MS)}`.execute(tx)
  const { files, bytes, busy } = rows[0] ?? { files: 0, bytes: 0, busy: 0 }
  if (waitedFor && busy >= IMPORTS.atOnce)
    throw fail('LIMIT_EXCEEDED', {
      detail: `${IMPORTS.atOnce} files are already being imported. Wait until one is done.`,
    })
  if (files >= IMPORTS.filesADay || bytes >= IMPORTS.bytesADay)
    throw fail('LIMIT_EXCEEDED', {
      problem: problem('import-limit', { files: IMPORTS.filesADay, bytes: IMPORTS.bytesADay }),
    })
  const id = randomUUIDv7()
  await tx.insertInto('asset_import').values({ org_id: orgId, id, project_id: projectId, began_at: now }).execute()
  return id
}

/** The import is over, after this many bytes. */
export async function endImport(tx: Tx, orgId: string, id: string, bytes: number, now: Date): Promise<void> {
  await tx
    .updateTable('asset_import')
    .set({ ended_at: now, bytes })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
}

/** Deletes imports that no longer count, of all tenants, as the system role. */
export async function forgetImports(tx: Tx, now: Date): Promise<void> {
  await tx
    .deleteFrom('asset_import')
    .where('began_at', '<', new Date(now.getTime() - DAY_MS))
    .execute()
}
