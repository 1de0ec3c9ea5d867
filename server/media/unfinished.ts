import type { z } from 'zod'
import type { removeUnfinishedUpload, unfinishedUploads } from '#contract/media.ts'
import { fail } from '../errors.ts'
import type { Context } from '../http/route.ts'
import { UPLOAD_HOURS } from './uploadQuota.ts'
import type { UploadContext } from './uploads.ts'

/** The caller's own unfinished uploads in the project, oldest first. */
export async function findUnfinished(
  c: Context<typeof unfinishedUploads>,
): Promise<z.output<(typeof unfinishedUploads)['reply']>> {
  const rows = await c.tx
    .selectFrom('asset')
    .select(['id', 'file_name', 'display_name', 'bytes', 'created_at'])
    .where('org_id', '=', c.org.orgId)
    .where('project_id', '=', c.project.projectId)
    .where('created_by', '=', c.caller.personId)
    .where('state', '=', 'uploading')
    .where('created_at', '>', new Date(c.now.getTime() - UPLOAD_HOURS * 3_600_000))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return {
    uploads: rows.map((row) => ({
      assetId: row.id,
      displayName: row.display_name ?? row.file_name,
      bytes: row.bytes,
      startedAt: row.created_at.toISOString(),
    })),
  }
}

/**
 * Removes one of the caller's own unfinished uploads, with the bytes that arrived; a browser that still sends it is
 * refused. Throws NOT_FOUND for one that is finished, doesn't exist, or belongs to someone else.
 */
export async function removeUnfinished(
  c: Context<typeof removeUnfinishedUpload>,
  { staging, log }: Pick<UploadContext, 'staging' | 'log'>,
): Promise<void> {
  const { assetId } = c.params
  const removed = await c.tx
    .deleteFrom('asset')
    .where('org_id', '=', c.org.orgId)
    .where('project_id', '=', c.project.projectId)
    .where('id', '=', assetId)
    .where('created_by', '=', c.caller.personId)
    .where('state', '=', 'uploading')
    .returning('id')
    .executeTakeFirst()
  if (!removed) throw fail('NOT_FOUND')
  c.afterCommit(() => {
    staging
      .forget(assetId)
      // what is left behind here is swept within a day
      .catch((error: unknown) => log.warn({ err: error }, "the bytes of an upload couldn't be removed"))
  })
}
