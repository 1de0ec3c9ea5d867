import type { DocumentRules, ImageRules, VideoRules } from './rules.ts'

export const noImages: ImageRules = { most: 0, bytes: 0, types: [], altText: null }
export const noVideos: VideoRules = { most: 0, bytes: 0, types: [], seconds: { min: 0, max: 0 }, thumbnail: 'none' }
export const noDocuments: DocumentRules = { most: 0, bytes: 0, types: [], pages: 0 }
