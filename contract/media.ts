import { z } from 'zod'
import { Done, Id, Instant, ProjectParams, WebAddress } from './common.ts'
import { can, endpoint } from './endpoint.ts'
import { PlatformKey, PostType } from './platforms/rules.ts'

export const Asset = z.object({
  assetId: Id,
  state: z.enum(['uploading', 'ready', 'refused']),
  fileName: z.string(),
  /** What people call the file: its name before it was made a file name, which has no blanks. */
  displayName: z.string(),
  contentType: z.string(),
  bytes: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  altText: z.string(),
  /** Why it was refused, in words, or null. */
  problem: z.string().nullable(),
  /** Of a video; null for everything else, and where its container doesn't tell. */
  seconds: z.number().nullable(),
  /** Of a document. */
  pages: z.int().nullable(),
  /** Where the signed-in person's browser reads the file. */
  url: z.string(),
  /** Where it reads the picture that was chosen to stand for a video. */
  thumbnailUrl: z.string().nullable(),
  /** Where it reads what the file looks like, small, as tiles and lists show it: of a picture, or of a video's thumbnail; null for what has neither. */
  previewUrl: z.string().nullable(),
})
export type Asset = z.infer<typeof Asset>

/** What one upload may be, whatever is connected: larger photos than platforms take are made to fit when they are used. */
export const UPLOAD = {
  imageBytes: 50_000_000,
  documentBytes: 100_000_000,
  /** Of one person in one project, unfinished at the same time. */
  unfinished: 20,
  unfinishedBytes: 10_000_000_000,
  /** Of one organization, finished or not. */
  bytesADay: 100_000_000_000,
} as const

/** What one organization may bring here from addresses of the web: at once by people who wait for it, and within a day in all. */
export const IMPORTS = { atOnce: 5, filesADay: 2000, bytesADay: 20_000_000_000 } as const

/** A file's name is made of letters, digits, dot, underscore and dash plus an extension; others are built from the content type. */
export const fileNamePattern = /^[A-Za-z0-9._-]+\.[A-Za-z0-9]+$/

const AssetParams = ProjectParams.extend({ assetId: Id })

export const createUpload = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/upload/signed-url',
  summary: 'Start an upload and get its tus URL',
  access: can('post', 'create', 'edit'),
  cost: 'media',
  changes: ['upload'],
  params: ProjectParams,
  body: z.object({ fileName: z.string().max(255), contentType: z.string().max(100), bytes: z.int().positive() }),
  reply: z.object({ assetId: Id, uploadUrl: z.string() }),
  errors: ['MEDIA_REFUSED', 'LIMIT_EXCEEDED', 'UPLOAD_FAILED'],
  audit: { none: 'a file counts once a post uses it' },
})
const UnfinishedParams = ProjectParams.extend({ assetId: Id })
export const unfinishedUploads = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/upload/unfinished',
  summary: 'List your unfinished uploads; their number is limited',
  access: can('post', 'create', 'edit'),
  cost: 'light',
  // of an upload that is finished, its file tells
  reads: ['upload', 'asset'],
  params: ProjectParams,
  reply: z.object({
    uploads: z.array(z.object({ assetId: Id, displayName: z.string(), bytes: z.int(), startedAt: Instant })),
  }),
  audit: null,
})
export const removeUnfinishedUpload = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/upload/unfinished/:assetId',
  summary: 'Remove one of your own unfinished uploads',
  access: can('post', 'create', 'edit'),
  cost: 'light',
  changes: ['upload'],
  params: UnfinishedParams,
  reply: Done,
  errors: ['NOT_FOUND'],
  audit: { none: 'a file counts once a post uses it' },
})
export const getAsset = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/asset/:assetId',
  summary: 'Get a file',
  access: can('post', 'view'),
  cost: 'light',
  reads: ['asset'],
  params: AssetParams,
  reply: Asset,
  errors: ['NOT_FOUND'],
  audit: null,
})
export const readAsset = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/asset/:assetId/file',
  summary: 'Download a file',
  access: can('post', 'view'),
  cost: 'light',
  reads: ['asset'],
  params: AssetParams,
  reply: 'bytes',
  errors: ['NOT_FOUND'],
  audit: null,
})
/** The shorter side of a preview in pixels, where the file has as many: enough for a tile on a sharp screen. */
export const PREVIEW_SIDE = 320
export const readPreview = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/asset/:assetId/preview',
  summary: "Get a file's thumbnail",
  access: can('post', 'view'),
  cost: 'light',
  reads: ['asset'],
  params: AssetParams,
  reply: 'bytes',
  errors: ['NOT_FOUND'],
  audit: null,
})
/** Lists show it at each post that has media. Its address carries the post's version, since an edit may change it. */
export const readPostCover = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/post/:postId/cover',
  summary: "Get the thumbnail of a post's first file",
  access: can('post', 'view'),
  cost: 'light',
  reads: ['post'],
  params: ProjectParams.extend({ postId: Id }),
  query: z.object({ version: z.string().max(20).optional() }),
  reply: 'bytes',
  errors: ['NOT_FOUND'],
  audit: null,
})
/** Makes a copy that the platform accepts: another format, smaller sides or stronger compression. The original stays. */
export const fitAsset = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/asset/:assetId/fit',
  summary: "Convert and shrink an image to fit a platform's limits",
  access: can('post', 'create', 'edit'),
  cost: 'media',
  changes: ['asset'],
  params: AssetParams,
  body: z.object({
    platform: PlatformKey,
    postType: PostType,
    /** Whose account's own limits count, where it has some. */ channelId: Id.optional(),
  }),
  reply: Asset,
  errors: ['NOT_FOUND', 'MEDIA_REFUSED', 'LIMIT_EXCEEDED'],
  audit: { none: 'a file counts once a post uses it' },
})
/** Makes a new file of a picture: turned, then cut to a part of what is seen then, then written as another type or within so many bytes. The original stays. */
export const redrawAsset = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/asset/:assetId/edit',
  summary: 'Crop, rotate, convert or shrink an image into a new file',
  access: can('post', 'create', 'edit'),
  cost: 'media',
  changes: ['asset'],
  params: AssetParams,
  body: z.object({
    /** Degrees clockwise. */
    rotate: z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]).default(0),
    /** In pixels of the picture as it is shown, turned. */
    crop: z.object({ x: z.int().min(0), y: z.int().min(0), width: z.int().min(1), height: z.int().min(1) }).optional(),
    type: z.enum(['image/jpeg', 'image/png', 'image/webp']).optional(),
    /** The most bytes that it may have. */
    bytes: z.int().min(10_000).optional(),
  }),
  reply: Asset,
  errors: ['NOT_FOUND', 'MEDIA_REFUSED', 'BAD_INPUT', 'LIMIT_EXCEEDED'],
  audit: { none: 'a file counts once a post uses it' },
})

/** A picture as it travels inside of a call: base64, at most 2 MB of file; the browser makes it of a frame, or shrinks a larger one. */
export const ThumbnailData = z.base64("This isn't an image").max(2_800_000, 'The image can be at most 2 MB')
export const setThumbnail = endpoint({
  method: 'PUT',
  path: '/api/:orgId/project/:projectId/asset/:assetId/thumbnail',
  summary: "Set a video's thumbnail",
  access: can('post', 'create', 'edit'),
  cost: 'media',
  changes: ['asset'],
  params: AssetParams,
  body: z.object({
    image: ThumbnailData,
    /** The moment of the video that it shows; null for a picture of its own. */ seconds: z.number().min(0).nullable(),
  }),
  bodyLimit: 3_000_000,
  reply: Asset,
  errors: ['NOT_FOUND', 'MEDIA_REFUSED', 'POST_LOCKED', 'LIMIT_EXCEEDED'],
  audit: { none: 'a file counts once a post uses it' },
})
export const removeThumbnail = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/project/:projectId/asset/:assetId/thumbnail',
  summary: "Remove a video's thumbnail",
  access: can('post', 'create', 'edit'),
  cost: 'light',
  changes: ['asset'],
  params: AssetParams,
  reply: Asset,
  errors: ['NOT_FOUND', 'POST_LOCKED'],
  audit: { none: 'a file counts once a post uses it' },
})
export const readThumbnail = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/asset/:assetId/thumbnail',
  summary: "Get a video's thumbnail",
  access: can('post', 'view'),
  cost: 'light',
  reads: ['asset'],
  params: AssetParams,
  reply: 'bytes',
  errors: ['NOT_FOUND'],
  audit: null,
})

export const LinkCard = z.object({
  uri: WebAddress,
  title: z.string(),
  description: z.string(),
  imageAssetId: Id.nullable(),
})
export type LinkCard = z.infer<typeof LinkCard>
export const readLinkCard = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/link-card',
  summary: "Get a page's title, description and image for its link card",
  access: can('post', 'create', 'edit'),
  cost: 'preview',
  reads: [],
  params: ProjectParams,
  body: z.object({ url: WebAddress }),
  reply: LinkCard,
  errors: ['RATE_LIMITED', 'ADDRESS_REFUSED', 'LIMIT_EXCEEDED'],
  audit: { none: 'reads a public page' },
})
