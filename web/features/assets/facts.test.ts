import { expect, it } from 'vitest'
import { factsOf, kindOf, typeOf } from './facts.ts'

it('describes a file briefly', () => {
  expect(factsOf({ width: 1200, height: 800, bytes: 1_250_000, seconds: null })).toBe('1200 × 800 · 1.3 MB')
  expect(factsOf({ width: 1080, height: 1920, bytes: 24_000_000, seconds: 64.4 })).toBe('1080 × 1920 · 1:04 · 24 MB')
  expect(factsOf({ width: null, height: null, bytes: 900, seconds: null })).toBe('900 B')
})

it('distinguishes kinds and types by the content type', () => {
  expect([
    kindOf({ contentType: 'image/png' }),
    kindOf({ contentType: 'video/mp4' }),
    kindOf({ contentType: 'application/pdf' }),
  ]).toEqual(['image', 'video', 'document'])
  expect([
    typeOf({ contentType: 'image/jpeg' }),
    typeOf({ contentType: 'video/quicktime' }),
    typeOf({ contentType: 'application/pdf' }),
  ]).toEqual(['JPEG', 'MOV', 'PDF'])
})
