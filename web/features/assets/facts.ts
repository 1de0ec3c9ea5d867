import type { LibraryAsset } from '#contract/library.ts'
import { bytes, lengthOf } from '#web/lib/format.ts'

export type AssetKind = 'image' | 'video' | 'document'

export function kindOf({ contentType }: Pick<LibraryAsset, 'contentType'>): AssetKind {
  if (contentType.startsWith('image/')) return 'image'
  return contentType.startsWith('video/') ? 'video' : 'document'
}

/** "JPEG", as people call a type. */
export function typeOf({ contentType }: Pick<LibraryAsset, 'contentType'>): string {
  const [, name = contentType] = contentType.split('/')
  return name === 'quicktime' ? 'MOV' : name.replace(/^x-|\+.*$/g, '').toUpperCase()
}

/** "1200 × 800 · 1.2 MB", with the length of a video. */
export function factsOf(asset: Pick<LibraryAsset, 'width' | 'height' | 'bytes' | 'seconds'>): string {
  return [
    asset.width && asset.height ? `${asset.width} × ${asset.height}` : '',
    asset.seconds === null ? '' : lengthOf(asset.seconds),
    bytes(asset.bytes),
  ]
    .filter(Boolean)
    .join(' · ')
}
