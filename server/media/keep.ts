import { randomUUIDv7 } from 'node:crypto'
import type { InTenant } from '../http/route.ts'
import { emit } from '../live/emit.ts'
import type { AssetRow } from './access.ts'
import type { Fitted } from './image.ts'
import { fileName } from './names.ts'
import type { MediaStore } from './store.ts'

export const storeKey = (orgId: string, assetId: string): string => `${orgId}/${assetId}`

type Detached = { org: { orgId: string }; inTenant<T>(fn: (t: InTenant) => Promise<T>): Promise<T> }

/** What is written of a new file by the transaction that writes its row. */
export type Alongside = (t: InTenant, assetId: string) => Promise<void>

/** Keeps a picture that was made here as a new file of the project: its bytes first, then its row. */
export async function keepPicture(c: Detached, store: MediaStore, picture: Fitted, from: { name: string; altText?: string; derivedFrom?: string }, alongside: Alongside = async () => {}): Promise<AssetRow> {
  const id = randomUUIDv7()
  const key = storeKey(c.org.orgId, id)
  await store.put(key, picture.bytes)
  try {
    return await c.inTenant(async (t) => {
      const row = await t.tx
        .insertInto('asset')
        .values({
          org_id: t.org.orgId,
          id,
          project_id: t.project.projectId,
          state: 'ready',
          file_name: fileName(from.name, picture.contentType),
          content_type: picture.contentType,
          bytes: picture.bytes.length,
          width: picture.width,
          height: picture.height,
          alt_text: from.altText ?? '',
          store_key: key,
          derived_from: from.derivedFrom ?? null,
          created_at: t.now,
          created_by: t.caller.personId,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      await alongside(t, id)
      await emit(t.tx, { orgId: t.org.orgId, projectId: t.project.projectId, kind: 'asset', ref: id }, t.now)
      return row
    })
  } catch (error) {
    await store.delete(key)
    throw error
  }
}
