import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { paginationOf } from '#contract/common.ts'
import {
  type assetUses,
  type editAsset,
  type getLibraryAsset,
  LibraryAsset,
  type listAssets,
} from '#contract/library.ts'
import { fileNamePattern } from '#contract/media.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import type { CallerOrg, Context } from '../http/route.ts'
import { limitOffset } from '../http/limitOffset.ts'
import { visibleTo } from '../access/visiblePosts.ts'
import { loadAsset, type AssetRow } from './access.ts'
import { mustHaveFolder } from './libraryFolders.ts'
import { fileName } from './names.ts'
import { presentAsset } from './present.ts'

/** The library isn't part of the free plan; files that posts use stay, and can be deleted. Throws PLAN_LIMIT. */
export function mustHaveLibrary({ entitlements }: Pick<CallerOrg, 'entitlements'>): void {
  if (entitlements.closed.includes('asset_library'))
    throw fail('PLAN_LIMIT', {
      detail: "Your plan doesn't include the asset library.",
      meta: { gate: 'asset_library' },
    })
}

const kinds = { image: 'image/%', video: 'video/%', document: 'application/%' } as const
const literally = (words: string): string => `%${words.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** A page of the library, newest first. Copies fitted for a platform are left out; their originals are listed. */
export async function findFiles(c: Context<typeof listAssets>): Promise<z.output<(typeof listAssets)['reply']>> {
  mustHaveLibrary(c.org)
  const { folderId, search, kind } = c.query
  const { limit, offset } = limitOffset(c.query)
  const inFolder =
    folderId === undefined
      ? sql``
      : folderId === 'none'
        ? sql` and a.folder_id is null`
        : sql` and a.folder_id = ${folderId}`
  const named = search
    ? sql` and (a.file_name ilike ${literally(search)} or a.display_name ilike ${literally(search)} or a.alt_text ilike ${literally(search)})`
    : sql``
  const ofKind = kind ? sql` and a.content_type like ${kinds[kind]}` : sql``
  const from = sql`from asset a where a.org_id = ${c.org.orgId} and a.project_id = ${c.project.projectId} and a.deleted_at is null and a.state = 'ready' and a.derived_from is null${inFolder}${named}${ofKind}`
  const { rows: counted } = await sql<{ total: number }>`select count(*) as total ${from}`.execute(c.tx)
  const { rows } =
    await sql<ListedRow>`${shown(c, sql`(select a.* ${from} order by a.created_at desc, a.id desc limit ${limit} offset ${offset})`)} order by f.created_at desc, f.id desc`.execute(
      c.tx,
    )
  const total = counted[0]?.total ?? 0
  return { assets: rows.map(presentFile), pagination: paginationOf(c.query, total) }
}

/** One file as the list shows it. NOT_FOUND if it's deleted, unfinished or foreign. Throws PLAN_LIMIT. */
export async function findFile(c: Context<typeof getLibraryAsset>): Promise<LibraryAsset> {
  mustHaveLibrary(c.org)
  const { rows } =
    await sql<ListedRow>`${shown(c, sql`(select a.* from asset a where a.org_id = ${c.org.orgId} and a.project_id = ${c.project.projectId} and a.id = ${c.params.assetId} and a.deleted_at is null and a.state = 'ready')`)}`.execute(
      c.tx,
    )
  const [row] = rows
  if (!row) throw fail('NOT_FOUND')
  return presentFile(row)
}

type ListedRow = AssetRow & { made_by: string | null; used: number }

type Seer = Parameters<typeof visibleTo>[0]

/** Files with who added them and how many posts visible to the caller use them. */
const shown = (c: Seer, files: RawBuilder<unknown>): RawBuilder<ListedRow> => sql`
  select f.*, nullif(trim(concat_ws(' ', m.first_name, m.last_name)), '') as made_by,
    (select count(*) from post_asset u join post p on p.org_id = u.org_id and p.id = u.post_id where u.org_id = f.org_id and u.asset_id = f.id and p.state <> 'DELETED' and ${visibleTo(c)}) as used
  from ${files} f left join person m on m.id = f.created_by`

function presentFile(row: ListedRow): LibraryAsset {
  return LibraryAsset.parse({
    ...presentAsset(row),
    folderId: row.folder_id,
    createdAt: row.created_at.toISOString(),
    createdBy: row.made_by,
    seconds: row.seconds,
    usedIn: row.used,
  })
}

const MOST_USES = 50

/**
 * The posts that use a file and are visible to the caller, newest first. At most 50 are listed, the rest only counted.
 */
export async function findUses(c: Context<typeof assetUses>): Promise<z.output<(typeof assetUses)['reply']>> {
  const asset = await loadAsset(c, c.params.assetId)
  const using = sql`from post_asset u join post p on p.org_id = u.org_id and p.id = u.post_id where u.org_id = ${c.org.orgId} and u.asset_id = ${asset.id} and p.state <> 'DELETED' and ${visibleTo(c)}`
  const { rows: posts } = await sql<{ postId: string; excerpt: string; status: string }>`
    select p.id as "postId", p.excerpt, p.state as status ${using} order by p.created_at desc, p.id desc limit ${MOST_USES}`.execute(
    c.tx,
  )
  const { rows } = await sql<{ all: number }>`select count(*) as all ${using}`.execute(c.tx)
  return { posts, more: (rows[0]?.all ?? 0) - posts.length }
}

/**
 * Changes name, alt text or folder. A name keeps the extension of its type. Throws PLAN_LIMIT, NOT_FOUND, BAD_INPUT.
 */
export async function editFile(c: Context<typeof editAsset>): Promise<AssetRow> {
  mustHaveLibrary(c.org)
  const asset = await lockListed(c, c.params.assetId)
  const { fileName: name, altText, folderId } = c.body
  if (folderId) await mustHaveFolder(c, folderId, 'folderId')
  const changes = {
    ...(name !== undefined && { file_name: nameOf(name, asset.content_type), display_name: null }),
    ...(altText !== undefined && { alt_text: altText.trim() }),
    ...(folderId !== undefined && { folder_id: folderId }),
  }
  if (Object.keys(changes).length > 0)
    await c.tx.updateTable('asset').set(changes).where('org_id', '=', asset.org_id).where('id', '=', asset.id).execute()
  if (altText !== undefined) await describeCopies(c.tx, asset, altText.trim())
  return asset
}

/** What channels get instead of a file is described as the file is (copies.ts). */
async function describeCopies(tx: Tx, { org_id: orgId, id }: AssetRow, altText: string): Promise<void> {
  await tx
    .updateTable('asset')
    .set({ alt_text: altText })
    .where('org_id', '=', orgId)
    .where('derived_from', '=', id)
    .where('fitted_for', 'is not', null)
    .execute()
}

function nameOf(given: string, contentType: string): string {
  const whole = fileNamePattern.test(given) ? given : `${given}.file`
  if (!fileNamePattern.test(whole))
    throw fail('BAD_INPUT', {
      errors: { fileName: ['Use only the letters A to Z, digits, dots, dashes and underscores.'] },
    })
  return fileName(whole, contentType)
}

/** A file of the library, locked. NOT_FOUND if it's deleted, unfinished or foreign. */
export async function lockListed(
  c: Pick<Context<typeof editAsset>, 'tx' | 'org' | 'project'>,
  assetId: string,
  deleted = false,
): Promise<AssetRow> {
  const asset = await c.tx
    .selectFrom('asset')
    .selectAll()
    .where('org_id', '=', c.org.orgId)
    .where('project_id', '=', c.project.projectId)
    .where('id', '=', assetId)
    .where('state', '=', 'ready')
    .where('deleted_at', deleted ? 'is not' : 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!asset) throw fail('NOT_FOUND')
  return asset
}
