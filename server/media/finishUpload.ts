import { stat } from 'node:fs/promises'
import { MediaProblem } from '#contract/mediaProblems.ts'
import { asTenant } from '../db/tenant.ts'
import type { Tx } from '../db/kysely.ts'
import { fail, Failure } from '../errors.ts'
import { failureOf } from '../http/problem.ts'
import { emit } from '../live/emit.ts'
import type { AssetRow } from './access.ts'
import { cleanFile, inspectFile, type FileFacts } from './inspect.ts'
import { columnsOf } from './keep.ts'
import { bytesTooMany } from './limits.ts'
import { fileName } from './names.ts'
import { mediaRefused } from './refused.ts'
import type { UploadContext } from './uploads.ts'
import type { UploadTicket } from './uploadToken.ts'

const finishing = new Map<string, Promise<void>>()
/** Whether the upload is being finished in this process. */
export const isFinishing = (assetId: string): boolean => finishing.has(assetId)

/**
 * What happens to a file after its last byte: it becomes ready if its bytes are an image, a video or a document, or is
 * refused with the reason (MEDIA_REFUSED) and its bytes are deleted. A repeated request during the inspection waits for
 * the same one: an upload's URL can be requested any number of times.
 */
export function finishUpload(context: UploadContext, ticket: UploadTicket): Promise<void> {
  const begun = finishing.get(ticket.assetId)
  if (begun) return begun
  const work = finish(context, ticket)
    .catch((error: unknown) => discardBroken(context, ticket, error))
    .finally(() => finishing.delete(ticket.assetId))
  finishing.set(ticket.assetId, work)
  return work
}

/**
 * After the last byte, the client has nothing left to send, so an upload that fails here would count as unfinished for
 * a day. It's removed, unless repeating the request can still finish it: after a declared failure, or while the
 * database is unavailable.
 */
async function discardBroken(context: UploadContext, ticket: UploadTicket, thrown: unknown): Promise<never> {
  const { failure } = failureOf(thrown)
  if (failure.code !== 'INTERNAL') throw failure
  context.log.error({ err: thrown }, 'an upload failed after its last byte and was removed')
  await giveUpUpload(context, ticket)
  throw new Failure('UPLOAD_FAILED', { cause: thrown })
}

async function finish(context: UploadContext, { orgId, assetId }: UploadTicket): Promise<void> {
  const announced = await asTenant(context.databases.web, orgId, (tx) =>
    tx
      .selectFrom('asset')
      .select(['content_type', 'project_id', 'state'])
      .where('org_id', '=', orgId)
      .where('id', '=', assetId)
      .executeTakeFirst(),
  )
  // another request has just finished it
  if (announced?.state === 'ready') return
  if (announced?.state !== 'uploading') throw fail('NOT_FOUND')
  const path = await context.staging.localFile(assetId)
  const inspected = await inspectFile(path, announced.content_type, orgId)
  const { size } = await stat(path)
  // a file announced as another kind has the limit of its actual kind, before all of it is read to be cleaned
  const unfit =
    inspected.kind === 'refused'
      ? inspected.problem
      : await asTenant(context.databases.web, orgId, (tx) =>
          bytesTooMany(tx, { orgId, projectId: announced.project_id }, inspected.facts.contentType, size),
        )
  const clean =
    unfit === undefined && inspected.kind === 'file'
      ? await cleanFile(path, { facts: inspected.facts, bytes: size }, orgId).catch(refusalIn)
      : undefined
  const problem = clean && 'problem' in clean ? clean.problem : unfit
  const now = context.clock.now()
  await asTenant(context.databases.web, orgId, async (tx) => {
    const asset = await tx
      .selectFrom('asset')
      .selectAll()
      .where('org_id', '=', orgId)
      .where('id', '=', assetId)
      .where('state', '=', 'uploading')
      .forUpdate()
      .executeTakeFirst()
    if (!asset) throw fail('NOT_FOUND')
    if (clean && !('problem' in clean)) await makeReady(tx, context, asset, clean.facts, clean.path)
    else
      await tx
        .updateTable('asset')
        .set({ state: 'refused', problem: problem ? JSON.stringify(problem) : null })
        .where('org_id', '=', orgId)
        .where('id', '=', assetId)
        .execute()
    await emit(tx, { orgId, projectId: asset.project_id, kind: 'asset', ref: assetId }, now)
  })
  // what is left behind here is swept within a day
  await context.staging
    .forget(assetId)
    .catch((error: unknown) => context.log.warn({ err: error }, "the bytes of a finished upload couldn't be removed"))
  if (problem !== undefined) throw mediaRefused(problem)
}

/** A file too large to be cleaned is refused with its type; any other error is one. */
function refusalIn(error: unknown): { problem: MediaProblem } {
  const { data: problem } = MediaProblem.safeParse(error instanceof Failure && error.facts.meta?.['problem'])
  if (problem) return { problem }
  throw error
}

async function makeReady(
  tx: Tx,
  context: UploadContext,
  asset: AssetRow,
  facts: FileFacts & { bytes: number },
  path: string,
): Promise<void> {
  const row = { state: 'ready', file_name: fileName(asset.file_name, facts.contentType), ...columnsOf(facts) }
  await tx.updateTable('asset').set(row).where('org_id', '=', asset.org_id).where('id', '=', asset.id).execute()
  // last: an error here undoes the row, and the upload can be finished again
  await context.media.take(asset.store_key, path)
}

/** An upload that can't continue, such as on a full disk: neither its row nor its bytes stay. */
export async function giveUpUpload(context: UploadContext, { orgId, assetId }: UploadTicket): Promise<void> {
  await context.staging
    .forget(assetId)
    .catch((error: unknown) => context.log.warn({ err: error }, "a failed upload couldn't be removed"))
  await asTenant(context.databases.web, orgId, (tx) =>
    tx
      .deleteFrom('asset')
      .where('org_id', '=', orgId)
      .where('id', '=', assetId)
      .where('state', '=', 'uploading')
      .execute(),
  )
}
