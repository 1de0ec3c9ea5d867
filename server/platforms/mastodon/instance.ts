import { because, type Reason } from '#contract/failures/catalog.ts'
import type { ChannelLimits } from '#contract/platforms/limits.ts'
import type { MediaFile, Outgoing, Reach, Refusal } from '../platform.ts'
import { rest } from '../jsonCalls.ts'
import { hostOf, READ_TIMEOUT_MS } from './client.ts'
import { Instance, type Limits, type MastodonSecret } from './schemas.ts'

const nothing: Limits = { attachments: null, imageBytes: null, videoBytes: null, types: null, description: null }
type Told = {
  domain: string | null
  limits: Limits
  /** The same limits for the composer, with text lengths. */ taken: ChannelLimits
}
export const toldNothing: Told = { domain: null, limits: nothing, taken: {} }

/**
 * What an instance publishes about itself; undefined if it can't be read. Its domain in handles may differ from its
 * host.
 */
export async function readInstance(reach: Reach, origin: string): Promise<Told | undefined> {
  const found = await rest(reach, { url: `${origin}/api/v2/instance`, reply: Instance, timeoutMs: READ_TIMEOUT_MS })
  if (found.kind !== 'ok') return undefined
  const { domain, configuration } = found.value
  if (!configuration) return { ...toldNothing, domain }
  const { statuses, media_attachments: media } = configuration
  const limits = {
    attachments: statuses.max_media_attachments,
    imageBytes: media.image_size_limit,
    videoBytes: media.video_size_limit,
    types: media.supported_mime_types,
    description: media.description_limit,
  }
  const { image_matrix_limit: imagePixels, video_matrix_limit: videoPixels, video_frame_rate_limit: frameRate } = media
  return {
    domain,
    limits,
    taken: {
      ...takenOf(limits, statuses.max_characters, statuses.characters_reserved_per_url),
      ...(imagePixels !== null && { imagePixels }),
      ...(videoPixels !== null && { videoPixels }),
      ...(frameRate !== null && { frameRate }),
    },
  }
}

/** The instance's own limits; others follow the platform's rules. */
function takenOf(
  { attachments, imageBytes, videoBytes, types, description }: Limits,
  text: number | null,
  addressLength: number | null,
): ChannelLimits {
  return {
    ...(text !== null && { text }),
    ...(addressLength !== null && { addressLength }),
    ...(attachments !== null && { images: attachments }),
    ...(imageBytes !== null && { imageBytes }),
    ...(videoBytes !== null && { videoBytes }),
    ...(description !== null && { altText: description }),
    ...(types !== null && { types: types.filter((type) => /^(image|video)\//.test(type)).slice(0, MOST_TYPES) }),
  }
}
const MOST_TYPES = 100

/**
 * Refuses files that the instance wouldn't accept, before uploading anything. Limits may have changed since connecting,
 * so they're read again before refusing.
 */
export async function refusalOfFiles(
  reach: Reach,
  secret: MastodonSecret,
  post: Pick<Outgoing, 'contents'>,
): Promise<Refusal | undefined> {
  const host = hostOf(secret)
  if (!problemOf(host, post, secret.limits)) return undefined
  const now = await readInstance(reach, secret.origin)
  const problem = problemOf(host, post, now?.limits ?? secret.limits)
  return (
    problem && {
      kind: 'rejected',
      reason: { ...problem, platformCode: 'instance-limit' },
    }
  )
}

function problemOf(host: string, { contents }: Pick<Outgoing, 'contents'>, limits: Limits): Reason | undefined {
  for (const { media } of contents) {
    if (limits.attachments !== null && media.length > limits.attachments)
      return because('mastodon-file-count', { host, most: limits.attachments })
    for (const file of media) {
      const problem = fileProblem(host, file, limits)
      if (problem) return problem
    }
  }
  return undefined
}

function fileProblem(
  host: string,
  { contentType, bytes, altText }: MediaFile,
  { imageBytes, videoBytes, types, description }: Limits,
): Reason | undefined {
  const isVideo = contentType.startsWith('video/')
  const most = isVideo ? videoBytes : imageBytes
  const files = isVideo ? 'videos' : 'pictures'
  if (types !== null && !types.includes(contentType))
    return because('mastodon-file-kind', { host, files, type: contentType })
  if (most !== null && bytes > most)
    return because('mastodon-file-size', { host, files, megabytes: (most / 1_000_000).toFixed(1) })
  if (description !== null && Array.from(altText).length > description)
    return because('mastodon-alt-text', { host, most: description })
  return undefined
}
