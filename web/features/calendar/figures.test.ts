import { describe, expect, it } from 'vitest'
import { figuresOf } from './figures.ts'

describe('the counts of a day', () => {
  it('include each state that occurs', () => {
    expect(figuresOf([{ status: 'PUBLISHED' }, { status: 'SCHEDULED' }, { status: 'PUBLISHED' }])).toBe(
      '1 scheduled, 2 published',
    )
    expect(figuresOf([])).toBe('')
  })
})
