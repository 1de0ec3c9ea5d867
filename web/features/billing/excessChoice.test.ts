import { describe, expect, it } from 'vitest'
import type { Excess } from '#contract/billing.ts'
import { beyondOf, firstChoice, isFull, itemsOf, restsWithProject, toggled } from './excessChoice.ts'

const project = (projectId: string, locked = false) => ({ projectId, name: projectId, locked })
const channel = (channelId: string, projectId: string, locked = false) => ({ channelId, name: channelId, platform: 'bluesky' as const, projectId, projectName: projectId, locked })
const user = (userId: string, locked = false) => ({ userId, name: userId, isOrgAdmin: false, locked })
const facts: Excess = {
  projects: { allowed: 1, items: [project('first'), project('second')] },
  channels: { allowed: 2, items: [channel('a', 'second'), channel('b', 'first'), channel('c', 'first'), channel('d', 'first')] },
  users: { allowed: 1, items: [user('grace'), user('ada')] },
}

describe('what stays active', () => {
  it('begins with whoever chooses, and with channels of the projects that stay', () => {
    expect(firstChoice(facts, 'ada')).toEqual({ projects: ['first'], channels: ['b', 'c'], users: ['ada'] })
  })

  it('begins with what is active, not with what was locked before', () => {
    expect(firstChoice({ ...facts, channels: { allowed: 2, items: [channel('b', 'first', true), channel('c', 'first'), channel('d', 'first')] } }, 'ada').channels).toEqual(['c', 'd'])
  })

  it('loses the channels of a project that is left out, and gets none of them back by itself', () => {
    const without = toggled(facts, firstChoice(facts, 'ada'), 'projects', 'first')
    expect(without).toMatchObject({ projects: [], channels: [] })
    expect(toggled(facts, without, 'projects', 'second')).toMatchObject({ projects: ['second'], channels: [] })
  })

  it('is no channel of a project that rests', () => {
    const kept = firstChoice(facts, 'ada')
    expect(itemsOf(facts, 'channels').filter((item) => restsWithProject(kept, item)).map(({ id }) => id)).toEqual(['a'])
    expect(itemsOf(facts, 'users').some((item) => restsWithProject(kept, item))).toBe(false)
  })

  it('is full at what the plan allows', () => {
    const kept = firstChoice(facts, 'ada')
    expect(isFull(facts, kept, 'channels')).toBe(true)
    expect(isFull(facts, toggled(facts, kept, 'channels', 'b'), 'channels')).toBe(false)
  })
})

it('only kinds of which there is too much, or of which something rests, are asked about', () => {
  const fine: Excess = { projects: { allowed: 1, items: [project('first')] }, channels: { allowed: 3, items: [channel('a', 'first', true)] }, users: { allowed: 1, items: [user('ada')] } }
  expect(beyondOf(facts)).toEqual(['projects', 'channels', 'users'])
  expect(beyondOf(fine)).toEqual(['channels'])
})
