import { COLUMNS, widthOf } from '#contract/reports/layout.ts'
import { escaped } from '#contract/linkInBio/render.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import { valueText } from '#contract/values.ts'
import { svgOf } from '../../../charts/svg.ts'
import { tableOf } from '../../../charts/table.ts'
import type { DocumentBlock, DocumentFigure, DocumentPost, Part } from '../document.ts'
import { chartHeights, excerptOf, pictureText, safeLink, sharedBase } from './shared.ts'

export type PageContext = {
  picturePath: (key: string) => string
  pictures: ReadonlyMap<string, Uint8Array>
  /** How many were drawn: each has IDs of its own. */
  charts: number
}
type Place = { block: DocumentBlock; /** Each part needs its name. */ several: boolean; context: PageContext }

/** A part of a block as HTML: the same texts as in the PDF. */
export function partHtml(part: Part, place: Place): string {
  const html = contentOf(part, place)
  return html === '' ? '' : `<div class="part ${classes[part.kind] ?? ''}">${html}</div>\n`
}

const classes: Partial<Record<Part['kind'], string>> = { text: 'text', chart: 'chart', nothing: 'nothing' }

function contentOf(part: Part, place: Place): string {
  switch (part.kind) {
    case 'cover':
      // the first one is the page's head
      return `<h2 dir="auto">${escaped(part.title)}</h2>${[part.subtitle, ...part.lines]
        .filter((text) => text !== '')
        .map(paragraph)
        .join('')}`
    case 'text':
      return part.paragraphs
        .map((one) =>
          'list' in one
            ? `<ul lang="">${one.list.map((item) => `<li dir="auto">${escaped(item)}</li>`).join('')}</ul>`
            : `<p dir="auto" lang="">${lines(one.text)}</p>`,
        )
        .join('')
    case 'figures':
      return part.figures.length === 0 ? '' : figuresHtml(part.figures)
    case 'chart':
      return chartHtml(part, place)
    case 'table':
      return part.columns.length === 0 ? '' : tableHtml(part, place)
    case 'posts':
      return part.posts.length === 0 ? '' : postsHtml(part.posts, place)
    case 'nothing':
    default:
      return paragraph(part.text)
  }
}

const paragraph = (text: string): string => `<p dir="auto">${escaped(text)}</p>`
const lines = (text: string): string => escaped(text).replaceAll('\n', '<br>')

function figuresHtml(figures: readonly DocumentFigure[]): string {
  const base = sharedBase(figures)
  const cards = figures.map(({ title, value, change, direction, note, base: own }) => {
    const arrow = direction === 'up' || direction === 'down' ? ` ${direction}` : ''
    return `<div><dt dir="auto">${escaped(title)}</dt><dd class="value">${escaped(value.text)}</dd>${
      change === null ? '' : `<dd class="change${arrow}">${escaped(change)}</dd>`
    }${base === null && own !== '' ? `<dd>${escaped(own)}</dd>` : ''}${note === null ? '' : `<dd dir="auto">${escaped(note)}</dd>`}</div>`
  })
  return `${base === null ? '' : `<p class="base">${escaped(base)}</p>`}<dl class="cards">${cards.join('')}</dl>`
}

/** In pixels, on a large screen and on a phone. */
const WIDE = 1036
const GAP = 16
const PHONE = 326

function chartHtml(part: Extract<Part, { kind: 'chart' }>, { block, several, context }: Place): string {
  context.charts += 1
  const { data, shape, height, label } = part
  const wide = Math.floor(((WIDE + 42 + GAP) * widthOf(block)) / COLUMNS - GAP - 42)
  const drawn = (width: number, id: string) =>
    svgOf(
      data,
      { width, height: chartHeights[height] },
      { label, id, theme: 'page', font: 'inherit', notes: false, ...(shape && { shape }) },
    )
  const id = `c${context.charts}`
  const pictures =
    wide <= PHONE * 1.1
      ? drawn(wide, id)
      : `<div class="wide">${drawn(wide, id)}</div><div class="narrow">${drawn(PHONE, `${id}n`)}</div>`
  return `${several ? `<h3 dir="auto">${escaped(label)}</h3>` : ''}${pictures}<details><summary>Show as a table</summary>${valuesHtml(data, label)}</details>`
}

function valuesHtml(data: Extract<Part, { kind: 'chart' }>['data'], label: string): string {
  const { head, rows } = tableOf(data)
  const { series, unit } = data
  // the texts have units, unlike those of a file
  const heads = head.map((title, i) => series[i - 1]?.name ?? title)
  const body = rows.map(
    ({ name, values, notes }) =>
      `<tr><th scope="row" class="short">${escaped(name)}</th>${values
        .map((value, i) => `<td class="end">${escaped(valueText(value, series[i]?.unit ?? unit))}</td>`)
        .join('')}${notes === undefined ? '' : `<td>${escaped(notes)}</td>`}</tr>`,
  )
  return scrolling(
    label,
    `<thead><tr>${heads.map((title, i) => `<th scope="col"${i > 0 && i <= series.length ? ' class="end"' : ''} dir="auto">${escaped(title)}</th>`).join('')}</tr></thead><tbody>${body.join('')}</tbody>`,
  )
}

/** A table that is scrolled sideways where it's wider than the screen, with the keyboard too. */
const scrolling = (name: string, table: string): string =>
  `<div class="scroll" tabindex="0" role="group" aria-label="${escaped(name)}"><table>${table}</table></div>`

/** A text that may be folded; what is shorter stays on its line. */
const FOLDED = 28
/** A text that needs a wide column to be read: of a post, not a channel's name. */
const LONG = 60

const textKind = (length: number): string => (length > LONG ? 'long' : length > FOLDED ? 'folded' : 'short')

function tableHtml({ columns, rows, foot = [] }: Extract<Part, { kind: 'table' }>, { block }: Place): string {
  const kinds = columns.map(({ align }, i) =>
    align === 'end' ? 'end' : textKind(Math.max(0, ...rows.map((row) => row[i]?.text.length ?? 0))),
  )
  const head = columns.map(
    ({ title }, i) => `<th scope="col"${kinds[i] === 'end' ? ' class="end"' : ''} dir="auto">${escaped(title)}</th>`,
  )
  const rowHtml = (row: (typeof rows)[number]) => {
    const cells = columns.map((_, i) => {
      const cell = row[i]
      const link = safeLink(cell?.link)
      const text = `<bdi>${escaped(cell?.text ?? '')}</bdi>`
      const content =
        link === null ? text : `<a href="${escaped(link)}" rel="nofollow noopener noreferrer ugc">${text}</a>`
      return i === 0 ? `<th scope="row" class="${kinds[i]}">${content}</th>` : `<td class="${kinds[i]}">${content}</td>`
    })
    return `<tr>${cells.join('')}</tr>`
  }
  const below = foot.length === 0 ? '' : `<tfoot>${foot.map(rowHtml).join('')}</tfoot>`
  return scrolling(
    block.heading ?? 'Table',
    `<thead><tr>${head.join('')}</tr></thead><tbody>${rows.map(rowHtml).join('')}</tbody>${below}`,
  )
}

function postsHtml(posts: readonly DocumentPost[], { context }: Place): string {
  const has = (key: string | null): key is string => key !== null && context.pictures.has(key)
  const pictured = posts.some(({ picture }) => has(picture))
  const cards = posts.map((post) => {
    const link = safeLink(post.link)
    const when = escaped(post.published)
    const picture = has(post.picture)
      ? `<img src="${escaped(context.picturePath(post.picture))}" alt="${escaped(pictureText(post))}" width="640" height="480" loading="lazy">`
      : pictured
        ? '<span class="blank">No picture</span>'
        : ''
    return `<li>${picture}<div class="said" lang=""><strong dir="auto">${escaped(post.channel)}</strong><span class="when" lang="en">${escaped(platformLabel(post.platform))} · ${
      link === null ? when : `<a href="${escaped(link)}" rel="nofollow noopener noreferrer ugc">${when}</a>`
    }</span>${post.excerpt === '' ? '' : `<p dir="auto">${lines(excerptOf(post.excerpt))}</p>`}<dl lang="en">${post.figures
      .map(({ title, value }) => `<dt>${escaped(title)}</dt><dd>${escaped(value.text)}</dd>`)
      .join('')}</dl></div></li>`
  })
  return `<ul class="feed" role="list">${cards.join('')}</ul>`
}
