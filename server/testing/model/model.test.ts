import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { postStates } from '#contract/postStates.ts'
import { modelRuns } from '../modelRuns.ts'
import { sequence } from './actions.ts'
import { playOnModel, wrongs } from './invariants.ts'

describe('the model of posts', () => {
  const { runs, seed, timeout } = modelRuns('posts model alone')
  test('is right after every action of random sequences, and they lead into every state', { timeout }, () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(sequence, (actions) => {
        for (const { became } of playOnModel(actions).moves) seen.add(became)
      }),
      { numRuns: runs, seed },
    )
    expect([...seen].toSorted()).toEqual(postStates.toSorted())
  })

  test('notices broken invariants', () => {
    const world = playOnModel([
      { kind: 'ask', who: 'user', channels: [0], word: 'live', target: { type: 'ONCE', hours: 3 }, workflow: 0 },
    ])
    expect(wrongs(world)).toEqual([])
    const [post] = world.posts
    if (!post) throw new Error('no post')
    post.state = 'SCHEDULED'
    world.moves.push({ post: 0, was: 'PUBLISHED', became: 'SCHEDULED' })
    expect(wrongs(world)).toEqual([
      'post 0 went from PUBLISHED to SCHEDULED',
      'post 0 is SCHEDULED and nobody who may let it has',
      'post 0 is SCHEDULED while its round is open',
    ])
  })
})
