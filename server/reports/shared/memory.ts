import { hash } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import { fairQueue } from '../../media/fairQueue.ts'
import type { ReportDocument } from '../document.ts'
import { roomOf } from '../blocks/room.ts'
import type { pageOf } from '../files/page.ts'
import type { ReportPdf } from '../files/pdf.ts'
import { OutOfBounds } from '../../typesetting/typeset.ts'

/** How long what was read for a link is shown to others who open it. */
const KEPT_MS = 60_000
/** How much of it a node keeps, in bytes of pictures, pages, files and figures; each report counts as at least so much. */
const [MEMORY, LEAST] = [48_000_000, 500_000]
/** Roughly, of a figure. */
const FIGURE = 60
/** Readings of one organization that may wait, and how many a node makes at once. */
const [WAITING, AT_ONCE] = [20, 2]

type SharedPage = ReturnType<typeof pageOf>
type Entry = {
  of: string
  since: number
  document: Promise<ReportDocument>
  page?: Promise<SharedPage>
  pdf?: Promise<ReportPdf>
  bytes: number
}

/**
 * What links show, for a minute: a report takes as long to read as an insights screen with all of its calls, and people reload. What it
 * was read with (`of`: the report's version, and its owner's rights) is asked for each time, so a change shows at once.
 */
export function createSharedMemory(
  clock: Clock,
  setPdf: (document: ReportDocument, orgId: string) => Promise<ReportPdf>,
) {
  const kept = new Map<string, Entry>()
  const inTurn = fairQueue(WAITING, AT_ONCE, 'documents-in-line')

  const drop = (linkId: string, entry: Entry) => {
    if (kept.get(linkId) === entry) kept.delete(linkId)
  }
  const grow = (linkId: string, entry: Entry, bytes: number) => {
    entry.bytes += bytes
    let sum = 0
    for (const one of kept.values()) sum += one.bytes
    for (const [id, one] of kept) {
      if (sum <= MEMORY || id === linkId) break
      kept.delete(id)
      sum -= one.bytes
    }
  }
  const entryOf = (linkId: string, orgId: string, of: string, read: () => Promise<ReportDocument>): Entry => {
    const known = kept.get(linkId)
    if (known?.of === of && clock.monotonic() - known.since < KEPT_MS) return known
    const entry: Entry = { of, since: clock.monotonic(), document: inTurn(orgId, read), bytes: LEAST }
    kept.delete(linkId)
    kept.set(linkId, entry)
    entry.document.then(
      (document) => grow(linkId, entry, bytesOf(document)),
      () => drop(linkId, entry),
    )
    return entry
  }
  return {
    document: (linkId: string, orgId: string, of: string, read: () => Promise<ReportDocument>) =>
      entryOf(linkId, orgId, of, read).document,
    /** Drawn once for all who load it meanwhile: that takes up to half a second, in which nothing else happens on the node. */
    page(
      linkId: string,
      orgId: string,
      of: string,
      read: () => Promise<ReportDocument>,
      draw: (document: ReportDocument) => SharedPage,
    ): Promise<SharedPage> {
      const entry = entryOf(linkId, orgId, of, read)
      if (!entry.page) {
        entry.page = entry.document.then(draw)
        entry.page.then(
          ({ html }) => grow(linkId, entry, html.length),
          () => {
            delete entry.page
          },
        )
      }
      return entry.page
    },
    /** Made once for all who load it meanwhile; one that is too large isn't tried again either. */
    pdf(linkId: string, orgId: string, of: string, read: () => Promise<ReportDocument>): Promise<ReportPdf> {
      const entry = entryOf(linkId, orgId, of, read)
      if (!entry.pdf) {
        entry.pdf = entry.document.then((document) => setPdf(document, orgId))
        entry.pdf.then(
          ({ pdf }) => grow(linkId, entry, pdf.length),
          (error: unknown) => {
            if (!(error instanceof OutOfBounds)) delete entry.pdf
          },
        )
      }
      return entry.pdf
    },
  }
}

const bytesOf = ({ pictures, blocks }: ReportDocument): number =>
  [...pictures.values()].reduce((sum, { length }) => sum + length, 0) +
  blocks.reduce((sum, { parts }) => sum + FIGURE * roomOf(parts), 0)

/** A short name of anything that JSON can say. */
export const nameOfFacts = (facts: unknown): string => hash('sha256', JSON.stringify(facts), 'base64url')
