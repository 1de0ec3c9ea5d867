import { expect, it } from 'vitest'
import { describeMediaProblem, MediaProblem } from './mediaProblems.ts'

const worded: { [C in MediaProblem['code']]: readonly [Extract<MediaProblem, { code: C }>, string] } = {
  'unsupported-type': [
    { code: 'unsupported-type', kind: 'video', types: ['video/mp4', 'video/quicktime'] },
    'unsupported video type. Supported: mp4, mov',
  ],
  'too-large': [{ code: 'too-large', kind: 'image', bytes: 50_000_000 }, 'image size cannot exceed 50 MB'],
  'too-many-frames': [{ code: 'too-many-frames', frames: 10_000 }, 'This image has more than 10,000 frames.'],
  'too-many-pixels': [{ code: 'too-many-pixels', pixels: 64_000_000 }, 'This image has more than 64 million pixels.'],
  damaged: [{ code: 'damaged', kind: 'document' }, "This document is damaged and can't be read."],
  'password-protected': [
    { code: 'password-protected' },
    'This document is password-protected. Save it without a password and attach it again.',
  ],
  'no-video-track': [{ code: 'no-video-track' }, "This file doesn't contain a video."],
}

it('has a sentence for every code', () => {
  const codes = MediaProblem.options.map((option) => option.shape.code.value)
  expect(Object.keys(worded).toSorted()).toEqual(codes.toSorted())
})

it.each(Object.values(worded))('shows %j as words after it was stored', (problem, words) => {
  expect(describeMediaProblem(MediaProblem.parse(JSON.parse(JSON.stringify(problem))))).toBe(words)
})

it('shows a sentence from before problems had codes as it was', () => {
  expect(describeMediaProblem({ code: 'text', text: 'The file is odd.' })).toBe('The file is odd.')
})

it.each([null, { code: 'of a newer version' }, { code: 'damaged' }])('has a general sentence for %j', (stored) => {
  expect(describeMediaProblem(stored)).toBe("This file can't be used.")
})
