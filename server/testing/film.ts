import { deflateSync } from 'node:zlib'
import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny'
import { avcConfig } from './movie.ts'

/** Frames per second, as platforms want them. */
const RATE = 25

/**
 * A video with the metadata of real ones: length, dimensions, rotation, and H.264 or, in a WebM, VP9. Its frames are noise, which nobody
 * decodes here. `padding` bytes in each second make it as large as a test
 * needs.
 */
export async function makeFilm(
  options: {
    type?: 'mp4' | 'mov' | 'webm'
    seconds?: number
    width?: number
    height?: number
    rotation?: 0 | 90 | 180 | 270
    padding?: number
    title?: string
  } = {},
): Promise<Buffer> {
  const { type = 'mp4', seconds = 4, width = 640, height = 360, rotation = 0, padding = 100, title } = options
  const target = new BufferTarget()
  const format =
    type === 'mp4'
      ? new Mp4OutputFormat({ fastStart: 'in-memory' })
      : type === 'mov'
        ? new MovOutputFormat()
        : new WebMOutputFormat()
  const output = new Output({ format, target })
  // what every platform accepts in its container
  const [codec, decoderConfig] =
    type === 'webm'
      ? (['vp9', { codec: 'vp09.00.10.08' }] as const)
      : (['avc', { codec: 'avc1.640028', description: avcConfig().subarray(8) }] as const)
  const source = new EncodedVideoPacketSource(codec)
  output.addVideoTrack(source, type === 'webm' ? {} : { rotation })
  if (title) output.setMetadataTags({ title, date: new Date('2026-08-01T10:00:00Z') })
  await output.start()
  const frames = Math.max(1, Math.round(seconds * RATE))
  for (let frame = 0; frame < frames; frame += 1) {
    const isFirst = frame % RATE === 0
    const bytes = new Uint8Array(isFirst ? padding : 1).fill(frame / RATE)
    const each = seconds / frames
    const packet = new EncodedPacket(bytes, isFirst ? 'key' : 'delta', frame * each, each)
    await source.add(packet, { decoderConfig: { ...decoderConfig, codedWidth: width, codedHeight: height } })
  }
  await output.finalize()
  if (!target.buffer) throw new Error('the film was not written')
  return Buffer.from(target.buffer)
}

/** A PDF with this many pages and uncompressed objects. */
export async function makeDocument(pages: number): Promise<Buffer> {
  const { default: PdfDocument } = await import('pdfkit')
  const document = new PdfDocument({ autoFirstPage: false })
  for (let page = 0; page < pages; page += 1) document.addPage().text(`Page ${page + 1}`)
  document.end()
  const parts: Buffer[] = []
  for await (const part of document) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

/**
 * A PDF with its objects and its table compressed in streams, as most programs write them since PDF 1.5. It declares
 * this many pages and has none.
 */
export function packDocument(pages: number, more: { encrypted?: boolean } = {}): Buffer {
  const objects = ['<< /Type /Catalog /Pages 2 0 R /Lang (en \\) ) >>', `<< /Type /Pages /Count ${pages} /Kids [] >>`]
  const heads = `1 0 2 ${objects[0]?.length} `
  const held = deflateSync(Buffer.from(heads + objects.join(''), 'latin1'))
  const begin = Buffer.from('%PDF-1.7\n', 'latin1')
  const holder = Buffer.concat([
    Buffer.from(
      `3 0 obj\n<< /Type /ObjStm /N 2 /First ${heads.length} /Filter /FlateDecode /Length ${held.length} >>\nstream\r\n`,
      'latin1',
    ),
    held,
    Buffer.from('\nendstream\nendobj\n'),
  ])
  const at = begin.length + holder.length
  // rows of type, offset and index, each stored as the difference from the one above (predictor "up")
  const rows = [
    [0, 0, 0],
    [2, 3, 0],
    [2, 3, 1],
    [1, begin.length, 0],
    [1, at, 0],
  ].map(([kind = 0, second = 0, third = 0]) => [kind, second >> 8, second & 0xff, third])
  const predicted = rows.flatMap((row, i) => [2, ...row.map((byte, j) => (byte - (rows[i - 1]?.[j] ?? 0)) & 0xff)])
  const table = deflateSync(Buffer.from(predicted))
  const locked = more.encrypted ? '/Encrypt 9 0 R ' : ''
  const tail = Buffer.concat([
    Buffer.from(
      `4 0 obj\n<< /Type /XRef /Size 5 /W [1 2 1] /Root 1 0 R ${locked}/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 4 >> /Length ${table.length} >>\nstream\n`,
      'latin1',
    ),
    table,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${at}\n%%EOF\n`),
  ])
  return Buffer.concat([begin, holder, tail])
}
