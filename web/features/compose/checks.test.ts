import { describe, expect, it } from 'vitest'
import type { Channel } from '#contract/channels.ts'
import { bluesky } from '#contract/platforms/bluesky.ts'
import { countsOf, errorsByChannel, fileErrors, mostImages, overflowAt } from './checks.ts'

const channel: Channel = { channelId: '019a0000-0000-7000-8000-000000000100', channelName: 'Northlight', handle: '@northlight.coffee', platformName: 'bluesky', profileUrl: null, domain: null, status: 'CONNECTED', enabled: true, simulated: false, zone: 'UTC', latenessMinutes: 60, scheduledPosts: 0, connectedOn: '2026-11-01T00:00:00Z', problem: null, checkedAt: null, signInEndsAt: null, latePosts: 0, deleting: false }

describe('checks while typing', () => {
  it('counts as the platform does, and shows bytes only when they come near', () => {
    expect(countsOf([bluesky], 'Grüße 👩‍👩‍👧‍👦')).toEqual([{ label: 'Bluesky', unit: 'graphemes', used: 7, max: 300 }])
    expect(countsOf([bluesky], '👩‍👩‍👧‍👦'.repeat(110)).map((count) => [count.unit, count.used])).toEqual([['graphemes', 110], ['utf8bytes', 2750]])
  })

  it('knows where the text becomes too long', () => {
    expect(overflowAt([bluesky], 'a'.repeat(300))).toBeUndefined()
    expect(overflowAt([bluesky], 'a'.repeat(305))).toBe(300)
    expect(overflowAt([bluesky], '👩‍👩‍👧‍👦'.repeat(130))).toBe(120 * '👩‍👩‍👧‍👦'.length)
    expect(overflowAt([bluesky], `  ${'a'.repeat(305)}`)).toBe(302)
  })

  it('names what is wrong by channel, in the words of the server', () => {
    const [found] = errorsByChannel([channel], { text: 'x'.repeat(301), media: [{ contentType: 'image/webp', bytes: 3_000_000 }], card: undefined }, true)
    expect(found?.errors.map((error) => error.message)).toEqual(['the text is 1 character over the limit of 300', 'unsupported image type. Supported: jpeg, png', 'image size cannot exceed 2 MB'])
    expect(errorsByChannel([channel], { text: '', media: [], card: { uri: 'https://example.org/', title: 'A page', description: '', imageAssetId: null } }, true)).toEqual([])
  })

  it('lets a post wait for a channel that needs a person, but not go out at once', () => {
    const dead: Channel = { ...channel, status: 'TOKEN_EXPIRED', problem: 'The app password was revoked.' }
    expect(errorsByChannel([dead], { text: 'hi', media: [], card: undefined }, false)).toEqual([])
    expect(errorsByChannel([dead], { text: 'hi', media: [], card: undefined }, true)[0]?.errors[0]?.message).toBe('The app password was revoked.')
  })

  it('says each broken rule of a file once', () => {
    expect(fileErrors([channel, { ...channel }], { contentType: 'video/mp4', bytes: 1 }).map((error) => error.message)).toEqual(['videos are not supported'])
    expect(fileErrors([channel], { contentType: 'application/pdf', bytes: 1 }).map((error) => error.message)).toEqual(['documents are not supported'])
    expect(mostImages([])).toBe(4)
  })
})
