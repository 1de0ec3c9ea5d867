import { describe, expect, it } from 'vitest'
import {
  distinctions,
  fitsSearch,
  selectionInWords,
  switchAll,
  switchOne,
  type NamedChannel,
} from './channelSelection.ts'

const channel = (
  channelId: string,
  channelName: string,
  platformName: NamedChannel['platformName'] = 'bluesky',
  handle = `@${channelId}`,
): NamedChannel => ({ channelId, channelName, platformName, handle, profileUrl: null })

const channels = [
  channel('a', 'Nora Quill'),
  channel('b', 'nora quill ', 'mastodon', '@nora@one.example'),
  channel('c', 'Nora Quill', 'mastodon', '@nora@two.example'),
  channel('d', 'Oat Club', 'mastodon'),
]

describe('choosing channels', () => {
  it('chooses the two that were ticked after All channels was switched off, and no other', () => {
    const off = switchAll(false) ?? []
    expect(off).toEqual([])
    const two = switchOne(channels, switchOne(channels, off, 'd', true), 'b', true)
    expect(two).toEqual(['b', 'd'])
    expect(selectionInWords(channels, two)).toBe('2 of 4 channels')
    expect(switchOne(channels, two, 'd', false)).toEqual(['b'])
  })
  it('includes future channels only while All channels is on', () => {
    expect(switchAll(true)).toBeNull()
    expect(selectionInWords(channels, null)).toBe('All channels')
    expect(selectionInWords(channels, [])).toBe('Choose channels')
  })
  it('tells channels with the same name apart by platform, and by handle where that is the same too', () => {
    expect([...distinctions(channels)]).toEqual([
      ['a', 'Bluesky'],
      ['b', 'Mastodon, @nora@one.example'],
      ['c', 'Mastodon, @nora@two.example'],
    ])
    expect(selectionInWords(channels, ['c'])).toBe('Nora Quill (Mastodon, @nora@two.example)')
    expect(selectionInWords(channels, ['d'])).toBe('Oat Club')
  })
  it('finds a channel by name, handle or platform', () => {
    const found = (search: string) => channels.filter((one) => fitsSearch(one, search)).map((one) => one.channelId)
    expect(found(' oat')).toEqual(['d'])
    expect(found('two.example')).toEqual(['c'])
    expect(found('Bluesky')).toEqual(['a'])
    expect(found('')).toEqual(['a', 'b', 'c', 'd'])
  })
})
