import { describe, expect, it } from 'vitest'
import { advised, occasions, reasonFor, remedies } from './advice.ts'
import { refusedBy, slowDown, troubleOf } from './jsonCalls.ts'

describe('advice', () => {
  it('speaks of a post only where there is one, and of trying again automatically only where we do', () => {
    for (const remedy of remedies)
      for (const occasion of occasions) {
        const { advice } = reasonFor({ text: 'It refused.', ...advised(remedy) }, occasion)
        expect(advice).toMatch(/^[A-Z].*\.$/)
        if (occasion !== 'post' && occasion !== 'edit') expect(advice).not.toMatch(/\bpost\b/)
        if (['connect', 'lookup', 'addition', 'edit', 'remove'].includes(occasion))
          expect(advice).not.toContain('automatically')
      }
  })

  it('that belongs to a reason stays as it is', () => {
    const own = { text: 'The board is gone.', advice: 'Choose another board.' }
    expect(reasonFor(own, 'connect')).toEqual(own)
  })

  it('of refusals that all platforms share follows what was being done', () => {
    const step = { doing: 'say whose account it is', irreversible: false }
    const away = troubleOf({ kind: 'failed', cause: 'unsent', detail: '' }, 'Mastodon', step)
    const reasons = [
      away?.reason,
      slowDown('Mastodon', 60, '429').reason,
      refusedBy('Mastodon', step.doing, 'No.', '422'),
    ]
    expect(reasons.map((reason) => reason && reasonFor(reason, 'connect').advice)).toEqual([
      'Try again in a few minutes.',
      'Try again in a few minutes.',
      'Start again, or connect another account.',
    ])
  })
})
