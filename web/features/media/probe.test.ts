import { expect, it } from 'vitest'
import { sniff } from './probe.ts'

const bytes = (...values: (number | string)[]) =>
  new Uint8Array(
    values.flatMap((value) => (typeof value === 'number' ? [value] : [...new TextEncoder().encode(value)])),
  )

it('reads the type from the bytes, whatever is claimed', () => {
  expect(sniff(bytes(0xff, 0xd8, 0xff, 0xe0), 'image/png')).toBe('image/jpeg')
  expect(sniff(bytes(0x89, 'PNG'), '')).toBe('image/png')
  expect(sniff(bytes('RIFF', 0, 0, 0, 0, 'WEBP'), 'image/webp')).toBe('image/webp')
  expect(sniff(bytes(0, 0, 0, 0x18, 'ftypheic'), '')).toBe('image/heic')
  expect(sniff(bytes(0, 0, 0, 0x18, 'ftypisom'), '')).toBe('video/mp4')
})

it("doesn't take a text for an image because of its name", () => {
  expect(sniff(bytes('hello'), 'image/png')).toBe('application/octet-stream')
  expect(sniff(bytes('%PDF-1.7'), '')).toBe('application/pdf')
  expect(sniff(bytes('PK'), 'application/zip')).toBe('application/zip')
})
