import type { Selectable } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import type { Database } from '../db/schema.ts'
import { fail } from '../errors.ts'
import { kindOf } from './fileType.ts'

export type AssetRow = Selectable<Database['asset']>
type Asker = { tx: Tx; org: { orgId: string }; project: { projectId: string } }

/** A file of the project. NOT_FOUND if it doesn't exist or belongs to another project or organization. */
export async function loadAsset(c: Asker, assetId: string): Promise<AssetRow> {
  const asset = (await assetsById(c, [assetId])).get(assetId)
  if (!asset) throw fail('NOT_FOUND')
  return asset
}

/** Those of the files that the project has, by id. */
export async function assetsById(
  { tx, org, project }: Asker,
  assetIds: readonly string[],
): Promise<Map<string, AssetRow>> {
  if (assetIds.length === 0) return new Map()
  const rows = await tx
    .selectFrom('asset')
    .selectAll()
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('id', '=', (eb) => eb.fn.any(eb.val([...assetIds])))
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** The URL of a file for the person's browser. */
export const assetUrl = (asset: { org_id: string; project_id: string; id: string }): string =>
  `/api/${asset.org_id}/project/${asset.project_id}/asset/${asset.id}/file`

/** The URL of a small preview; null for files without an image. Another thumbnail has another URL. */
export const previewUrl = (
  asset: Pick<AssetRow, 'org_id' | 'project_id' | 'id' | 'state' | 'content_type' | 'thumbnail_key'>,
): string | null => {
  if (asset.state !== 'ready') return null
  const path = `/api/${asset.org_id}/project/${asset.project_id}/asset/${asset.id}/preview`
  if (kindOf(asset.content_type) === 'image') return path
  return asset.thumbnail_key === null ? null : `${path}?of=${asset.thumbnail_key.slice(-12)}`
}

/** The URL of a video's thumbnail; another image has another URL. */
export const thumbnailUrl = (asset: {
  org_id: string
  project_id: string
  id: string
  thumbnail_key: string | null
}): string | null =>
  asset.thumbnail_key === null
    ? null
    : `/api/${asset.org_id}/project/${asset.project_id}/asset/${asset.id}/thumbnail?of=${asset.thumbnail_key.slice(-12)}`
