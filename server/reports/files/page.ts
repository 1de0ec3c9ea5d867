import { rowsOf, widthOf } from '#contract/reports/layout.ts'
import { PRODUCT_ACCENT } from '#contract/reports/accent.ts'
import { escaped } from '#contract/linkInBio/render.ts'
import { policyFor } from '../../publicPages/policy.ts'
import type { DocumentBlock, Part, ReportDocument } from '../document.ts'
import { partHtml, type PageContext } from './pageParts.ts'
import { pageStyle } from './pageStyle.ts'
import { coverLines, introOf } from './shared.ts'

/** Where a shared page's files are: paths of the same host. */
export type PageLinks = { pdfPath: string; picturePath: (key: string) => string }

/** A report as a page without scripts. `policy` is what its Content-Security-Policy header has to say. */
export function pageOf(document: ReportDocument, links: PageLinks): { html: string; policy: string } {
  const style = pageStyle(document.accent)
  const { title, organization, days } = document
  const [first] = document.blocks
  const cover = first && coverOf(first)
  const blocks = cover ? document.blocks.slice(1) : document.blocks
  const context: PageContext = { ...links, pictures: document.pictures, charts: 0 }
  const rows = rowsOf(blocks).map((row) => rowHtml(row, context))
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escaped(title)}</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex,nofollow">
<meta name="referrer" content="no-referrer">
<meta name="theme-color" content="${escaped(document.accent ?? PRODUCT_ACCENT)}">
<style>${style}</style>
</head>
<body>
${coverHtml(document, cover, links)}<main>
${introHtml(document)}${rows.join('')}</main>
<footer dir="auto">${[organization, title, days]
    .filter((text) => text !== '')
    .map((text) => `<bdi>${escaped(text)}</bdi>`)
    .join(' · ')}</footer>
</body>
</html>
`
  return { html, policy: policyFor(style) }
}

type Cover = Extract<Part, { kind: 'cover' }>
const coverOf = ({ parts }: DocumentBlock) => parts.find((part): part is Cover => part.kind === 'cover')

/** The title page's content, or the report's name and days without one. */
function coverHtml(document: ReportDocument, cover: Cover | undefined, { pdfPath, picturePath }: PageLinks): string {
  const { title, days, organization, pictures } = document
  const shown = cover ?? { title, subtitle: '', lines: [days], logo: true }
  const lines = coverLines(document, shown.lines)
  const logo =
    shown.logo && pictures.has('logo')
      ? `<img class="logo" src="${escaped(picturePath('logo'))}" alt="${escaped(organization)}">`
      : ''
  return `<header class="cover"><div><div>
<h1 dir="auto">${escaped(shown.title.trim() === '' ? title : shown.title)}</h1>
${shown.subtitle === '' ? '' : `<p class="sub" dir="auto">${escaped(shown.subtitle)}</p>\n`}${lines.length === 0 ? '' : `<ul role="list">${lines.map((line) => `<li dir="auto">${escaped(line)}</li>`).join('')}</ul>\n`}</div>
<div class="files">${logo}<a class="pdf" href="${escaped(pdfPath)}">Download PDF</a></div></div></header>
`
}

function introHtml(document: ReportDocument): string {
  const said = introOf(document)
  return said.length === 0
    ? ''
    : `<div class="intro">${said.map((text) => `<p dir="auto">${escaped(text)}</p>`).join('')}</div>\n`
}

function rowHtml(blocks: readonly DocumentBlock[], context: PageContext): string {
  // pages have an end on paper only
  const shown = blocks.filter(({ kind }) => kind !== 'pageBreak')
  if (shown.length === 0) return ''
  return `<div class="row">\n${shown.map((block) => blockHtml(block, context)).join('')}</div>\n`
}

function blockHtml(block: DocumentBlock, context: PageContext): string {
  const { heading, about, notes, parts } = block
  const several = parts.length > 1
  const isNamed = heading !== null && heading.trim() !== ''
  return `<section class="w${widthOf(block)}" id="${escaped(`b-${block.blockId}`)}">
${isNamed ? `<h2 dir="auto">${escaped(heading)}</h2>\n` : ''}${about === null ? '' : `<p class="about" dir="auto">${escaped(about)}</p>\n`}${parts
    .map((part) => partHtml(part, { block, several, context }))
    .join(
      '',
    )}${notes.length === 0 ? '' : `<div class="notes">${notes.map((note) => `<p dir="auto">${escaped(note)}</p>`).join('')}</div>\n`}</section>
`
}
