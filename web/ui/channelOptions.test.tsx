import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { channelOptions } from './channelOptions.tsx'

const channel = (channelId: string, channelName: string, platformName: PlatformKey, handle: string) => ({
  channelId,
  channelName,
  platformName,
  handle,
})
const all = [
  channel('1', 'Northlight Coffee', 'instagram', '@northlight'),
  channel('2', 'Northlight Coffee', 'bluesky', '@northlight.test'),
  channel('3', 'Northlight Beans', 'instagram', '@beans'),
]

describe('channels to choose from', () => {
  it('are named like no other one, also where only some of them are offered', () => {
    const named = (channels: typeof all) => channelOptions(channels, all).map(({ name }) => name)
    expect(named(all)).toEqual(['Instagram · @northlight', 'Bluesky · @northlight.test', 'Northlight Beans'])
    expect(named(all.slice(0, 1))).toEqual(['Instagram · @northlight'])
  })

  it('show name and handle, each once and in full', () => {
    const shown = channelOptions(all).map(({ label }) => renderToStaticMarkup(<>{label}</>))
    for (const [i, { channelName, handle }] of all.entries()) {
      expect(shown[i]?.split(channelName)).toHaveLength(2)
      expect(shown[i]?.split(handle)).toHaveLength(2)
      expect(shown[i]).not.toContain('truncate')
    }
  })

  it('are found by name, handle and platform', () => {
    expect(channelOptions(all)[0]?.found).toBe('Northlight Coffee @northlight Instagram')
  })
})
