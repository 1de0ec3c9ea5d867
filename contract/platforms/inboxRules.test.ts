import { describe, expect, it } from 'vitest'
import { conversationKinds } from '../inbox/terms.ts'
import { inboxRules, whyNotDone, whyNotRead } from './inboxRegistry.ts'
import { platformRules } from './registry.ts'
import { platformKeys } from './rules.ts'

const actions = ['reply', 'react', 'hide', 'delete'] as const
const everyKind = platformKeys.flatMap((platform) => conversationKinds.map((kind) => ({ platform, kind })))

describe('the rules of inboxes', () => {
  it.each(everyKind)("say why $kind of $platform can't be read, and nothing where they can", ({ platform, kind }) => {
    const isRead = inboxRules[platform].kinds[kind] !== undefined
    expect(whyNotRead(platform, kind)).toEqual(isRead ? null : expect.stringMatching(/^[A-Z].*\.$/))
  })

  it.each(everyKind)(
    "say why something isn't done with $kind of $platform, and nothing where it is",
    ({ platform, kind }) => {
      const rules = inboxRules[platform].kinds[kind]
      for (const action of actions) {
        const why = whyNotDone(platform, kind, action)
        const possible = {
          reply: rules?.reply,
          react: rules && rules.reactions.length > 0,
          hide: rules?.hide,
          delete: rules?.delete,
        }[action]
        expect(why).toEqual(possible ? null : expect.stringMatching(/^[A-Z].*\.$/))
      }
    },
  )

  it('offer no reaction that no platform takes, and none twice', () => {
    for (const { platform, kind } of everyKind) {
      const reactions = inboxRules[platform].kinds[kind]?.reactions ?? []
      expect(reactions).not.toContain('DISLIKE')
      expect(new Set(reactions).size).toBe(reactions.length)
    }
  })

  it('name windows from the shortest, of which only what a person wrote may use the last', () => {
    for (const { platform, kind } of everyKind) {
      const windows = inboxRules[platform].kinds[kind]?.reply?.windows ?? []
      expect(windows.map(({ hours }) => hours)).toEqual(windows.map(({ hours }) => hours).toSorted((a, b) => a - b))
      expect(windows.slice(1).every(({ byPersonOnly }) => byPersonOnly)).toBe(true)
    }
  })

  it('say for TikTok and Pinterest where to answer instead', () => {
    for (const platform of ['tiktok', 'pinterest'] as const)
      expect(whyNotRead(platform, 'comment')).toContain(`in ${platformRules[platform].label}`.slice(3))
  })
})
