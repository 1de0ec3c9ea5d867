import type { FigureKey } from '#contract/analytics/names.ts'
import type { ReportBlock } from '#contract/reports/content.ts'
import { baseFor } from './figureWords.ts'
import { narrowKey } from './narrow.ts'

/** Figures that blocks with the same channels and platforms need together. */
export type Need = Record<'inTheseDays' | 'postsPublished' | 'byPlatform', Set<FigureKey>>

/** What the blocks of figures and charts need, by `narrowKey`, so that it's read once for all of them. */
export function needsOf(blocks: readonly ReportBlock[]): ReadonlyMap<string, Need> {
  const needs = new Map<string, Need>()
  for (const block of blocks) {
    if (block.kind !== 'figures' && block.kind !== 'chart') continue
    const key = narrowKey(block)
    const need = needs.get(key) ?? { inTheseDays: new Set(), postsPublished: new Set(), byPlatform: new Set() }
    needs.set(key, need)
    for (const name of block.kind === 'figures' ? block.names : [block.name]) {
      need[baseFor(block.base, name)].add(name)
      if (block.kind === 'figures' && block.by === 'platform') need.byPlatform.add(name)
    }
  }
  return needs
}
