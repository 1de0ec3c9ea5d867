import { z } from 'zod'
import { Id, ProjectParams, WebAddress } from './common.ts'
import { can, endpoint } from './endpoint.ts'
import { PlatformKey, PostType } from './platforms/rules.ts'

export const Asset = z.object({
  assetId: Id,
  state: z.enum(['uploading', 'ready', 'refused']),
  fileName: z.string(),
  contentType: z.string(),
  bytes: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  altText: z.string(),
  /** Why it was refused, in words, or null. */
  problem: z.string().nullable(),
  /** Where the signed-in person's browser reads the file. */
  url: z.string(),
})
export type Asset = z.infer<typeof Asset>

/** A file's name is made of letters, digits, dot, underscore and dash plus an extension; others are built from the content type. */
export const fileNamePattern = /^[A-Za-z0-9._-]+\.[A-Za-z0-9]+$/

const AssetParams = ProjectParams.extend({ assetId: Id })

export const createUpload = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/upload/signed-url',
  summary: 'Announce a file and get the tus address to send it to',
  access: can('post', 'create', 'edit'),
  params: ProjectParams,
  body: z.object({ fileName: z.string().max(255), contentType: z.string().max(100), bytes: z.int().positive() }),
  reply: z.object({ assetId: Id, uploadUrl: z.string() }),
  errors: ['MEDIA_REFUSED', 'UPLOAD_FAILED'],
  audit: { none: 'a file counts once a post uses it' },
})
export const getAsset = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/asset/:assetId',
  summary: 'One file',
  access: can('post', 'view'),
  params: AssetParams,
  reply: Asset,
  errors: ['NOT_FOUND'],
  audit: null,
})
export const readAsset = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/asset/:assetId/file',
  summary: 'The bytes of one file',
  access: can('post', 'view'),
  params: AssetParams,
  reply: 'bytes',
  errors: ['NOT_FOUND'],
  audit: null,
})
/** Makes a copy that the platform accepts: another format, smaller sides or stronger compression. The original stays. */
export const fitAsset = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/asset/:assetId/fit',
  summary: 'Convert and shrink an image to what a platform takes',
  access: can('post', 'create', 'edit'),
  params: AssetParams,
  body: z.object({ platform: PlatformKey, postType: PostType }),
  reply: Asset,
  errors: ['NOT_FOUND', 'MEDIA_REFUSED'],
  audit: { none: 'a file counts once a post uses it' },
})

export const LinkCard = z.object({ uri: WebAddress, title: z.string(), description: z.string(), imageAssetId: Id.nullable() })
export type LinkCard = z.infer<typeof LinkCard>
export const readLinkCard = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/link-card',
  summary: "Read a page's title, description and picture for its card",
  access: can('post', 'create', 'edit'),
  params: ProjectParams,
  body: z.object({ url: WebAddress }),
  reply: LinkCard,
  errors: ['ADDRESS_REFUSED'],
  audit: { none: 'reads a public page' },
})
