import { describe, expect, it } from 'vitest'
import { figuresOf } from './figures.ts'

describe('the figures of a day', () => {
  it('count each state that is there', () => {
    expect(figuresOf([{ status: 'PUBLISHED' }, { status: 'SCHEDULED' }, { status: 'PUBLISHED' }])).toBe(
      '1 scheduled, 2 published',
    )
    expect(figuresOf([])).toBe('')
  })
})
