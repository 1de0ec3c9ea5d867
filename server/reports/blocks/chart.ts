import { addsText, breakText } from '#contract/analytics/insightWords.ts'
import { addsOf, cardTitle, shownValue, unitOf } from '#contract/analytics/labels.ts'
import type { FigureBase, FigureKey, FigureSubject } from '#contract/analytics/names.ts'
import type { InsightsBreak, InsightsCard } from '#contract/analytics/overview.ts'
import { dayText, spanText } from '#contract/days.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import type { BlockOf } from '#contract/reports/content.ts'
import type { ChartData, Series } from '../../../charts/data.ts'
import { finalWords } from '../../../charts/notes.ts'
import { lookAt, platformLook } from '../../../charts/style.ts'
import type { Scope } from '../../analytics/scope.ts'
import { hasLines } from '../../analytics/series.ts'
import { readChannelTotals } from '../../analytics/channels.ts'
import { subjectOf } from '../../analytics/totals.ts'
import { narrowedText, nothing, NO_CHANNELS, type Built } from './block.ts'
import { baseFor } from './figureWords.ts'
import { termsNote } from './figures.ts'
import { readLines, type Lines } from './lines.ts'
import { missingNotes } from './missingNotes.ts'
import { narrowKey } from './narrow.ts'
import { onlyPlatform, type Reading } from './reading.ts'

type ChartBlock = BlockOf<'chart'>
type Figure = { base: FigureBase; name: FigureKey }

/** More lines are no chart any more. */
const MOST_LINES = 12

/** One figure by day: in total beside the compared days, or a line for each channel or platform. */
export async function readChart(reading: Reading, block: ChartBlock): Promise<Built> {
  const { range } = reading
  const whole = reading.scopeOf(block)
  const figure = { base: baseFor(block.base, block.name), name: block.name }
  const only = onlyPlatform(whole)
  const title = cardTitle(figure.base, figure.name, only)
  const heading = `${title} by day${figure.base === 'postsPublished' && figure.name !== 'published' ? ' of publishing' : ''}`
  if (whole.channels.length === 0) return nothing(heading, NO_CHANNELS)
  const subject = subjectOf(whole, figure.base)
  const why = whyNoLines(figure, { by: block.by, subject })
  if (why !== undefined) return nothing(heading, why)
  const { scope, left } = block.by === 'channel' ? await largest(reading, block, whole) : { scope: whole, left: 0 }
  const { cards, apart, missing } = await reading.summaryOf(block)
  const own = apart.flatMap(({ figures }) => (only === undefined ? [] : figures))
  const isIt = (one: Figure) => one.base === figure.base && one.name === figure.name
  const card: Pick<InsightsCard, 'holds' | 'coverage'> | undefined = own.some(isIt)
    ? own.filter(isIt).map((one) => ({ ...one, holds: [] }))[0]
    : cards.find(isIt)
  // a platform whose figures may not be added to others' has no total, but a line of its own
  const isOwn = only !== undefined && whole.apart.includes(only)
  const by = isOwn && block.by === 'total' && figure.name !== 'published' ? 'platform' : block.by
  const asked = { ...figure, by }
  const lines = await readLines(reading, block, { scope, asked })
  const before =
    block.by === 'total' && range.compare
      ? await readLines(reading, block, { scope: { ...scope, range: { ...range.compare, compare: null } }, asked })
      : undefined
  if (lines.series.every(({ values }) => values.every((value) => value === null)))
    return { ...nothing(heading, 'No figures in these days.'), notes: missingNotes(missing, [figure], reading.nameOf) }
  const breaks = breaksIn(lines, by, { holds: card?.holds ?? [], reading })
  const data: ChartData = {
    axis: { kind: 'days', keys: lines.days },
    series: seriesOf(lines, before, { name: figure.name, lineOf: lineOf(reading, block.by, { title, only }) }),
    unit: unitOf(figure.name).unit,
    adds: addsOf(figure.name),
    breaks: breaks.map(({ date, platform, note }) => ({
      at: date,
      text: `${platformLabel(platform)}: ${breakText(note)}`,
    })),
    ...(card && figure.base === 'inTheseDays' && addsOf(figure.name) === 'sum'
      ? { finalUntil: card.coverage.finalUntil }
      : {}),
  }
  const open = finalWords(data)
  return {
    heading,
    about: narrowedText(reading, block),
    parts: [{ kind: 'chart', data, shape: block.shape, height: block.height, label: heading }],
    notes: [
      ...(open === null ? [] : [`${open}.`]),
      ...(left > 0 ? [`Only the ${MOST_LINES} channels with the most followers are drawn, ${left} more aren't.`] : []),
      ...breaks.map(({ date, platform, note }) => `${platformLabel(platform)}, ${dayText(date)}: ${breakText(note)}`),
      ...missingNotes(
        missing.filter(({ reason }) => reason !== 'termsForbid'),
        [figure],
        reading.nameOf,
      ),
      ...whole.apart.flatMap((platform) =>
        apart.some((one) => one.platform === platform)
          ? termsNote(platformLabel(platform), { isOwn: isOwn || block.by !== 'total', asked: [figure] })
          : [],
      ),
    ],
  }
}

/** Why a figure has no line by day; undefined if it has. */
function whyNoLines(
  { base, name }: Figure,
  { by, subject }: { by: ChartBlock['by']; subject: FigureSubject },
): string | undefined {
  if (name === 'engagementRate') return addsText(name)
  if (!hasLines({ base, subject, by }, name)) return 'There are no values by day.'
  return addsOf(name) === 'none' && by !== 'channel'
    ? 'Never added up, so it has no line but those of channels.'
    : undefined
}

/** The channels that are drawn: of very many, those with the most followers, as the insights list them. */
async function largest(reading: Reading, block: ChartBlock, scope: Scope): Promise<{ scope: Scope; left: number }> {
  if (scope.channels.length <= MOST_LINES) return { scope, left: 0 }
  const { channels, total } = await reading.once(`largest ${narrowKey(block)}`, () =>
    readChannelTotals(reading.c, scope, {
      names: ['followers'],
      base: 'inTheseDays',
      most: MOST_LINES,
      medians: false,
    }),
  )
  const drawn = new Set(channels.map(({ channelId }) => channelId))
  return {
    scope: { ...scope, channels: scope.channels.filter(({ channelId }) => drawn.has(channelId)) },
    left: total - drawn.size,
  }
}

/** What a line is called and looks like: a channel or platform keeps both, whatever else is drawn. */
function lineOf(
  { nameOf, placeOf }: Reading,
  by: ChartBlock['by'],
  { title, only }: { title: string; only: PlatformKey | undefined },
): (key: string) => Pick<Series, 'name' | 'look'> {
  return (key) => {
    if (by === 'channel') return { name: nameOf(key), look: lookAt(placeOf(key)) }
    const platform = PlatformKey.safeParse(key)
    if (by === 'platform' && platform.success)
      return { name: platformLabel(platform.data), look: platformLook(platform.data) }
    return { name: title, look: { ...lookAt(0), ...(only ? { color: platformLook(only).color } : {}) } }
  }
}

function seriesOf(
  { series, days }: Lines,
  before: Lines | undefined,
  { name, lineOf: look }: { name: FigureKey; lineOf: ReturnType<typeof lineOf> },
): Series[] {
  const shown = (values: readonly (number | null)[]) => values.map((value) => shownValue(name, value))
  const own = series.map(({ key, values }): Series => ({ key, ...look(key), values: shown(values) }))
  const [first, compared] = [own[0], before?.series[0]]
  if (!first || !before || !compared) return own
  // day by day from the first: the second Monday beside the first one
  const values = days.map((_, i) => shownValue(name, compared.values[i] ?? null))
  const span = { from: before.range.from, to: before.range.to }
  return [...own, { key: 'before', name: spanText(span), values, days: before.days, comparedWith: first.key }]
}

/** The breaks of platforms whose figures are in what is drawn: a total holds fewer of them than the filter. */
function breaksIn(
  { series, breaks }: Lines,
  by: ChartBlock['by'],
  { holds, reading }: Pick<InsightsCard, 'holds'> & { reading: Reading },
): InsightsBreak[] {
  const drawn = new Set(series.map(({ key }) => key))
  const ofChannels = new Set(
    reading.channels.flatMap(({ channelId, platformName }) => (drawn.has(channelId) ? [platformName] : [])),
  )
  return breaks.filter(({ platform }) => {
    if (by === 'total') return holds.some((one) => one.platform === platform)
    return by === 'platform' ? drawn.has(platform) : ofChannels.has(platform)
  })
}
