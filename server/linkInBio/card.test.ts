import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bioThemes } from '#contract/linkInBio/themes.ts'
import { bioPagesOn } from '../testing/bioPages.ts'
import { contentOn } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'

let app: TestApp
let home: TestHome
let pages: ReturnType<typeof bioPagesOn>
beforeAll(async () => {
  app = await startApp()
  pages = bioPagesOn(app.database)
  home = await app.signedInOwner()
})
afterAll(() => app.close())

const get = (url: string) => app.app.inject({ url, headers: { host: 'rookery.test' } })
const addressOn = async (slug: string) =>
  new URL(/property="og:image" content="([^"]+)"/.exec((await get(`/b/${slug}`)).body)?.[1] ?? '').pathname
/** The color of a pixel as #rrggbb. */
async function colorAt(png: Buffer, left: number, top: number): Promise<string> {
  const raw = await sharp(png).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer()
  return `#${raw.toString('hex')}`
}
/** How many pixels of a region aren't the page's color. */
async function inkIn(png: Buffer, region: { left: number; top: number; width: number; height: number }, page: string) {
  const raw = await sharp(png).extract(region).removeAlpha().raw().toBuffer()
  let ink = 0
  for (let at = 0; at < raw.length; at += 3) if (`#${raw.subarray(at, at + 3).toString('hex')}` !== page) ink += 1
  return ink
}
const NAME = { left: 100, top: 360, width: 1000, height: 90 }

it('is 1200 by 630 pixels in the colors of the theme, with picture and name', async () => {
  const picture = await contentOn(app.parts).picture(home, { width: 300, height: 300 })
  await pages.page(home, { slug: 'card', name: 'Autumn', about: 'Fired twice', theme: 'forest', picture })
  const reply = await get(await addressOn('card'))
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'image/png'])
  const png = reply.rawPayload
  expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
  expect(png.length).toBeLessThan(300_000)
  const { page, button } = bioThemes.forest
  expect([await colorAt(png, 5, 5), await colorAt(png, 1195, 625)]).toEqual([page, page])
  expect([page, button]).not.toContain(await colorAt(png, 600, 204))
  expect(await inkIn(png, NAME, page)).toBeGreaterThan(1000)
  expect((await get(await addressOn('card'))).rawPayload.equals(png)).toBe(true)
})

it.each(['<script> #panic("x") $x$', 'سلام עליכם', 'Привет Ελλάδα', 'नमस्ते', '🎉'])(
  'shows a name as it is: %s',
  async (name) => {
    const slug = `card-${Buffer.from(name).toString('hex').slice(0, 12)}`
    await pages.page(home, { slug, name, theme: 'ink' })
    const reply = await get(await addressOn(slug))
    expect(reply.statusCode).toBe(200)
    expect(await inkIn(reply.rawPayload, NAME, bioThemes.ink.page)).toBeGreaterThan(300)
  },
)

it("leaves out a name that no font of the server's can show, instead of boxes", async () => {
  await pages.page(home, { slug: 'unshown', name: '\u{12000}\u{12001}', theme: 'sky' })
  const { rawPayload } = await get(await addressOn('unshown'))
  expect(await inkIn(rawPayload, { ...NAME, top: 450 }, bioThemes.sky.page)).toBe(0)
  expect(await colorAt(rawPayload, 600, 315)).toBe(bioThemes.sky.button)
})

it('has another address when it changes, and is only there for a page that is live', async () => {
  const page = await pages.page(home, { slug: 'changing', name: 'Before' })
  const before = await addressOn('changing')
  await app.database.owner.query("update bio_page set name = 'After' where id = $1", [page])
  await until(async () => (await addressOn('changing')) !== before)
  expect((await get(before)).statusCode).toBe(404)
  const after = await addressOn('changing')
  await app.database.owner.query('update bio_page set live = false where id = $1', [page])
  await until(async () => (await get(after)).statusCode === 404)
})
