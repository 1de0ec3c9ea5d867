import { randomUUID } from 'node:crypto'
import type { MediaFile, Outgoing } from '../platforms/platform.ts'

export const PLANNED_AT = new Date('2026-11-21T10:00:00.000Z')

/** A post as the publisher passes it to adapters. `media` belongs to its first item. */
export function outgoingPost({
  text = '',
  media = [],
  ...rest
}: Partial<Outgoing> & { text?: string; media?: readonly MediaFile[] }): Outgoing {
  return {
    postId: randomUUID(),
    postType: 'post',
    contents: [{ text, media }],
    details: {},
    firstComment: null,
    extraMedia: new Map(),
    createdAt: PLANNED_AT,
    sendKey: randomUUID(),
    progress: {},
    ...rest,
  }
}

const PIECE = new Uint8Array(1_000_000)

/** A file of any size that isn't stored anywhere: its bytes are zeros. */
export function syntheticFile(
  contentType: string,
  { bytes = 1000, name = 'file', ...more }: Partial<MediaFile> & { name?: string } = {},
): MediaFile {
  return {
    assetId: randomUUID(),
    fileName: name,
    contentType,
    bytes,
    width: 1080,
    height: 1920,
    seconds: contentType.startsWith('video/') ? 20 : null,
    altText: '',
    read: async () => new Uint8Array(bytes),
    async *stream(range) {
      const end = range?.end ?? bytes
      for (let at = range?.start ?? 0; at < end; at += PIECE.length)
        yield PIECE.subarray(0, Math.min(PIECE.length, end - at))
    },
    url: () => `https://media.rookery.test/${name}`,
    ...more,
  }
}
