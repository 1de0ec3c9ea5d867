import { randomUUIDv7 } from 'node:crypto'
import type { ProjectContext } from '../http/route.ts'
import { emit } from '../live/emit.ts'
import type { AssetRow } from './access.ts'
import type { Fitted } from './fitImage.ts'
import { FACTS_VERSION, NOTHING, type FileFacts } from './inspect.ts'
import { fileName } from './names.ts'
import type { MediaStore } from './store.ts'

/** The name of a file's bytes in the store. */
export const storeKey = (orgId: string, assetId: string): string => `${orgId}/${assetId}`

type Detached = { org: { orgId: string }; inTenant<T>(fn: (t: ProjectContext) => Promise<T>): Promise<T> }

/** What is written about a new file by the transaction that writes its row. */
export type Alongside = (t: ProjectContext, assetId: string) => Promise<void>

/**
 * `unlisted`: nobody uploaded it, so the library doesn't show it, and a day later it's deleted unless a post needs it
 * (sweep.ts).
 */
type From = {
  name: string
  altText?: string
  derivedFrom?: string
  /** The limits that a copy was made for (copies.ts). */ fittedFor?: string
  unlisted?: true
}

/** Stores an image made here as a new file of the project: its bytes first, then its row. */
export function keepPicture(
  c: Detached,
  store: MediaStore,
  { bytes, ...facts }: Fitted,
  from: From,
  alongside?: Alongside,
): Promise<AssetRow> {
  return keepFile(
    c,
    store,
    (key) => store.put(key, bytes),
    { ...NOTHING, ...facts, bytes: bytes.length },
    from,
    alongside,
  )
}

/** The same for any file: `put` stores its bytes under their key. */
export async function keepFile(
  c: Detached,
  store: MediaStore,
  put: (key: string) => Promise<void>,
  facts: FileFacts & { bytes: number },
  from: From,
  alongside: Alongside = async () => {},
): Promise<AssetRow> {
  const id = randomUUIDv7()
  const key = storeKey(c.org.orgId, id)
  await put(key)
  try {
    return await c.inTenant(async (t) => {
      const row = await t.tx
        .insertInto('asset')
        .values({
          org_id: t.org.orgId,
          id,
          project_id: t.project.projectId,
          state: 'ready',
          file_name: fileName(from.name, facts.contentType),
          ...columnsOf(facts),
          alt_text: from.altText ?? '',
          store_key: key,
          derived_from: from.derivedFrom ?? null,
          fitted_for: from.fittedFor ?? null,
          created_at: t.now,
          created_by: t.caller.personId,
          ...(from.unlisted && { deleted_at: t.now }),
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

/** A file's facts, as its row has them. */
export function columnsOf({ contentType, ...facts }: FileFacts & { bytes: number }) {
  return { content_type: contentType, bytes: facts.bytes, ...readColumns(facts) }
}

/** Those of them that are read from the file. */
export function readColumns(facts: Omit<FileFacts, 'contentType'>) {
  const { width, height, seconds, pages, rotation, frames, chroma } = facts
  return {
    width,
    height,
    seconds,
    pages,
    rotation,
    frames,
    chroma,
    video_codec: facts.videoCodec,
    audio_codec: facts.audioCodec,
    frame_rate: facts.frameRate,
    bit_depth: facts.bitDepth,
    color_space: facts.colorSpace,
    facts_version: FACTS_VERSION,
  }
}
