import { z } from 'zod'
import { Done, Id, Instant, PageQuery, Pagination, ProjectParams, WebAddress } from './common.ts'
import { can, endpoint } from './endpoint.ts'
import { Asset } from './media.ts'

export const FolderName = z.string().trim().min(1, 'A name is required').max(50, 'This name is too long')
export const Folder = z.object({ folderId: Id, name: z.string(), parentId: Id.nullable(), assets: z.int() })
export type Folder = z.infer<typeof Folder>

export const LibraryAsset = Asset.extend({
  folderId: Id.nullable(),
  createdAt: Instant,
  createdBy: z.string().nullable(),
  /** Posts that use it and that the caller can see, without deleted ones. */
  usedIn: z.int(),
})
export type LibraryAsset = z.infer<typeof LibraryAsset>
const AssetParams = ProjectParams.extend({ assetId: Id })
const FolderParams = ProjectParams.extend({ folderId: Id })

export const listAssets = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/asset',
  summary: 'List asset library files, newest first',
  access: can('asset_library', 'view'),
  cost: 'list',
  reads: ['asset', 'post'],
  params: ProjectParams,
  query: PageQuery.extend({
    /** `none`: in no folder. */ folderId: z.union([z.literal('none'), Id]).optional(),
    search: z.string().trim().max(100).optional(),
    kind: z.enum(['image', 'video', 'document']).optional(),
  }),
  reply: z.object({ assets: z.array(LibraryAsset), pagination: Pagination }),
  errors: ['PLAN_LIMIT'],
  audit: null,
})
export const getLibraryAsset = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/asset/:assetId/library',
  summary: 'Get a library file',
  access: can('asset_library', 'view'),
  cost: 'light',
  reads: ['asset', 'post'],
  params: AssetParams,
  reply: LibraryAsset,
  errors: ['NOT_FOUND', 'PLAN_LIMIT'],
  audit: null,
})
export const assetUses = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/asset/:assetId/uses',
  summary: 'List the posts that use a file',
  access: can('asset_library', 'view'),
  cost: 'list',
  reads: ['asset', 'post'],
  params: AssetParams,
  reply: z.object({
    posts: z.array(z.object({ postId: Id, excerpt: z.string(), status: z.string() })),
    /** More posts than the 50 listed ones. */ more: z.int(),
  }),
  errors: ['NOT_FOUND'],
  audit: null,
})
export const editAsset = endpoint({
  method: 'PUT',
  path: '/api/:orgId/project/:projectId/asset/:assetId',
  summary: "Update a file's name, alt text or folder",
  access: can('asset_library', 'create'),
  cost: 'light',
  changes: ['asset'],
  params: AssetParams,
  body: z.object({
    fileName: z.string().trim().min(1).max(255).optional(),
    altText: z.string().max(5000).optional(),
    folderId: Id.nullable().optional(),
  }),
  reply: Done,
  errors: ['NOT_FOUND', 'PLAN_LIMIT', 'BAD_INPUT'],
  audit: { action: 'edited', entity: 'asset' },
})
export const deleteAsset = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/asset/:assetId',
  summary: 'Delete a file from the library. Posts that use it keep it; its bytes are removed once nothing needs them',
  access: can('asset_library', 'delete'),
  cost: 'light',
  changes: ['asset'],
  params: AssetParams,
  reply: Done,
  errors: ['NOT_FOUND'],
  audit: { action: 'deleted', entity: 'asset' },
})
export const restoreAsset = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/asset/:assetId/restore',
  summary: 'Restore a deleted file, which is possible for at least a day',
  access: can('asset_library', 'delete'),
  cost: 'light',
  changes: ['asset'],
  params: AssetParams,
  reply: Done,
  errors: ['NOT_FOUND'],
  audit: { action: 'restored', entity: 'asset' },
})
export const importAsset = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/asset/import',
  summary: 'Import a file from a URL. Closing the connection cancels it',
  access: can('post', 'create', 'edit'),
  cost: 'media',
  changes: ['asset'],
  params: ProjectParams,
  body: z.object({ url: WebAddress }),
  reply: z.object({ assetId: Id }),
  errors: ['MEDIA_REFUSED', 'ADDRESS_REFUSED', 'ADDRESS_UNREADABLE', 'UPLOAD_FAILED', 'LIMIT_EXCEEDED'],
  audit: { none: 'a file counts once a post uses it' },
})
export const listFolders = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/asset-folder',
  summary: 'List asset library folders',
  access: can('asset_library', 'view'),
  cost: 'light',
  reads: ['asset'],
  params: ProjectParams,
  reply: z.object({ folders: z.array(Folder) }),
  errors: ['PLAN_LIMIT'],
  audit: null,
})
export const createFolder = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/asset-folder',
  summary: 'Create a folder',
  access: can('asset_library', 'create'),
  cost: 'light',
  changes: ['asset'],
  params: ProjectParams,
  body: z.object({ name: FolderName, parentId: Id.nullable().default(null) }),
  reply: Done.extend({ folderId: Id }),
  errors: ['NOT_FOUND', 'NAME_TAKEN', 'PLAN_LIMIT'],
  audit: { action: 'created', entity: 'asset_folder' },
})
export const editFolder = endpoint({
  method: 'PUT',
  path: '/api/:orgId/project/:projectId/asset-folder/:folderId',
  summary: 'Rename a folder, or move it with its contents',
  access: can('asset_library', 'create'),
  cost: 'light',
  changes: ['asset'],
  params: FolderParams,
  body: z.object({
    name: FolderName.optional(),
    /** Its folder; null: none. */ parentId: Id.nullable().optional(),
  }),
  reply: Done,
  errors: ['NOT_FOUND', 'NAME_TAKEN', 'BAD_INPUT', 'PLAN_LIMIT'],
  audit: { action: 'edited', entity: 'asset_folder' },
})
export const deleteFolder = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/asset-folder/:folderId',
  summary: 'Delete a folder; its contents move to the parent folder',
  access: can('asset_library', 'delete'),
  cost: 'light',
  changes: ['asset'],
  params: FolderParams,
  reply: Done,
  errors: ['NOT_FOUND', 'NAME_TAKEN'],
  audit: { action: 'deleted', entity: 'asset_folder' },
})
