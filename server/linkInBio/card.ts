import { bioThemes } from '#contract/linkInBio/themes.ts'
import { firstLetterOf } from '#contract/linkInBio/render.ts'
import { readSquare } from '../media/squares.ts'
import type { MediaStore } from '../media/store.ts'
import { typesetPicture } from '../typesetting/typeset.ts'
import type { PublicPage } from './publicPage.ts'

/** What other sites show of a link to a page (ogp.me): 1200 by 630 pixels. */
const [WIDTH, HEIGHT] = [1200, 630]
/** The circle for the page's picture: its diameter and its top, with the name below it or without. */
const CIRCLE = { side: 240, top: 84, alone: 195 }
const TEMPLATE = new URL('./card.typ', import.meta.url)
/** Characters of the text that fit below the name. */
const ABOUT = 110
/** How many bytes of cards a node keeps. They're drawn again when they're asked for. */
const MEMORY = 8_000_000

/** Draws and keeps cards, as PNG. The same card that is asked for twice is drawn once. */
export function cardsOf(media: MediaStore): { read(name: string, page: PublicPage): Promise<Buffer> } {
  const kept = new Map<string, Buffer>()
  const drawing = new Map<string, Promise<Buffer>>()
  let bytes = 0
  const keep = (name: string, card: Buffer) => {
    kept.set(name, card)
    bytes += card.length
    for (const [oldest, { length }] of kept) {
      if (bytes <= MEMORY) break
      kept.delete(oldest)
      bytes -= length
    }
  }
  return {
    async read(name, page) {
      const key = `${page.pageId} ${name}`
      const known = kept.get(key) ?? drawing.get(key)
      if (known) return await known
      const work = draw(media, page).finally(() => drawing.delete(key))
      drawing.set(key, work)
      const card = await work
      keep(key, card)
      return card
    },
  }
}

async function draw(media: MediaStore, { orgId, name, about, theme, picture }: PublicPage): Promise<Buffer> {
  const { page, ink, soft, button, onButton, line } = bioThemes[theme]
  const { svg, missing } = await typesetPicture(
    TEMPLATE,
    { name, about: shortened(about), letter: firstLetterOf(name), page, ink, soft, button, onButton, line },
    orgId,
  )
  const { default: sharp } = await import('sharp')
  const card = sharp(Buffer.from(svg)).resize(WIDTH, HEIGHT)
  // one that is gone meanwhile leaves the letter
  const face =
    picture === null ? undefined : await readSquare(media, { key: picture, orgId }, 256).catch(() => undefined)
  if (!face) return await card.png().toBuffer()
  const radius = CIRCLE.side / 2
  const mask = `<svg width="${CIRCLE.side}" height="${CIRCLE.side}"><circle cx="${radius}" cy="${radius}" r="${radius}"/></svg>`
  const round = await sharp(face)
    .resize(CIRCLE.side, CIRCLE.side)
    .composite([{ input: Buffer.from(mask), blend: 'dest-in' }])
    .png()
    .toBuffer()
  const top = missing.length === 0 ? CIRCLE.top : CIRCLE.alone
  return await card
    .composite([{ input: round, left: WIDTH / 2 - radius, top }])
    .png()
    .toBuffer()
}

function shortened(about: string): string {
  const text = about.replace(/\s+/g, ' ').trim()
  const letters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  return letters.length <= ABOUT
    ? text
    : `${letters
        .slice(0, ABOUT - 1)
        .join('')
        .trimEnd()}…`
}
