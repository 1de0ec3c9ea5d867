import type { VideoRules } from './rules.ts'

/**
 * Videos on Instagram and Threads (developers.facebook.com, instagram-graph-api/reference/ig-user/media and
 * threads/posts): H.264 or HEVC with AAC, 4:2:0 chroma subsampling, 23 to 60 frames per second, 1920 pixels wide.
 */
export const metaFilm = {
  codecs: { video: ['avc', 'hevc'], audio: ['aac'] },
  chroma: ['4:2:0'],
  frameRate: { min: 23, max: 60 },
  widest: 1920,
} as const satisfies Partial<VideoRules>
