import { inkOn, PRODUCT_ACCENT, readableAccent } from '#contract/reports/accent.ts'
import { rowsOf } from '#contract/reports/layout.ts'
import type { DocumentBlock, Part, ReportDocument } from '../document.ts'
import { picturesOf } from './pictures.ts'
import { printedBlock, type PrintContext } from './printedParts.ts'
import { fitting, GUTTER, isBlank, isTall, pointsOf } from './room.ts'
import { coverLines, introOf } from './shared.ts'
import { isTurned } from './tableWidths.ts'

/** What report.typ gets: its data, and the pictures that the data names. */
export type Printed = { data: Record<string, unknown>; files: Record<string, Uint8Array> }

/** A report as the template prints it. `pictures` are those that it may show. */
export function printedOf(document: ReportDocument, pictures: ReadonlyMap<string, Uint8Array>): Printed {
  const files: Record<string, Uint8Array> = {}
  const context: PrintContext = { files, pictures: picturesOf(pictures, files) }
  const [first] = document.blocks
  const cover = coverOf(first)
  const intro = introOf(document)
  const logo = context.pictures.get('logo') ?? null
  const sections = rowsOf(document.blocks).flatMap((blocks) => sectionOf(blocks, document, context))
  if (cover && intro.length > 0) sections.splice(1, 0, { kind: 'intro' })
  const data = {
    name: document.title,
    title: fitting(titleOf(document.title), 400, 24),
    organization: document.organization,
    foot: [document.organization, document.title, document.days]
      .filter((text) => text !== '')
      .map((text) => fitting(text, 380, 7.5)),
    accent: readableAccent(document.accent),
    bar: document.accent ?? PRODUCT_ACCENT,
    ink: inkOn(document.accent ?? PRODUCT_ACCENT),
    gutter: GUTTER,
    intro: intro.map((text) => fitting(text, 470, 8.5)),
    head: cover ? null : { logo, lines: coverLines(document, [document.days]) },
    sections,
  }
  return { data, files }
}

const coverOf = (block: DocumentBlock | undefined) =>
  block?.parts.find((part): part is Extract<Part, { kind: 'cover' }> => part.kind === 'cover')

/** The first that can be seen: a PDF for everyone has no empty titles. */
const titleOf = (...wanted: string[]): string => wanted.find((one) => !isBlank(one)) ?? 'Report'

type Section = { kind: 'intro' | 'break' | 'cover' | 'wide' | 'row' } & Record<string, unknown>

function sectionOf(blocks: readonly DocumentBlock[], document: ReportDocument, context: PrintContext): Section[] {
  const [first] = blocks
  if (!first) return []
  if (first.kind === 'pageBreak') return [{ kind: 'break' }]
  const cover = coverOf(first)
  if (cover)
    return [
      {
        kind: 'cover',
        id: first.blockId,
        part: {
          title: fitting(titleOf(cover.title, document.title), 440, 38),
          subtitle: fitting(cover.subtitle, 480, 15),
          lines: coverLines(document, cover.lines).map((line) => fitting(line, 320, 13)),
          logo: cover.logo ? (context.pictures.get('logo') ?? null) : null,
        },
      },
    ]
  const wide = isTurned(first)
  const printed = blocks.map((block) => printedBlock(block, wide ? null : pointsOf(block), context))
  return [{ kind: wide ? 'wide' : 'row', row: { breakable: wide || isTall(blocks), blocks: printed } }]
}
