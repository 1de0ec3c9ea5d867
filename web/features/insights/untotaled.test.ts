import { describe, expect, it } from 'vitest'
import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import { figureGroups } from '#contract/analytics/figureGroups.ts'
import { figureBases, viewNames, type FigureBase, type FigureKey } from '#contract/analytics/names.ts'
import { columnsOf } from '#contract/analytics/postColumns.ts'
import { figuresOfBase, isReported } from '#contract/analytics/sources.ts'
import { platformKeys } from '#contract/platforms/rules.ts'
import { untotaledOf } from './untotaled.ts'

const listed = new Set<FigureKey>(figureGroups.flatMap(({ names }): readonly FigureKey[] => names))

describe('the screen of a platform', () => {
  it.each(platformKeys)(
    'of %s has every figure that it reports, as a total or with a way to its values',
    (platform) => {
      // the summary has a card for each of these
      const totals = figureBases.flatMap((base) =>
        figuresOfBase[base].filter((name) => isReported(platform, { base, name })).map((name) => ({ base, name })),
      )
      const rows = [...totals, ...untotaledOf(platform)]
      const has = (name: FigureKey, bases: readonly FigureBase[]) => {
        const own = viewNames.some((one) => one === name) ? 'viewsAndImpressions' : name
        return listed.has(own) && rows.some((row) => row.name === own && bases.includes(row.base))
      }
      const { channel, post } = platformFigures[platform]
      expect(channel.filter(({ name }) => !has(name, ['inTheseDays']))).toEqual([])
      expect(post.filter(({ name }) => !has(name, ['postsPublished']))).toEqual([])
    },
  )

  it.each(platformKeys)('of %s leads to a column of the post table for what posts have no total of', (platform) => {
    const ofPosts = untotaledOf(platform).filter(({ base }) => base === 'postsPublished')
    expect(columnsOf([platform])).toEqual(expect.arrayContaining(ofPosts.map(({ name }) => name)))
  })
})
