import type { ComparedFigure } from '#contract/analytics/filter.ts'
import { isCountedHere, type FigureBase, type FigureKey } from '#contract/analytics/names.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import type { BlockOf } from '#contract/reports/content.ts'
import type { DocumentFigure } from '../document.ts'
import { narrowedText, nothing, NO_CHANNELS, type Built } from './block.ts'
import { absentFigure, baseFor, comparedNote, figureOf } from './figureWords.ts'
import { changesNote, emptyNotes, figureTable } from './figureTable.ts'
import { missingNotes, reasonsFor } from './missingNotes.ts'
import { onlyPlatform, type Reading } from './reading.ts'

type FiguresBlock = BlockOf<'figures'>
type Figure = { base: FigureBase; name: FigureKey }

/** Figures with their change: totals as cards, or a row per channel or platform. */
export async function readFigures(reading: Reading, block: FiguresBlock): Promise<Built> {
  const asked = block.names.map((name): Figure => ({ base: baseFor(block.base, name), name }))
  if (reading.scopeOf(block).channels.length === 0) return nothing(headings[block.by], NO_CHANNELS)
  const read = { total: readCards, channel: readByChannel, platform: readByPlatform }[block.by]
  const built = await read(reading, block, asked)
  return { heading: headings[block.by], about: narrowedText(reading, block), ...built }
}
const headings = { total: 'Figures', channel: 'By channel', platform: 'By platform' } as const

async function readCards(reading: Reading, block: FiguresBlock, asked: readonly Figure[]) {
  const scope = reading.scopeOf(block)
  const only = onlyPlatform(scope)
  const { cards, apart, missing } = await reading.summaryOf(block)
  const isOwn = only !== undefined && scope.apart.includes(only)
  const findIn = (all: readonly ComparedFigure[], { base, name }: Figure) =>
    all.find((one) => one.base === base && one.name === name)
  const own = isOwn ? apart.flatMap(({ figures }) => figures) : []
  const shown = asked.map((one) => ({ one, figure: findIn(own, one) ?? findIn(cards, one) }))
  const totals = shown.map(({ one, figure }): DocumentFigure =>
    figure
      ? figureOf(figure, reading.range, { only, reasons: reasonsFor(missing, one) })
      : absentFigure(one.base, one.name, { only }),
  )
  // each on its own, under the platform's own names
  const beside = isOwn
    ? []
    : apart.flatMap(({ platform, figures }) =>
        asked.flatMap((one): DocumentFigure[] => {
          const figure = findIn(figures, one)
          return figure ? [figureOf(figure, reading.range, { of: platform, reasons: [] })] : []
        }),
      )
  const known = shown.flatMap(({ one, figure }) => (figure && figure.value !== null ? [one] : []))
  const byTerms = scope.apart.filter((platform) => apart.some((one) => one.platform === platform))
  return {
    parts: [{ kind: 'figures' as const, figures: [...totals, ...beside] }],
    notes: [
      ...comparedNote([...totals, ...beside], reading.range),
      ...missingNotes(
        missing.filter(({ reason }) => reason !== 'termsForbid'),
        known,
        reading.nameOf,
      ),
      ...byTerms.flatMap((platform) => termsNote(platformLabel(platform), { isOwn, asked })),
    ],
  }
}

/** Why a platform's figures are on their own, or nothing is worked out of them. */
export function termsNote(platform: string, { isOwn, asked }: { isOwn: boolean; asked: readonly Figure[] }): string[] {
  const worked = asked.some(({ name }) => name === 'engagements' || name === 'engagementRate')
  if (isOwn) return worked ? [`${platform}'s terms don't allow working anything out of its figures.`] : []
  return asked.every(({ name }) => isCountedHere(name))
    ? []
    : [
        `${platform}'s terms don't allow adding its figures to those of other platforms, so they aren't in the totals.${asked.some(({ name }) => name === 'published') ? ` Only the number of published posts includes ${platform}, because we count posts ourselves.` : ''}`,
      ]
}

async function readByChannel(reading: Reading, block: FiguresBlock, asked: readonly Figure[]) {
  const { range, nameOf } = reading
  const scope = reading.scopeOf(block)
  const { channels, missing } = await reading.channelsOf(block)
  const rows = channels.map(({ channelId, platformName, figures }) => ({
    name: nameOf(channelId),
    figures,
    isApart: scope.apart.includes(platformName),
  }))
  return {
    parts: [figureTable('Channel', rows, { asked, range, only: onlyPlatform(scope) })],
    notes: [...changesNote(asked, range), ...missingNotes(missing, asked, nameOf), ...emptyNotes(rows, asked, missing)],
  }
}

async function readByPlatform(reading: Reading, block: FiguresBlock, asked: readonly Figure[]) {
  const { range, nameOf } = reading
  const scope = reading.scopeOf(block)
  const { platforms, apart, missing } = await reading.summaryOf(block)
  const rows = platforms.map(({ platform, figures }) => ({
    name: platformLabel(platform),
    figures: [...figures, ...apart.flatMap((one) => (one.platform === platform ? one.figures : []))],
    isApart: scope.apart.includes(platform),
  }))
  return {
    parts: [figureTable('Platform', rows, { asked, range, only: onlyPlatform(scope) })],
    notes: [
      ...changesNote(asked, range),
      ...missingNotes(
        missing.filter(({ reason }) => reason !== 'termsForbid'),
        asked,
        nameOf,
      ),
      ...emptyNotes(rows, asked, missing),
      // totals leave these platforms out; here they have a row of their own
      ...scope.apart.flatMap((platform) =>
        rows.some(({ name }) => name === platformLabel(platform))
          ? termsNote(platformLabel(platform), { isOwn: true, asked })
          : [],
      ),
    ],
  }
}
