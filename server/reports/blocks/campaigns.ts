import type { ComparedGroup } from '#contract/analytics/compared.ts'
import { lackingNotes, missingIn } from '#contract/analytics/groupWords.ts'
import { missingForReaders } from '#contract/analytics/insightWords.ts'
import { cardTitle, figureName } from '#contract/analytics/labels.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import { count } from '#contract/format.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import type { BlockOf } from '#contract/reports/content.ts'
import { valueText } from '#contract/values.ts'
import { compareGroups } from '../../analytics/compared.ts'
import { narrowedText, nothing, NO_CHANNELS, type Built } from './block.ts'
import { changesNote, figureTable } from './figureTable.ts'
import type { Reading } from './reading.ts'

const HEADING = 'Campaigns'
const ABOUT = 'Posts published in these days, with their figures to date'

/** Campaigns side by side: their posts of these days and what these have to date. */
export async function readCampaigns(reading: Reading, block: BlockOf<'campaigns'>): Promise<Built> {
  const { c, range } = reading
  const scope = reading.scopeOf(block)
  if (scope.channels.length === 0) return nothing(HEADING, NO_CHANNELS)
  const names = block.names.filter((name) => name !== 'published')
  const { groups } = await compareGroups(c, scope, 'campaign', { names, ...(block.ids && { ids: block.ids }) })
  const left = (block.ids?.length ?? 0) - groups.length
  const leftNotes =
    left > 0 && block.ids !== null
      ? [
          `${count(left, 'chosen campaign')} ${left === 1 ? "isn't" : "aren't"} listed: deleted, or without posts of these channels in these days.`,
        ]
      : []
  if (groups.length === 0) return { ...nothing(HEADING, 'No campaigns with posts in these days.'), notes: leftNotes }
  const asked = names.map((name) => ({ base: 'postsPublished', name }) as const)
  return {
    heading: HEADING,
    about: [ABOUT, narrowedText(reading, block)].filter(Boolean).join('. '),
    parts: [
      figureTable(
        'Campaign',
        groups.map((group) => ({
          name: group.name,
          figures: group.figures,
          isApart: false,
          more: [{ text: valueText(group.posts), value: group.posts }],
        })),
        {
          asked,
          range,
          only: undefined,
          more: [{ title: cardTitle('postsPublished', 'published'), align: 'end', unit: 'count' }],
          inOrder: true,
        },
      ),
    ],
    notes: [...changesNote(asked, range), ...groupNotes(groups, names), ...leftNotes],
  }
}

/** What the figures of campaigns lack, and why: of all posts of a platform once, else of each campaign. */
function groupNotes(groups: readonly ComparedGroup[], names: readonly FigureKey[]): string[] {
  return [
    ...lackingNotes(groups, names),
    ...groups.flatMap((group) =>
      missingIn(group, names).map(
        ({ platform, reason, names: lacking }) =>
          `${group.name}, ${platformLabel(platform)}: ${missingForReaders[reason]} (${lacking.map(figureName).join(', ')}).`,
      ),
    ),
  ]
}
