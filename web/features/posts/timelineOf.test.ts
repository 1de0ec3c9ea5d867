import { describe, expect, it } from 'vitest'
import { timelineOf } from './timelineOf.ts'

const failure = {
  class: 'unknown',
  action: 'none',
  code: 'given-up',
} as const
type Told = Parameters<typeof timelineOf>[0]
const last = (post: Partial<Told>) =>
  timelineOf(
    { status: 'SCHEDULED', failure: null, dueAt: '2026-11-24T09:00:00.000Z', timeline: [], ...post },
    'UTC',
    'Bluesky',
    new Date('2026-11-23T09:00:00Z'),
  ).at(-1)

describe("a post's next step", () => {
  it('is its time if the engine publishes it', () => {
    expect(last({})).toMatchObject({ state: 'next', text: expect.stringMatching(/^Will be published Tue 24 Nov/) })
    expect(last({ failure })?.text).toBe('Will be published once this is fixed')
  })

  it('is its way to the platform once its time has come, and a slot if its queue has none', () => {
    expect(last({ dueAt: '2026-11-23T08:59:00.000Z' })?.text).toBe('On its way to Bluesky. This can take a few minutes')
    expect(last({ status: 'QUEUED', dueAt: null })?.text).toBe('Waiting for a free slot in its queue')
  })

  it("is a person's action for an approved post, which nothing publishes at its time", () => {
    for (const kept of [null, failure])
      expect(last({ status: 'APPROVED', failure: kept })?.text).toBe(
        'Waiting for someone to choose a time or publish it',
      )
  })

  it("is the check of the account only while it's being checked", () => {
    expect(last({ status: 'UNCONFIRMED' })?.text).toBe('Checking the account to find out')
    expect(last({ status: 'UNCONFIRMED', failure })?.text).toBe('Check the account before you send it again.')
  })
})
