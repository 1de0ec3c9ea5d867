import { sql } from 'kysely'
import { MEDIA_BEFORE_CHANNEL } from '#contract/constants.ts'
import { UPLOAD } from '#contract/media.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import { platformsOf } from '../channels/access.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import { kindOf } from './fileType.ts'

type Place = { orgId: string; projectId: string }

/**
 * Why a file of so many bytes is not taken at all, or undefined: pictures and documents by fixed limits, videos by the
 * largest that a connected platform takes, 500 MB at least. What a post may carry is less, and asked when it is sent.
 */
export async function bytesTooMany(tx: Tx, at: Place, contentType: string, bytes: number): Promise<string | undefined> {
  const kind = contentType === '' || contentType === 'application/octet-stream' ? 'image' : kindOf(contentType)
  const most = kind === 'image' ? UPLOAD.imageBytes : kind === 'document' ? UPLOAD.documentBytes : await largestVideo(tx, at)
  return bytes > most ? `${kind} size cannot exceed ${most / 1_000_000} MB` : undefined
}

/** The most bytes that a video of the project may have. */
export async function largestVideo(tx: Tx, at: Place): Promise<number> {
  const platforms = await platformsOf(tx, at)
  return Math.max(MEDIA_BEFORE_CHANNEL.videoBytes, ...platforms.flatMap((platform) => platformRules[platform].posts.map(({ videos }) => videos.bytes)))
}

/** An upload can be resumed for a day; then its place is free again. */
export const UPLOAD_HOURS = 24

/** Refuses (LIMIT_EXCEEDED) one more upload while too many, or too many bytes, of the project are unfinished. Its announcements wait for each other. */
export async function mustFitQuota(tx: Tx, { orgId, projectId }: Place, bytes: number, now: Date): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`uploads ${projectId}`}, 0))`.execute(tx)
  const since = new Date(now.getTime() - UPLOAD_HOURS * 3_600_000)
  const { rows } = await sql<{ files: number; bytes: number }>`
    select count(*)::int as files, coalesce(sum(bytes), 0)::float8 as bytes from asset
    where org_id = ${orgId} and project_id = ${projectId} and state = 'uploading' and created_at > ${since}`.execute(tx)
  const [unfinished] = rows
  if ((unfinished?.files ?? 0) >= UPLOAD.unfinished) throw fail('LIMIT_EXCEEDED', { detail: `${UPLOAD.unfinished} uploads of this project are not finished yet. Wait until some are, or remove them.` })
  if ((unfinished?.bytes ?? 0) + bytes > UPLOAD.unfinishedBytes) throw fail('LIMIT_EXCEEDED', { detail: `Uploads of more than ${UPLOAD.unfinishedBytes / 1_000_000_000} GB are not finished yet. Wait until some are, or remove them.` })
}
