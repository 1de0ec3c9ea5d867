import { describe, expect, it } from 'vitest'
import { blockKinds, ReportContent } from './content.ts'
import { blockWidths, COLUMNS, rowsOf, widthOf, type BlockWidth } from './layout.ts'
import { contentOf, reportTemplates } from './templates.ts'

const block = (width: BlockWidth, kind = 'chart') => ({ kind, width })

describe('rows', () => {
  it('hold as many blocks side by side as fit, in their order', () => {
    const [third, half, wide, whole] = [block(2), block(3), block(4), block(6)]
    expect(rowsOf([third, wide, half, half, whole, third, half, third])).toEqual([
      [third, wide],
      [half, half],
      [whole],
      [third, half],
      [third],
    ])
  })

  it('give figures all of the width where they are a table', () => {
    const figures = (by: string) => ({ ...block(2, 'figures'), by })
    expect([figures('total'), figures('channel'), figures('platform')].map(widthOf)).toEqual([2, COLUMNS, COLUMNS])
    // another kind's `by` isn't a table
    expect(widthOf({ ...block(2), by: 'channel' })).toBe(2)
  })

  it('of any blocks keep all of them in order and never exceed the page', () => {
    const kinds = [...blockKinds]
    let seed = 7
    const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
    for (let round = 0; round < 500; round++) {
      const blocks = Array.from({ length: next(41) }, () =>
        block(blockWidths[next(blockWidths.length)] ?? 6, kinds[next(kinds.length)]),
      )
      const rows = rowsOf(blocks)
      expect(rows.flat()).toEqual(blocks)
      for (const row of rows) expect(row.reduce((sum, one) => sum + widthOf(one), 0)).toBeLessThanOrEqual(COLUMNS)
    }
  })
})

describe('templates', () => {
  it.for(reportTemplates)('%s is content that can be saved as it is', (template) => {
    const content = contentOf(template, {
      campaignId: '0190f1c2-0000-7000-8000-000000000001',
      channelId: '0190f1c2-0000-7000-8000-000000000002',
    })
    expect(ReportContent.parse(content)).toEqual(content)
  })
})
