import { expect, it } from 'vitest'
import { broken } from '#contract/checkMedia.ts'
import type { Channel } from '#contract/channels.ts'
import { problem } from '#contract/postProblems.ts'
import type { ChannelErrors } from './checks.ts'
import { refusedOf, saidOf } from './troubled.ts'

// only what names a channel matters here
const channel = (channelId: string) => ({ channelId }) as Channel
const missing = broken('contents.0.title', problem('title-missing'))
const ofFile = broken('contents.0.media.0', problem('file-kind-unsupported', { kind: 'image' }))
const tooLong = broken('contents.0.text', problem('thread-too-long', { most: 1 }))
const found: ChannelErrors[] = [
  { channel: channel('youtube'), errors: [missing] },
  { channel: channel('instagram'), errors: [ofFile] },
  { channel: channel('x'), errors: [tooLong, ofFile] },
]
const ids = (list: readonly ChannelErrors[]) => list.map(({ channel: { channelId } }) => channelId)

it('counts channels that need a change including files, and missing parts once something is written', () => {
  expect(ids(refusedOf(found, { isBegun: false, tried: false }))).toEqual(['instagram', 'x'])
  expect(ids(refusedOf(found, { isBegun: true, tried: false }))).toEqual(['youtube', 'instagram', 'x'])
  expect(ids(refusedOf(found, { isBegun: false, tried: true }))).toEqual(['youtube', 'instagram', 'x'])
})

it('leaves files to their cards, and missing parts until someone tries to submit', () => {
  expect(saidOf(found, { tried: false })).toEqual([{ channel: channel('x'), errors: [tooLong] }])
  expect(ids(saidOf(found, { tried: true }))).toEqual(['youtube', 'x'])
})
