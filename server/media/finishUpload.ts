import { rm } from 'node:fs/promises'
import { asTenant } from '../db/tenant.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import { emit } from '../live/emit.ts'
import type { AssetRow } from './access.ts'
import { inspectImage, type ImageFacts } from './image.ts'
import { withoutMetadata } from './metadata.ts'
import { fileName } from './names.ts'
import type { UploadDesk } from './uploads.ts'
import type { UploadTicket } from './uploadToken.ts'

/**
 * What a file becomes once its last byte is here: ready, when its bytes are a picture, or refused with the reason
 * (MEDIA_REFUSED), its bytes gone. `path` is where it lies.
 */
export async function finishUpload(desk: UploadDesk, { orgId, assetId }: UploadTicket, path: string): Promise<void> {
  const inspected = await inspectImage(path)
  const clean = inspected.kind === 'image' ? await withoutMetadata(path, inspected.facts) : { path, bytes: 0 }
  const now = desk.clock.now()
  await asTenant(desk.databases.web, orgId, async (tx) => {
    const asset = await tx.selectFrom('asset').selectAll().where('org_id', '=', orgId).where('id', '=', assetId).where('state', '=', 'uploading').forUpdate().executeTakeFirst()
    if (!asset) throw fail('NOT_FOUND')
    if (inspected.kind === 'refused') await tx.updateTable('asset').set({ state: 'refused', problem: inspected.reason }).where('org_id', '=', orgId).where('id', '=', assetId).execute()
    else await makeReady(tx, desk, asset, { ...inspected.facts, bytes: clean.bytes }, clean.path)
    await emit(tx, { orgId, projectId: asset.project_id, kind: 'asset', ref: assetId }, now)
  })
  if (inspected.kind === 'refused') {
    await desk.files.remove(assetId)
    throw fail('MEDIA_REFUSED', { detail: inspected.reason })
  }
  await rm(path, { force: true })
  await desk.files.configstore.delete(assetId)
}

async function makeReady(tx: Tx, desk: UploadDesk, asset: AssetRow, { contentType, width, height, bytes }: ImageFacts & { bytes: number }, path: string): Promise<void> {
  const facts = { state: 'ready', content_type: contentType, file_name: fileName(asset.file_name, contentType), bytes, width, height }
  await tx.updateTable('asset').set(facts).where('org_id', '=', asset.org_id).where('id', '=', asset.id).execute()
  // last: an error here undoes the row, and the upload can be finished again
  await desk.media.take(asset.store_key, path)
}

/** An upload that cannot go on, such as on a full disk: neither its row nor its bytes stay. */
export async function giveUpUpload(desk: UploadDesk, { orgId, assetId }: UploadTicket): Promise<void> {
  await desk.files.remove(assetId).catch((error: unknown) => desk.log.warn({ err: error }, 'a broken upload could not be removed'))
  await asTenant(desk.databases.web, orgId, (tx) => tx.deleteFrom('asset').where('org_id', '=', orgId).where('id', '=', assetId).where('state', '=', 'uploading').execute())
}
