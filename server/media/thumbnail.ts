import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { removeThumbnail as removeEndpoint, setThumbnail as setEndpoint } from '#contract/media.ts'
import { fail } from '../errors.ts'
import type { DetachedContext, ProjectContext } from '../http/route.ts'
import { loadAsset, type AssetRow } from './access.ts'
import { fitImage } from './fitImage.ts'
import { inspectImage } from './image.ts'
import { storeKey } from './keep.ts'
import { kindOf } from './fileType.ts'
import { mediaRefused } from './refused.ts'
import type { MediaStore } from './store.ts'

/** What every platform accepts that takes thumbnails. */
const LIMITS = { types: ['image/jpeg'], bytes: 2_000_000 } as const

/**
 * Sets the video's thumbnail: redrawn as JPEG, upright and without metadata, replacing the previous one. Throws
 * MEDIA_REFUSED, LIMIT_EXCEEDED, and POST_LOCKED while a post sent for approval uses the video.
 */
export async function setThumbnail(c: DetachedContext<typeof setEndpoint>, store: MediaStore): Promise<AssetRow> {
  const { seconds } = c.body
  await c.inTenant((t) => loadVideo(t, c.params.assetId))
  const picture = Buffer.from(c.body.image, 'base64')
  const inspected = await inspectImage(picture, c.org.orgId)
  if (inspected.kind === 'refused') throw mediaRefused(inspected.problem)
  const drawn = await fitImage(picture, LIMITS, c.org.orgId)
  if (!drawn) throw fail('MEDIA_REFUSED', { detail: "This image can't be made small enough." })
  const key = storeKey(c.org.orgId, randomUUIDv7())
  await store.put(key, drawn.bytes)
  try {
    return await change(c, store, {
      thumbnail_key: key,
      thumbnail_bytes: drawn.bytes.length,
      thumbnail_width: drawn.width,
      thumbnail_height: drawn.height,
      thumbnail_seconds: seconds,
    })
  } catch (error) {
    await store.delete(key)
    throw error
  }
}

/** Removes the thumbnail, if there is one. */
export async function removeThumbnail(c: DetachedContext<typeof removeEndpoint>, store: MediaStore): Promise<AssetRow> {
  return await change(c, store, {
    thumbnail_key: null,
    thumbnail_bytes: null,
    thumbnail_width: null,
    thumbnail_height: null,
    thumbnail_seconds: null,
  })
}

type Thumbnail = Pick<
  AssetRow,
  'thumbnail_key' | 'thumbnail_bytes' | 'thumbnail_width' | 'thumbnail_height' | 'thumbnail_seconds'
>

async function change(
  c: Pick<DetachedContext<typeof setEndpoint>, 'inTenant'> & { params: { assetId: string } },
  store: MediaStore,
  to: Thumbnail,
): Promise<AssetRow> {
  const { before, after } = await c.inTenant(async (t) => {
    const before = await loadVideo(t, c.params.assetId)
    const changed = await t.tx
      .updateTable('asset')
      .set(to)
      .where('org_id', '=', before.org_id)
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await t.emit({ kind: 'asset', ref: before.id })
    return { before, after: changed }
  })
  if (before.thumbnail_key !== null) await store.delete(before.thumbnail_key)
  return after
}

/** A complete video, locked, whose thumbnail may change: what someone approves must stay what they saw. */
async function loadVideo(t: ProjectContext, assetId: string): Promise<AssetRow> {
  await loadAsset(t, assetId)
  const asset = await t.tx
    .selectFrom('asset')
    .selectAll()
    .where('org_id', '=', t.org.orgId)
    .where('id', '=', assetId)
    .forUpdate()
    .executeTakeFirst()
  if (!asset) throw fail('NOT_FOUND')
  if (asset.state !== 'ready' || kindOf(asset.content_type) !== 'video')
    throw fail('MEDIA_REFUSED', { detail: 'Only videos have thumbnails.' })
  const { rows } = await sql`
    select 1 from post_asset u join approval a on a.org_id = u.org_id and a.post_id = u.post_id join post p on p.org_id = u.org_id and p.id = u.post_id
    where u.org_id = ${asset.org_id} and u.asset_id = ${asset.id} and a.state in ('open', 'approved') and p.state not in ('DRAFTS', 'REJECTED', 'PUBLISHED', 'DELETED') limit 1`.execute(
    t.tx,
  )
  if (rows.length > 0)
    throw fail('POST_LOCKED', {
      detail: 'A post that was sent for approval uses this thumbnail. Attach the video again to choose another one.',
    })
  return asset
}
