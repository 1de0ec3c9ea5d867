import { get, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync } from 'node:zlib'
import type { Locator, Page, Request } from '@playwright/test'
import { until } from '#server/testing/until.ts'
import { test } from '../harness.ts'

/** Requests of a first visit, and script files among them. */
const [REQUESTS, SCRIPTS] = [25, 10]
/**
 * What people open first: when it's shown, the JavaScript that it may load, in bytes as they are sent, and what it asks
 * for last. The aim is 200,000 bytes for each; raise nothing without need.
 */
const VISITS: Record<string, { shows: (page: Page) => Locator; most: number; last: string[] }> = {
  login: {
    shows: (page) => page.getByRole('button', { name: 'Log in', exact: true }),
    most: 185_000,
    last: ['/passkey/options'],
  },
  dashboard: {
    shows: (page) => page.getByRole('heading', { name: 'Content Status' }),
    most: 215_000,
    last: ['/events', '/assets/Toaster-'],
  },
  calendar: {
    shows: (page) => page.locator('[data-day]').first(),
    most: 295_000,
    // the code of the post's sheet, fetched ahead
    last: ['/events', '/assets/Toaster-', '/assets/post-'],
  },
  compose: {
    shows: (page) => page.getByRole('textbox').first(),
    most: 290_000,
    last: ['/events', '/assets/Toaster-'],
  },
}

/** The reply as it travels: not decompressed, unlike what fetch answers. */
function ask(url: string, encoding: string): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': encoding } }, (response) => {
      buffer(response).then((body) => resolve({ headers: response.headers, body }), reject)
    }).on('error', reject)
  })
}

async function mustShrink(url: string, most: number): Promise<void> {
  const [plain, compressed] = await Promise.all([ask(url, 'identity'), ask(url, 'br')])
  // what fits into the first packet anyway shrinks little
  if (plain.body.length < 1000) return
  const { headers, body } = compressed
  if (plain.headers['content-encoding'] !== undefined)
    throw new Error(`${url} is compressed for who does not accept it`)
  if (headers['content-encoding'] !== 'br') throw new Error(`${url} is not compressed`)
  if (!headers.vary?.includes('accept-encoding')) throw new Error(`${url} does not vary by accept-encoding`)
  if (headers['content-type'] !== plain.headers['content-type'])
    throw new Error(`${url} changes its content type to ${headers['content-type']}`)
  if (!brotliDecompressSync(body).equals(plain.body)) throw new Error(`${url} is another file when compressed`)
  if (body.length > plain.body.length * most)
    throw new Error(`${url} travels as ${body.length} of ${plain.body.length} bytes`)
}

test('delivery: page, scripts, styles and API replies travel compressed', async ({ base }) => {
  const { body } = await ask(`${base}/`, 'identity')
  const assets = [...body.toString().matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path)
  if (assets.length < 2) throw new Error('the page names no script and style')
  for (const path of assets) await mustShrink(`${base}${path}`, 0.6)
  await mustShrink(`${base}/api/openapi.json`, 0.2)
})

test('delivery: first visits load few files, ask for little, and bring no more code than before', async ({
  openPage,
  newPerson,
}) => {
  const person = await newPerson({ upTo: 'channel' })
  const storageState = await person.page.context().storageState()
  for (const [place, { shows, most, last }] of Object.entries(VISITS)) {
    const page = await openPage(place === 'login' ? {} : { storageState })
    const asked: Request[] = []
    const underWay = new Set<Request>()
    page.on('request', (request) => {
      asked.push(request)
      if (request.resourceType() !== 'eventsource') underWay.add(request)
    })
    page.on('requestfinished', (request) => underWay.delete(request))
    page.on('requestfailed', (request) => underWay.delete(request))
    await page.goto(place === 'login' ? '/login' : person.at(place))
    await shows(page).waitFor()
    const isThere = (name: string) => asked.some((request) => new URL(request.url()).pathname.includes(name))
    await until(async () => (last.every(isThere) && underWay.size === 0) || undefined, { what: `all of ${place}` })
    const scripts = asked.filter((request) => request.resourceType() === 'script')
    const sizes = await Promise.all(scripts.map((script) => script.sizes()))
    const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
    const said = `${place}: ${asked.length} requests, ${scripts.length} scripts of ${bytes} bytes`
    if (asked.length > REQUESTS || scripts.length > SCRIPTS || bytes > most || bytes === 0)
      throw new Error(`${said}\n${asked.map((request) => request.url()).join('\n')}`)
    await page.context().close()
  }
})
