/*
 * Typst draws a document's pages below each other in one SVG (typst-svg 0.14: a background and a group per page, then the shapes of
 * letters, everything on lines of its own). Here they become one small SVG each.
 */

/** An element of the document, with its lines; nested ones are further in. */
const TOP = /\n {4}(?=<[^/])/
const BACKGROUND =
  /^<path class="typst-shape" fill="[^"]*" fill-rule="nonzero" d="M 0 0v ([\d.]+) h ([\d.]+) v -[\d.]+ Z ?"\/>/
const SYMBOL = /<symbol id="(\w+)" overflow="visible">\s*<path d="([^"]*)"\/>\s*<\/symbol>/g
const CLIP = /<clipPath id="(\w+)">\s*<path d="([^"]*)"\/>\s*<\/clipPath>/g

/** @typedef {ReadonlyMap<string, string>} Shapes */

/**
 * The first pages of a document as Typst drew it, each as an SVG of its own.
 * @param {string} drawn
 * @param {number} most
 * @returns {string[]}
 */
export function pagesOf(drawn, most) {
  const elements = drawn
    .slice(0, drawn.lastIndexOf('</svg>'))
    .split(TOP)
    .slice(1)
    .map((text) => text.trim())
  /** @type {(pattern: RegExp) => Shapes} */
  const shapesOf = (pattern) =>
    new Map(
      elements
        .filter((text) => text.startsWith('<defs '))
        .flatMap((text) => [...text.matchAll(pattern)])
        .map(([, id = '', path = '']) => [id, path]),
    )
  const shapes = { letters: shapesOf(SYMBOL), clips: shapesOf(CLIP) }
  return elements
    .flatMap((text, i) => {
      const [, height, width] = BACKGROUND.exec(text) ?? []
      const content = elements[i + 1]
      return height && width && content?.startsWith('<g') ? [{ width, height, background: text, content }] : []
    })
    .slice(0, most)
    .map((page, i) => pageOf(page, shapes, `p${i + 1}`))
}

/**
 * @param {{ width: string, height: string, background: string, content: string }} page
 * @param {{ letters: Shapes, clips: Shapes }} shapes
 * @param {string} name
 */
function pageOf({ width, height, background, content }, { letters, clips }, name) {
  /** @type {Map<string, string>} */
  const used = new Map()
  /** @type {(id: string) => string} */
  const idOf = (id) => {
    const own = used.get(id) ?? `${name}${used.size.toString(36)}`
    used.set(id, own)
    return own
  }
  const body = smaller(`${background}${content.replace(/^<g transform="[^"]*">/, '<g>')}`)
    .replaceAll(/ href="#(\w+)"/g, (_, id) => ` href="#${idOf(id)}"`)
    .replaceAll(/url\(#(\w+)\)/g, (_, id) => `url(#${idOf(id)})`)
  const defs = [...used].map(([id, own]) => {
    const clip = clips.get(id)
    if (clip !== undefined) return `<clipPath id="${own}"><path d="${compact(clip)}"/></clipPath>`
    return `<path id="${own}" d="${compact(letters.get(id) ?? '')}"/>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${compact(width)} ${compact(height)}" width="${compact(width)}" height="${compact(height)}"><defs>${defs.join('')}</defs>${body}</svg>`
}

/** Without what changes nothing: spaces between elements, defaults, links (a picture has none), digits that nobody sees. */
/** @type {(text: string) => string} */
const smaller = (text) =>
  text
    .replaceAll(/>\s+</g, '><')
    .replaceAll(/<a [^>]*>.*?<\/a>/g, '')
    .replaceAll(/ (?:class="typst-[a-z]+"|fill-rule="nonzero"|y="0")/g, '')
    .replaceAll(' xlink:href=', ' href=')
    .replaceAll(/(?<=href="data:image\/svg\+xml);base64,([^"]*)/g, (_, base64) => `,${asText(base64)}`)
    .replaceAll(/ (transform|x|y|width|height|d)="([^"]*)"/g, (_, key, value) => ` ${key}="${compact(value)}"`)
    .replaceAll(/ transform="matrix\(1 0 0 1 0 0\)"/g, '')
    .replaceAll(/<g([^>]*)>((?:<use [^>]*\/>)+)<\/g>/g, (_, more, letters) => {
      const colors = new Set([...letters.matchAll(/ fill="[^"]*"/g)].map(([color]) => color))
      const [color = ''] = colors
      return colors.size === 1 ? `<g${more}${color}>${letters.replaceAll(color, '')}</g>` : `<g${more}>${letters}</g>`
    })

/** @type {(numbers: string) => string} */
const compact = (numbers) =>
  numbers
    .replaceAll(/-?\d+\.\d{3,}/g, (number) => String(Math.round(Number(number) * 100) / 100))
    .replaceAll(/ ?([A-Za-z]) ?/g, '$1')
    .trim()

/** A picture within the picture, as text: it compresses much better. */
/** @type {(base64: string) => string} */
const asText = (base64) =>
  Buffer.from(base64, 'base64')
    .toString()
    .replaceAll(/[%#"<>&\s]/g, (sign) => (sign === ' ' ? sign : `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`))
