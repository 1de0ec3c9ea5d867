import { join } from 'node:path'
import { randomUUIDv7 } from 'node:crypto'
import { Upload } from '@tus/server'
import type { z } from 'zod'
import { MEDIA_LINK_HOURS } from '#contract/constants.ts'
import type { createUpload } from '#contract/media.ts'
import { problem } from '#contract/postProblems.ts'
import type { Clock } from '../clock.ts'
import type { Databases } from '../db/pools.ts'
import type { Env } from '../env.ts'
import { fail } from '../errors.ts'
import type { Context } from '../http/route.ts'
import type { Log } from '../log.ts'
import { installationSecret } from '../secret.ts'
import { notTaken } from './inspect.ts'
import { storeKey } from './keep.ts'
import { bytesTooMany } from './limits.ts'
import { displayName, fileName } from './names.ts'
import { mediaRefused } from './refused.ts'
import { hasRoom, mustFitQuota } from './uploadQuota.ts'
import type { UploadStaging } from './staging.ts'
import type { MediaStore } from './store.ts'
import { signTicket } from './uploadToken.ts'

export const UPLOAD_PATH = '/api/upload'
const TICKET_MS = MEDIA_LINK_HOURS * 3_600_000

export type UploadDeps = { env: Env; clock: Clock; databases: Databases; media: MediaStore; log: Log }

/** The local folder in which files are inspected and changed. */
export const scratchFolder = ({ DATA_DIR }: Pick<Env, 'DATA_DIR'>): string => join(DATA_DIR, 'media', 'uploads')

/** Where unfinished uploads are, and the key that signs their URLs. Shared by announcing, receiving and sweeping. */
export type UploadContext = UploadDeps & {
  /** Local scratch space. */ folder: string
  key: string
  staging: UploadStaging
  /** Whether the disk has room for this many more bytes. */ hasRoom: (bytes: number) => Promise<boolean>
}

export function openUploads(deps: UploadDeps, staging: UploadStaging): UploadContext {
  const folder = scratchFolder(deps.env)
  return {
    ...deps,
    folder,
    key: installationSecret(deps.env, 'uploads'),
    staging,
    hasRoom: (bytes) => hasRoom(folder, bytes),
  }
}

/**
 * Announces a file: its row, its empty place, and the URL that accepts its bytes for a day. Throws MEDIA_REFUSED for
 * files that certainly can't be attached or are too large, LIMIT_EXCEEDED if too much is unfinished or arrived today,
 * UPLOAD_FAILED if there is no room.
 */
export async function announce(
  c: Context<typeof createUpload>,
  context: UploadContext,
): Promise<z.output<(typeof createUpload)['reply']>> {
  const { contentType, bytes } = c.body
  // only a hint: the bytes decide once they're here
  if (!/^(?:image|video)\/|^application\/(?:pdf|octet-stream)$|^$/.test(contentType))
    throw mediaRefused(notTaken(contentType))
  const at = { orgId: c.org.orgId, projectId: c.project.projectId }
  const tooMany = await bytesTooMany(c.tx, at, contentType, bytes)
  if (tooMany !== undefined) throw mediaRefused(tooMany)
  const stalled = await mustFitQuota(c.tx, { ...at, personId: c.caller.personId }, bytes, c.now, context.staging)
  c.afterCommit(() => {
    for (const id of stalled)
      context.staging
        .forget(id)
        .catch((error: unknown) => context.log.warn({ err: error }, "a stalled upload couldn't be removed"))
  })
  await mustHaveRoom(context, bytes)
  const assetId = randomUUIDv7()
  await c.tx
    .insertInto('asset')
    .values({
      org_id: c.org.orgId,
      id: assetId,
      project_id: c.project.projectId,
      state: 'uploading',
      file_name: fileName(c.body.fileName, contentType),
      display_name: displayName(c.body.fileName),
      content_type: contentType,
      bytes,
      width: null,
      height: null,
      problem: null,
      store_key: storeKey(c.org.orgId, assetId),
      derived_from: null,
      created_at: c.now,
      created_by: c.caller.personId,
    })
    .execute()
  await context.staging.files.create(new Upload({ id: assetId, size: bytes, offset: 0 })).catch((cause: unknown) => {
    throw fail('UPLOAD_FAILED', { cause })
  })
  const ticket = { orgId: c.org.orgId, assetId, expiresAt: new Date(c.now.getTime() + TICKET_MS) }
  return { assetId, uploadUrl: `${UPLOAD_PATH}/${signTicket(context.key, ticket)}` }
}

/** Throws UPLOAD_FAILED if this many bytes would fill the disk. */
export async function mustHaveRoom(context: Pick<UploadContext, 'hasRoom' | 'log'>, bytes: number): Promise<void> {
  if (await context.hasRoom(bytes)) return
  context.log.error({ bytes }, 'the disk of DATA_DIR is nearly full: uploads are rejected')
  throw fail('UPLOAD_FAILED', { problem: problem('disk-full') })
}
