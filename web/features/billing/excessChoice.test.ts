import { describe, expect, it } from 'vitest'
import type { Excess } from '#contract/billing.ts'
import { beyondOf, firstChoice, isFull, itemsOf, restsWithProject, toggled } from './excessChoice.ts'

const project = (projectId: string, locked = false) => ({ projectId, name: projectId, locked })
const channel = (channelId: string, projectId: string, locked = false) => ({
  channelId,
  name: channelId,
  platform: 'bluesky' as const,
  projectId,
  projectName: projectId,
  locked,
})
const user = (userId: string, locked = false) => ({ userId, name: userId, isOrgAdmin: false, locked })
const facts: Excess = {
  projects: { allowed: 1, items: [project('first'), project('second')] },
  channels: {
    allowed: 2,
    platforms: [{ platform: 'x', allowed: 0 }],
    items: [channel('a', 'second'), channel('b', 'first'), channel('c', 'first'), channel('d', 'first')],
  },
  users: { allowed: 1, items: [user('grace'), user('ada')] },
}

describe('what stays active', () => {
  it('starts with the person choosing, and with channels of the projects that stay', () => {
    expect(firstChoice(facts, 'ada')).toEqual({ projects: ['first'], channels: ['b', 'c'], users: ['ada'] })
  })

  it('starts with what is active, not with what was paused before', () => {
    expect(
      firstChoice(
        {
          ...facts,
          channels: {
            ...facts.channels,
            items: [channel('b', 'first', true), channel('c', 'first'), channel('d', 'first')],
          },
        },
        'ada',
      ).channels,
    ).toEqual(['c', 'd'])
  })

  it("loses a deselected project's channels, and doesn't get them back automatically", () => {
    const without = toggled(facts, firstChoice(facts, 'ada'), 'projects', 'first')
    expect(without).toMatchObject({ projects: [], channels: [] })
    expect(toggled(facts, without, 'projects', 'second')).toMatchObject({ projects: ['second'], channels: [] })
  })

  it("can't include a channel of a paused project", () => {
    const kept = firstChoice(facts, 'ada')
    expect(
      itemsOf(facts, 'channels')
        .filter((item) => restsWithProject(kept, item))
        .map(({ id }) => id),
    ).toEqual(['a'])
    expect(itemsOf(facts, 'users').some((item) => restsWithProject(kept, item))).toBe(false)
  })

  it("is full at the plan's limit", () => {
    const kept = firstChoice(facts, 'ada')
    const [item] = itemsOf(facts, 'channels').filter(({ id }) => id === 'd')
    if (!item) throw new Error('there is no such channel')
    expect(isFull(facts, kept, 'channels', item)).toBe(true)
    expect(isFull(facts, toggled(facts, kept, 'channels', 'b'), 'channels', item)).toBe(false)
  })

  it("can't exceed the plan's accounts per platform", () => {
    const x = (channelId: string) => ({ ...channel(channelId, 'first'), platform: 'x' as const })
    const with_ = (allowed: number): Excess => ({
      ...facts,
      channels: {
        allowed: 3,
        platforms: [{ platform: 'x', allowed }],
        items: [x('one'), x('two'), channel('b', 'first')],
      },
    })
    expect(firstChoice(with_(0), 'ada').channels).toEqual(['b'])
    expect(firstChoice(with_(1), 'ada').channels).toEqual(['one', 'b'])
    expect(beyondOf({ ...with_(1), projects: { allowed: 9, items: [] }, users: { allowed: 9, items: [] } })).toEqual([
      'channels',
    ])
    const [one, two] = itemsOf(with_(1), 'channels')
    if (!one || !two) throw new Error('there are no such channels')
    const kept = { projects: ['first'], users: ['ada'], channels: ['one'] }
    expect(isFull(with_(1), kept, 'channels', two)).toBe(true)
    expect(isFull(with_(1), { ...kept, channels: [] }, 'channels', two)).toBe(false)
    expect(isFull(with_(0), { ...kept, channels: [] }, 'channels', one)).toBe(true)
  })
})

it('only asks about kinds with too many, or with paused ones', () => {
  const fine: Excess = {
    projects: { allowed: 1, items: [project('first')] },
    channels: { allowed: 3, platforms: [], items: [channel('a', 'first', true)] },
    users: { allowed: 1, items: [user('ada')] },
  }
  expect(beyondOf(facts)).toEqual(['projects', 'channels', 'users'])
  expect(beyondOf(fine)).toEqual(['channels'])
})
