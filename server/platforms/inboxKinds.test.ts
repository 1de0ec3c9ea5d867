import { expect, it } from 'vitest'
import { conversationKinds } from '#contract/inbox/terms.ts'
import { inboxRules, readPriceOf } from '#contract/platforms/inboxRegistry.ts'
import { platformKeys } from '#contract/platforms/rules.ts'
import { composePlatforms } from './registry.ts'

const platforms = composePlatforms({ plcDirectory: 'http://127.0.0.1:9', publicUrl: 'http://rookery.test' })

it.each(platformKeys)('%s is read for exactly the kinds of conversations that its rules name', (key) => {
  const read = platforms(key)?.inbox?.reads.flat() ?? []
  expect(read.toSorted()).toEqual(conversationKinds.filter((kind) => inboxRules[key].kinds[kind]).toSorted())
})

it.each(platformKeys)('%s is read within a limit where it charges for reading, and only there', (key) => {
  expect(platforms(key)?.inbox?.pays !== undefined).toBe(readPriceOf(key) !== null)
})
