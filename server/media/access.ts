import type { Selectable } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import type { Database } from '../db/schema.ts'
import { fail } from '../errors.ts'
import { kindOf } from './fileType.ts'

export type AssetRow = Selectable<Database['asset']>
type Asker = { tx: Tx; org: { orgId: string }; project: { projectId: string } }

/** A file of the project. Absent, foreign or of another project: NOT_FOUND. */
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

/** Where the signed-in person's browser reads a file. */
export const assetUrl = (asset: { org_id: string; project_id: string; id: string }): string =>
  `/api/${asset.org_id}/project/${asset.project_id}/asset/${asset.id}/file`

/** Where it reads what the file looks like, small; null for what has no picture. Another thumbnail has another address. */
export const previewUrl = (
  asset: Pick<AssetRow, 'org_id' | 'project_id' | 'id' | 'state' | 'content_type' | 'thumbnail_key'>,
): string | null => {
  if (asset.state !== 'ready') return null
  const path = `/api/${asset.org_id}/project/${asset.project_id}/asset/${asset.id}/preview`
  if (kindOf(asset.content_type) === 'image') return path
  return asset.thumbnail_key === null ? null : `${path}?of=${asset.thumbnail_key.slice(-12)}`
}

/** Where it reads the picture that stands for a video; another picture has another address. */
export const thumbnailUrl = (asset: {
  org_id: string
  project_id: string
  id: string
  thumbnail_key: string | null
}): string | null =>
  asset.thumbnail_key === null
    ? null
    : `/api/${asset.org_id}/project/${asset.project_id}/asset/${asset.id}/thumbnail?of=${asset.thumbnail_key.slice(-12)}`
