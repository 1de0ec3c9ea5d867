import type { z } from 'zod'
import { Asset } from '#contract/media.ts'
import { describeMediaProblem } from '#contract/mediaProblems.ts'
import { assetUrl, previewUrl, thumbnailUrl, type AssetRow } from './access.ts'

/** A file as the API returns it, with its URLs. */
export function presentAsset(row: AssetRow): z.output<typeof Asset> {
  return {
    assetId: row.id,
    state: Asset.shape.state.parse(row.state),
    fileName: row.file_name,
    displayName: row.display_name ?? row.file_name,
    contentType: row.content_type,
    bytes: row.bytes,
    width: row.width,
    height: row.height,
    altText: row.alt_text,
    problem: row.state === 'refused' ? describeMediaProblem(row.problem) : null,
    seconds: row.seconds,
    pages: row.pages,
    videoCodec: row.video_codec,
    audioCodec: row.audio_codec,
    frameRate: row.frame_rate,
    bitDepth: row.bit_depth,
    chroma: row.chroma,
    frames: row.frames,
    colorSpace: row.color_space,
    originalId: row.fitted_for === null ? null : row.derived_from,
    url: assetUrl(row),
    thumbnailUrl: thumbnailUrl(row),
    previewUrl: previewUrl(row),
  }
}
