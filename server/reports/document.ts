import type { InsightsRange } from '#contract/analytics/filter.ts'
import type { BlockKind } from '#contract/reports/content.ts'
import type { BlockWidth } from '#contract/reports/layout.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Unit } from '#contract/values.ts'
import type { ChartData } from '../../charts/data.ts'
import type { Shape } from '../../charts/draw.ts'

/*
 * A report with everything that is shown of it, worked out once for one reader. The PDF, the preview, the shared page, CSV and the
 * workbook are all made from it, so that they can't differ: texts are formatted here, and beside each is the value it came from.
 */

/** A figure as it's shown, and as a number in the unit that people see; null where nothing is known. */
export type Value = { text: string; value: number | null; unit: Unit }

export type DocumentFigure = {
  title: string
  /** What it covers: "in these days". */
  base: string
  value: Value
  /** "+12.50%", which the notes say what it compares; null if nothing is compared or it can't be. */
  change: string | null
  direction: 'up' | 'down' | 'same' | null
  changeValue: number | null
  /** Why there's no value or no change, or how much it covers; null if there's nothing to say. */
  note: string | null
}

type Column = { title: string; align: 'start' | 'end'; unit: Unit | null }
/** A cell's text, and what it came from where that is a number or a link. */
type Cell = { text: string; value?: number | null; link?: string }

export type DocumentPost = {
  channel: string
  platform: PlatformKey
  /** In the project's zone. */
  published: string
  excerpt: string
  link: string | null
  /** The key of its picture in `pictures`; null if it has none. */
  picture: string | null
  figures: readonly { title: string; value: Value }[]
}

/** What a block shows, in this order. */
export type Part =
  | { kind: 'cover'; title: string; subtitle: string; lines: readonly string[]; logo: boolean }
  | { kind: 'text'; paragraphs: readonly ({ text: string } | { list: readonly string[] })[] }
  | { kind: 'figures'; figures: readonly DocumentFigure[] }
  | { kind: 'chart'; data: ChartData; shape: Shape | null; height: 's' | 'm' | 'l'; label: string }
  /** `foot` has totals and medians of more than these rows, below them. */
  | {
      kind: 'table'
      columns: readonly Column[]
      rows: readonly (readonly Cell[])[]
      foot?: readonly (readonly Cell[])[]
    }
  | { kind: 'posts'; posts: readonly DocumentPost[] }
  /** In place of content that there isn't, and why. */
  | { kind: 'nothing'; text: string }

export type DocumentBlock = {
  blockId: string
  kind: BlockKind
  width: BlockWidth
  /** Null of covers and page breaks, and of texts without one. */
  heading: string | null
  /** Below the heading: what it covers if that isn't what the report covers. */
  about: string | null
  parts: readonly Part[]
  /** What readers have to know: channels that are missing and why, what isn't final, platforms whose terms forbid sums. */
  notes: readonly string[]
}

export type ReportDocument = {
  title: string
  organization: string
  project: string
  /** "01 Nov to 30 Nov 2026" */
  days: string
  range: InsightsRange
  zone: string
  /** What it's narrowed down to: channels, a campaign and so on; null if to nothing. */
  filtered: string | null
  createdAt: Date
  /** Channels whose figures aren't final for these days, by name. */
  notFinal: readonly string[]
  accent: string | null
  blocks: readonly DocumentBlock[]
  /** Pictures by key: JPEG or PNG of at most 640 px. The logo's key is `logo`. */
  pictures: ReadonlyMap<string, Uint8Array>
}
