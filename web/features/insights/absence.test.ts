import { describe, expect, it } from 'vitest'
import { absenceOf, absenceWords } from './absence.ts'

const channels = [{ platformName: 'instagram' }, { platformName: 'threads' }] as const

describe('a section without channels', () => {
  it('tells apart a project without such a channel and a role that only has some', () => {
    expect(absenceOf({ channels: [], channelIds: null })).toBe('none')
    expect(absenceOf({ channels, channelIds: null })).toBeUndefined()
    expect(absenceOf({ channels, channelIds: null, platform: 'youtube' })).toBe('none')
    expect(absenceOf({ channels, channelIds: ['a', 'b'], platform: 'threads' })).toBeUndefined()
    expect(absenceOf({ channels, channelIds: ['a', 'b'], platform: 'youtube' })).toBe('notInRole')
    expect(absenceOf({ channels: [], channelIds: [] })).toBe('notInRole')
  })

  it('says what to do about it, to people who may connect one and to others', () => {
    expect(absenceWords('none', { mayConnect: true })).toEqual({
      title: 'No channels yet',
      text: 'Connect a channel, and its first figures appear here within ten minutes.',
    })
    expect(absenceWords('none', { platform: 'instagram', mayConnect: false })).toEqual({
      title: 'No Instagram channel yet',
      text: 'Ask a project admin to connect an Instagram channel. Its first figures appear here within ten minutes.',
    })
    expect(absenceWords('notInRole', { platform: 'threads', mayConnect: true })).toEqual({
      title: 'Your role includes no Threads channel',
      text: "Your role has only some of this project's channels. Ask a project admin to add a Threads channel to it.",
    })
  })
})
