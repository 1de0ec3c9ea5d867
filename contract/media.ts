import { z } from 'zod'
import { Done, Id, Instant, ProjectParams, WebAddress } from './common.ts'
import { can, canEither, endpoint } from './endpoint.ts'
import { PlatformKey, PostType } from './platforms/rules.ts'

export const Asset = z.object({
  assetId: Id,
  state: z.enum(['uploading', 'ready', 'refused']),
  fileName: z.string(),
  /** The file's display name: its name before it became a file name, which has no spaces. */
  displayName: z.string(),
  contentType: z.string(),
  bytes: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  altText: z.string(),
  /** Why it was refused, as a sentence, or null. */
  problem: z.string().nullable(),
  /** For a video and a picture that moves; null for everything else, and if its container doesn't say. */
  seconds: z.number().nullable(),
  /** Of a video, such as `avc` for H.264; null if it isn't known. Audio also if there is none. */
  videoCodec: z.string().nullable(),
  audioCodec: z.string().nullable(),
  /** Frames in a second of a video. */
  frameRate: z.number().nullable(),
  /** Bits per color, and how its colors are subsampled, such as `4:2:0`; null if it isn't known. */
  bitDepth: z.int().nullable(),
  chroma: z.string().nullable(),
  /** Of a picture that moves; null for everything else. */
  frames: z.int().nullable(),
  /** Of an image, such as `srgb` or `cmyk`. */
  colorSpace: z.string().nullable(),
  /** For a document. */
  pages: z.int().nullable(),
  /**
   * The file that this is a copy of, made because a channel takes it only as another type or smaller: posts name the
   * copy, and it's made again from the file. Null for everything else.
   */
  originalId: Id.nullable(),
  /** The URL of the file for the person's browser. */
  url: z.string(),
  /** The URL of the video's chosen thumbnail. */
  thumbnailUrl: z.string().nullable(),
  /** The URL of a small preview for tiles and lists: of an image, or of a video's thumbnail; null if it has neither. */
  previewUrl: z.string().nullable(),
})
export type Asset = z.infer<typeof Asset>

/**
 * What one upload may have, whatever is connected: images larger than platforms accept are fitted when they're used.
 */
export const UPLOAD = {
  imageBytes: 50_000_000,
  documentBytes: 100_000_000,
  /** For one person in one project, unfinished at the same time. */
  unfinished: 20,
  unfinishedBytes: 10_000_000_000,
  /** For one organization, finished or not. */
  bytesADay: 100_000_000_000,
} as const

/** What one organization may import from URLs: at once by people who wait for it, and in a day in total. */
export const IMPORTS = { atOnce: 5, filesADay: 2000, bytesADay: 20_000_000_000 } as const

/**
 * A file name consists of letters, digits, dots, underscores and dashes plus an extension; others are built from the
 * content type.
 */
export const fileNamePattern = /^[A-Za-z0-9._-]+\.[A-Za-z0-9]+$/

/** Posts and replies of the inbox have files alike. */
const addFiles = canEither(can('post', 'create', 'edit'), can('dm', 'create'), can('comment', 'create'))
const seeFiles = canEither(can('post', 'view'), can('inbox', 'view'))

const AssetParams = ProjectParams.extend({ assetId: Id })

export const createUpload = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/upload/signed-url',
  summary: 'Start an upload and get its tus URL',
  access: addFiles,
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
  access: addFiles,
  cost: 'light',
  // for a finished upload, its file tells
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
  access: addFiles,
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
  access: seeFiles,
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
  access: seeFiles,
  cost: 'light',
  reads: ['asset'],
  params: AssetParams,
  reply: 'bytes',
  errors: ['NOT_FOUND'],
  audit: null,
})
/** The shorter side of a preview in pixels, if the file has as many: enough for a tile on a high-density screen. */
export const PREVIEW_SIDE = 320
export const readPreview = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/asset/:assetId/preview',
  summary: "Get a file's thumbnail",
  access: seeFiles,
  cost: 'light',
  reads: ['asset'],
  params: AssetParams,
  reply: 'bytes',
  errors: ['NOT_FOUND'],
  audit: null,
})
/** Lists show it for each post with media. Its URL contains the post's version, because an edit may change it. */
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
/**
 * Makes a copy that the platform accepts: another format, smaller dimensions or stronger compression. The original
 * stays.
 */
export const fitAsset = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/asset/:assetId/fit',
  summary: "Convert and shrink an image to fit a platform's limits",
  access: addFiles,
  cost: 'media',
  changes: ['asset'],
  params: AssetParams,
  body: z.object({
    platform: PlatformKey,
    postType: PostType,
    /** The account whose own limits apply, if it has some. */ channelId: Id.optional(),
  }),
  reply: Asset,
  errors: ['NOT_FOUND', 'MEDIA_REFUSED', 'LIMIT_EXCEEDED'],
  audit: { none: 'a file counts once a post uses it' },
})
/**
 * Makes a new file from an image: rotated, then cropped, then written as another type or within a size in bytes. The
 * original stays.
 */
export const redrawAsset = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/asset/:assetId/edit',
  summary: 'Crop, rotate, convert or shrink an image into a new file',
  access: addFiles,
  cost: 'media',
  changes: ['asset'],
  params: AssetParams,
  body: z.object({
    /** Degrees clockwise. */
    rotate: z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]).default(0),
    /** In pixels of the image as it's shown, rotated. */
    crop: z.object({ x: z.int().min(0), y: z.int().min(0), width: z.int().min(1), height: z.int().min(1) }).optional(),
    type: z.enum(['image/jpeg', 'image/png', 'image/webp']).optional(),
    /** Its maximum size in bytes. */
    bytes: z.int().min(10_000).optional(),
  }),
  reply: Asset,
  errors: ['NOT_FOUND', 'MEDIA_REFUSED', 'BAD_INPUT', 'LIMIT_EXCEEDED'],
  audit: { none: 'a file counts once a post uses it' },
})

/**
 * An image inside of a call: base64, at most 2 MB of file; the browser makes it from a frame, or shrinks a larger one.
 */
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
    /** The video's moment that it shows; null for a separate image. */ seconds: z.number().min(0).nullable(),
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
