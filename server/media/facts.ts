import type { MediaFacts } from '#contract/checkMedia.ts'
import type { AssetRow } from './access.ts'

/** What rules need to know about a file. `altText`: the post's own, instead of the file's. */
export const mediaFactsOf = (asset: AssetRow, altText: string = asset.alt_text): MediaFacts => ({
  contentType: asset.content_type,
  bytes: asset.bytes,
  altText,
  width: asset.width,
  height: asset.height,
  seconds: asset.seconds,
  pages: asset.pages,
  hasThumbnail: asset.thumbnail_key !== null,
  videoCodec: asset.video_codec,
  audioCodec: asset.audio_codec,
  frameRate: asset.frame_rate,
  chroma: asset.chroma,
  frames: asset.frames,
  colorSpace: asset.color_space,
})
