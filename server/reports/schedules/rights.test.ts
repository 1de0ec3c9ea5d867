import { describe, expect, it } from 'vitest'
import { coversRights, rightsKey, type Rights } from './rights.ts'

const all: Rights = { channelIds: null, posts: true, inbox: ['comment', 'message'], isAdmin: true }
const some: Rights = { channelIds: ['a', 'b'], posts: true, inbox: ['comment'], isAdmin: false }

describe('rights', () => {
  it('cover fewer channels, without posts or the inbox, and never more', () => {
    expect(coversRights(all, some)).toBe(true)
    expect(coversRights(some, all)).toBe(false)
    expect(coversRights(some, { ...some, channelIds: ['b'] })).toBe(true)
    expect(coversRights(some, { ...some, channelIds: ['b', 'c'] })).toBe(false)
    expect(coversRights(some, { ...some, channelIds: null })).toBe(false)
    expect(coversRights({ ...some, posts: false }, some)).toBe(false)
    expect(coversRights({ ...some, inbox: [] }, some)).toBe(false)
    expect(coversRights({ ...all, isAdmin: false }, all)).toBe(false)
    expect(coversRights(some, some)).toBe(true)
  })

  it('are the same text if they are the same', () => {
    expect(rightsKey({ ...all, inbox: ['message', 'comment'] })).toBe(rightsKey(all))
    expect(rightsKey({ ...all, posts: false })).not.toBe(rightsKey(all))
  })
})
