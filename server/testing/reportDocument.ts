import type {
  DocumentBlock,
  DocumentFigure,
  DocumentPost,
  Part,
  ReportDocument,
  Value,
} from '#server/reports/document.ts'
import type { Unit } from '#contract/values.ts'
import { valueText } from '#contract/values.ts'

/* Reports as they're made from a project's figures, made by hand. */

export const valueOf = (value: number | null, unit: Unit = 'count'): Value => ({
  text: valueText(value, unit),
  value,
  unit,
})

export const figureOf = (title: string, value: Value, more: Partial<DocumentFigure> = {}): DocumentFigure => ({
  title,
  base: 'in these days',
  value,
  change: null,
  direction: null,
  changeValue: null,
  note: null,
  ...more,
})

export const blockOf = (blockId: string, parts: readonly Part[], more: Partial<DocumentBlock> = {}): DocumentBlock => ({
  blockId,
  kind: 'figures',
  width: 6,
  heading: `Block ${blockId}`,
  about: null,
  parts,
  notes: [],
  ...more,
})

export const reportOf = (blocks: readonly DocumentBlock[], more: Partial<ReportDocument> = {}): ReportDocument => ({
  title: 'November for Northlight',
  organization: 'Rook & Partners',
  project: 'Northlight Beans',
  days: '1 Nov to 30 Nov 2026',
  range: { from: '2026-11-01', to: '2026-11-30', compare: { from: '2026-10-02', to: '2026-10-31' } },
  zone: 'Europe/Vienna',
  filtered: null,
  createdAt: new Date('2026-12-01T08:00:00Z'),
  notFinal: [],
  accent: null,
  blocks,
  pictures: new Map(),
  ...more,
})

export const postOf = (more: Partial<DocumentPost> = {}): DocumentPost => ({
  channel: '@northlight',
  platform: 'instagram',
  published: '3 Nov 2026, 10:30',
  excerpt: 'The new roast is here, and it tastes of plums, chocolate and patience.',
  link: 'https://social.example/p/1',
  picture: null,
  figures: [
    { title: 'Views', value: valueOf(12_345) },
    { title: 'Engagement rate', value: valueOf(6.84, 'percent') },
  ],
  ...more,
})

/** The days of November. */
const november = Array.from({ length: 30 }, (_, i) => `2026-11-${String(i + 1).padStart(2, '0')}`)
/** Numbers that look like figures, and are the same in each run. */
const someNumbers = (count: number, seed = 1, most = 1000): number[] =>
  Array.from({ length: count }, (_, i) =>
    Math.round(most * (0.6 + 0.27 * Math.sin((i + seed) * 0.9) + 0.12 * Math.sin(i * seed * 2.3 + seed))),
  )

export const chartPart = (names: readonly string[], more: Partial<Extract<Part, { kind: 'chart' }>> = {}): Part => ({
  kind: 'chart',
  data: {
    axis: { kind: 'days', keys: november },
    series: names.map((name, i) => ({ key: `s${i}`, name, values: someNumbers(30, i + 1) })),
  },
  shape: null,
  height: 'm',
  label: 'Views by day',
  ...more,
})

/** Published posts with so many columns of figures. */
export const postTable = (
  rows: number,
  columns: readonly string[] = ['Views', 'Engagements', 'Engagement rate'],
): Extract<Part, { kind: 'table' }> => ({
  kind: 'table',
  columns: [
    { title: 'Published', align: 'start', unit: null },
    { title: 'Channel', align: 'start', unit: null },
    { title: 'Post', align: 'start', unit: null },
    ...columns.map((title) => ({
      title,
      align: 'end' as const,
      unit: title.endsWith('rate') ? ('percent' as const) : ('count' as const),
    })),
  ],
  rows: Array.from({ length: rows }, (_, i) => [
    { text: `${(i % 30) + 1} Nov 2026, 10:${String(i % 60).padStart(2, '0')}` },
    { text: i % 3 === 0 ? '@northlight on Instagram' : 'Northlight Beans (Facebook)' },
    {
      text: `Number ${i + 1}: the new roast is here, and it tastes of plums, chocolate and patience.`,
      link: `https://social.example/p/${i + 1}`,
    },
    ...columns.map((title, column) => {
      const value =
        (i + column) % 17 === 0
          ? null
          : title.endsWith('rate')
            ? ((i * 37 + column) % 900) / 100
            : (i * 7919 + column * 31) % 100_000
      return { text: valueText(value, title.endsWith('rate') ? 'percent' : 'count'), value }
    }),
  ]),
})
