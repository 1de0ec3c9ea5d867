import { describe, expect, it } from 'vitest'
import { conversationKinds } from '#contract/inbox/terms.ts'
import { inboxRules } from '#contract/platforms/inboxRegistry.ts'
import { platformKeys } from '#contract/platforms/rules.ts'
import { composePlatforms } from './registry.ts'

/* What the rules promise of an inbox, its adapter does: people are told by the rules what is possible. */

const platforms = composePlatforms({ plcDirectory: 'http://plc.test', publicUrl: 'https://rookery.test' })
const withInbox = platformKeys.filter((key) => platforms(key)?.inbox !== undefined)

it.each(['facebook', 'instagram', 'threads', 'bluesky', 'mastodon'] as const)('%s has an inbox', (key) => {
  expect(withInbox).toContain(key)
})

describe.each(withInbox)('the inbox of %s', (key) => {
  const inbox = platforms(key)?.inbox
  const kinds = conversationKinds.flatMap((kind) => inboxRules[key].kinds[kind] ?? [])

  it('reads exactly the kinds that its rules name', () => {
    const named = conversationKinds.filter((kind) => inboxRules[key].kinds[kind] !== undefined)
    expect(inbox?.reads.flat().toSorted()).toEqual(named.toSorted())
  })

  it.runIf(inbox?.replies)('edits and deletes replies where its rules say so', () => {
    expect(inbox?.replies?.edit !== undefined).toBe(kinds.some(({ reply }) => reply?.edit))
    expect(inbox?.replies?.remove !== undefined).toBe(kinds.some(({ reply }) => reply?.delete))
  })

  it.runIf(inbox?.actions)('reacts, hides and deletes where its rules say so', () => {
    expect(inbox?.actions?.react !== undefined).toBe(kinds.some(({ reactions }) => reactions.length > 0))
    expect(inbox?.actions?.hide !== undefined).toBe(kinds.some(({ hide }) => hide))
    expect(inbox?.actions?.remove !== undefined).toBe(kinds.some((rules) => rules.delete))
  })
})
