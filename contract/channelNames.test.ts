import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { channelNames, fullChannelNames, nameOnPlatform } from './channelNames.ts'
import { platformKeys, type PlatformKey } from './platforms/rules.ts'

const channel = (channelId: string, channelName: string, platformName: PlatformKey, handle: string) => ({
  channelId,
  channelName,
  platformName,
  handle,
})

describe('names of channels', () => {
  it('are their own names, or platform and handle where several share one', () => {
    const names = channelNames([
      channel('1', 'Northlight Coffee', 'instagram', '@northlight'),
      channel('2', 'Northlight Coffee', 'googlemybusiness', ''),
      channel('3', 'Northlight Beans', 'instagram', '@beans'),
    ])
    expect([...names.values()]).toEqual([
      'Instagram · @northlight',
      'Google Business Profile · Northlight Coffee',
      'Northlight Beans',
    ])
    const twice = [channel('3', 'Beans', 'instagram', '@beans'), channel('4', 'Beans', 'instagram', '@beans')]
    expect([...fullChannelNames(twice).values()]).toEqual(['Instagram · @beans', 'Instagram · @beans (2)'])
  })

  it('have their platform once', () => {
    expect(nameOnPlatform('Northlight Beans', 'instagram')).toBe('Northlight Beans (Instagram)')
    expect(nameOnPlatform('Instagram · @northlight', 'instagram')).toBe('Instagram · @northlight')
  })

  it('are never the same for two channels, whatever they are called', () => {
    const one = fc.record({
      channelName: fc.constantFrom('A', 'a ', '', 'Instagram · @a', 'Instagram · @a (2)', 'B'),
      platformName: fc.constantFrom(...platformKeys.slice(0, 3)),
      handle: fc.constantFrom('', '@a', '@b'),
    })
    fc.assert(
      fc.property(fc.array(one, { maxLength: 30 }), (channels) => {
        const names = channelNames(channels.map((each, i) => ({ ...each, channelId: String(i) })))
        expect(names.size).toBe(channels.length)
        expect(new Set([...names.values()].map((name) => name.trim().toLowerCase())).size).toBe(channels.length)
      }),
    )
  })
})
