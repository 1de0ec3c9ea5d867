import type { Element } from './elements.ts'
import { TEXT_SIZE } from './layers.ts'
import type { ColorName, Theme } from './palettes.ts'
import { palettes } from './palettes.ts'

/** How a chart's file looks and what it's called. */
export type FileOptions = {
  /** What is shown, such as "Views by day". */ label: string
  /** `page`: the colors of the page around it, which has them as custom properties: `--ink`. */ theme?: Theme | 'page'
  font?: string
  /** Different for each chart of one document; letters and numbers only. */ id?: string
}

/** The colors of a file. */
export const painter =
  ({ theme = 'light' }: Pick<FileOptions, 'theme'>) =>
  (color: ColorName): string =>
    theme === 'page' ? `var(--${color})` : palettes[theme][color]

/**
 * Elements as an SVG file, for PDFs, emails and shared pages. Colors are values, because these know no stylesheet. `draw` gets the
 * colors and the file's id.
 */
export function svgFile(
  { width, height, description }: { width: number; height: number; description: string },
  { label, theme, font = 'sans-serif', id = 'chart' }: FileOptions,
  draw: (paint: (color: ColorName) => string, id: string) => readonly Element[],
): string {
  const paint = painter(theme ? { theme } : {})
  return written({
    tag: 'svg',
    attributes: {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-labelledby': `${id}-title ${id}-desc`,
      fontFamily: font,
      fontSize: TEXT_SIZE,
    },
    children: [
      { tag: 'title', attributes: { id: `${id}-title` }, children: label },
      { tag: 'desc', attributes: { id: `${id}-desc` }, children: description },
      { tag: 'rect', attributes: { width, height, fill: paint('surface') } },
      ...draw(paint, id),
    ],
  })
}

/** An element of a file: what a screen has, and what only a whole file has. */
type FileElement = Omit<Element, 'tag' | 'children'> & {
  tag: Element['tag'] | 'svg' | 'desc'
  children?: readonly FileElement[] | string
}

/** Attributes that SVG itself spells with capitals. */
const CAPITALS = new Set(['viewBox', 'patternUnits', 'patternTransform'])
const spelled = (name: string): string =>
  CAPITALS.has(name) ? name : name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function written({ tag, attributes, children }: FileElement): string {
  const all = Object.entries(attributes).map(([name, value]) => ` ${spelled(name)}="${asXml(String(value))}"`)
  const inside = typeof children === 'string' ? asXml(children) : (children ?? []).map(written).join('')
  return inside === '' ? `<${tag}${all.join('')}/>` : `<${tag}${all.join('')}>${inside}</${tag}>`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Text of people as XML: no markup, and no characters that XML forbids. */
export const asXml = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- XML has no way to write these
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '')
    .replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
