import { describe, expect, it } from 'vitest'
import { platformKeys } from '../platforms/rules.ts'
import { postTitle } from './labels.ts'
import { columnsOf, ownColumn } from './postColumns.ts'

describe('columns of posts', () => {
  it.each(platformKeys)('of %s alone have a name each', (platform) => {
    const titles = columnsOf([platform]).map((name) => postTitle(name, platform))
    expect(new Set(titles).size).toBe(titles.length)
  })

  it('have views and impressions of several platforms together, and of one only its own, at the same place', () => {
    expect(columnsOf(['instagram', 'linkedin']).slice(0, 3)).toEqual([
      'viewsAndImpressions',
      'engagements',
      'engagementRate',
    ])
    expect(columnsOf(['linkedin']).slice(0, 3)).toEqual(['impressions', 'engagements', 'engagementRate'])
    expect(columnsOf(['linkedin'])).not.toContain('viewsAndImpressions')
    expect([ownColumn('viewsAndImpressions', ['youtube']), ownColumn('viewsAndImpressions', [])]).toEqual([
      'views',
      'viewsAndImpressions',
    ])
  })
})
