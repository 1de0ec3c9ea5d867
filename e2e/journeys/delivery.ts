import { get, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync } from 'node:zlib'
import type { Request } from '@playwright/test'
import { test } from '../harness.ts'

/** JavaScript that the login page may load, in bytes as they are sent. */
const FIRST_ROUTE = 200_000

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

test('delivery: page, scripts, styles and API replies travel compressed', async ({ base, openPage }) => {
  const { body } = await ask(`${base}/`, 'identity')
  const assets = [...body.toString().matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path)
  if (assets.length < 2) throw new Error('the page names no script and style')
  for (const path of assets) await mustShrink(`${base}${path}`, 0.6)
  await mustShrink(`${base}/api/openapi.json`, 0.2)

  const page = await openPage()
  const scripts: Request[] = []
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script') scripts.push(request)
  })
  await page.goto('/login')
  await page.getByRole('button', { name: 'Log in', exact: true }).waitFor()
  // asked only now: a size that is still awaited when the page closes would be an error that nobody catches
  const sizes = await Promise.all(scripts.map((script) => script.sizes()))
  const sent = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
  if (sent === 0 || sent >= FIRST_ROUTE) throw new Error(`the login page loads ${sent} bytes of JavaScript`)
})
