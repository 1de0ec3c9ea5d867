import { expect, it } from 'vitest'
import type { ConversationKind } from '#contract/inbox/terms.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import {
  chosenChannels,
  isFirstReading,
  isReadable,
  isUnconnected,
  late,
  toReconnect,
  unreadable,
  type ReadChannel,
} from './reading.ts'

type State = ReadChannel['kinds'][number]['state']
const channel = (platformName: PlatformKey, states: Partial<Record<ConversationKind, State>>): ReadChannel => ({
  channelId: `${platformName} ${Object.values(states).join()}`,
  channelName: platformName,
  handle: `@${platformName}`,
  platformName,
  profileUrl: null,
  simulated: false,
  // the keys are kinds
  kinds: Object.entries(states).map(([kind, state]) => ({
    kind: kind as ConversationKind,
    state,
    readAt: null,
    reason: null,
  })),
})
const tiktok = channel('tiktok', { comment: 'none', message: 'none' })
const reading = channel('bluesky', { comment: 'reading', message: 'reading', review: 'none' })
const half = channel('bluesky', { comment: 'reading', message: 'reconnect' })
const signedOut = channel('mastodon', { comment: 'reconnect', message: 'reconnect' })
const begun = channel('mastodon', { comment: 'first', message: 'first', review: 'none' })

it('tells channels that can be read from those that nobody may read, and says why once for each platform', () => {
  expect([tiktok, reading, half].map(isReadable)).toEqual([false, true, true])
  expect(unreadable([tiktok, reading, tiktok])).toEqual([
    { platform: 'tiktok', why: "TikTok doesn't let tools read comments or messages. You can reply to them in TikTok." },
  ])
})

it('asks to reconnect what lacks a permission for anything', () => {
  expect(toReconnect([tiktok, reading, half, signedOut])).toEqual([half, signedOut])
  expect([isUnconnected([half]), isUnconnected([tiktok, signedOut])]).toEqual([false, true])
})

it('says that it reads for the first time only while nothing else is there', () => {
  expect([isFirstReading([begun]), isFirstReading([begun, signedOut, tiktok])]).toEqual([true, true])
  expect([isFirstReading([begun, reading]), isFirstReading([tiktok]), isFirstReading([signedOut])]).toEqual([
    false,
    false,
    false,
  ])
})

it('names channels that are late', () => {
  const behind = channel('x', { mention: 'late', message: 'reading' })
  expect(late([reading, behind])).toEqual([behind])
})

it('knows what filters leave of the channels', () => {
  const all = [tiktok, reading, signedOut]
  expect(chosenChannels(all, {})).toBeUndefined()
  expect(chosenChannels(all, { platforms: ['tiktok', 'mastodon'] })).toEqual([tiktok, signedOut])
  expect(chosenChannels(all, { platforms: ['tiktok'], channelIds: [reading.channelId] })).toEqual([])
  expect(chosenChannels(all, { channelIds: [reading.channelId] })).toEqual([reading])
})
