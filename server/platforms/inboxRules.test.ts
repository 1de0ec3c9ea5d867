import { describe, expect, it } from 'vitest'
import { conversationKinds } from '#contract/inbox/terms.ts'
import { inboxRules, readPriceOf } from '#contract/platforms/inboxRegistry.ts'
import { platformKeys } from '#contract/platforms/rules.ts'
import { composePlatforms } from './registry.ts'

/* What a platform's rules promise, its adapter does: the rules tell people what is possible. */

const platforms = composePlatforms({ plcDirectory: 'http://127.0.0.1:9', publicUrl: 'https://rookery.test' })

describe.each(platformKeys)('the inbox of %s', (key) => {
  const inbox = platforms(key)?.inbox
  const kinds = conversationKinds.flatMap((kind) => inboxRules[key].kinds[kind] ?? [])

  it('has exactly the kinds of conversations that the rules name', () => {
    const named = conversationKinds.filter((kind) => inboxRules[key].kinds[kind])
    expect((inbox?.reads.flat() ?? []).toSorted()).toEqual(named.toSorted())
  })

  it('has a spending limit exactly if the platform charges for reading', () => {
    expect(inbox?.pays !== undefined).toBe(readPriceOf(key) !== null)
  })

  it('can send, edit and delete replies exactly if the rules allow it', () => {
    expect(inbox?.replies !== undefined).toBe(kinds.some(({ reply }) => reply))
    expect(inbox?.replies?.edit !== undefined).toBe(kinds.some(({ reply }) => reply?.edit))
    expect(inbox?.replies?.remove !== undefined).toBe(kinds.some(({ reply }) => reply?.delete))
  })

  it('can react to items, hide and delete them exactly if the rules allow it', () => {
    expect(inbox?.actions?.react !== undefined).toBe(kinds.some(({ reactions }) => reactions.length > 0))
    expect(inbox?.actions?.hide !== undefined).toBe(kinds.some(({ hide }) => hide))
    expect(inbox?.actions?.remove !== undefined).toBe(kinds.some((rules) => rules.delete))
  })
})
