import { get, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync } from 'node:zlib'
import type { Locator, Page, Request } from '@playwright/test'
import { EARLY_ELEMENT } from '#contract/early.ts'
import { until } from '#server/testing/until.ts'
import { test } from '../harness.ts'
import { schedulePosts } from '../posts.ts'
import { newColleague } from '../team.ts'

/** Requests of a first visit, and script files among them. */
const [REQUESTS, SCRIPTS] = [25, 10]
/**
 * What people open first: when it counts as shown, the JavaScript that it may load, in bytes on the wire, and its last
 * request. The goal is 200,000 bytes for each; don't raise anything without need.
 */
const VISITS: Record<string, { shows: (page: Page) => Locator; most: number; last: string[] }> = {
  login: {
    shows: (page) => page.getByRole('button', { name: 'Log in', exact: true }),
    most: 176_000,
    last: ['/passkey/options'],
  },
  dashboard: {
    shows: (page) => page.getByRole('heading', { name: 'Content Status' }),
    most: 200_000,
    last: ['/events', '/assets/Toaster-'],
  },
  calendar: {
    shows: (page) => page.locator('[data-day]').first(),
    most: 280_000,
    // the code of the post's sheet, loaded in advance
    last: ['/events', '/assets/Toaster-', '/assets/post-'],
  },
  compose: {
    shows: (page) => page.getByRole('textbox').first(),
    most: 281_000,
    last: ['/events', '/assets/Toaster-'],
  },
}

/** The response as transferred: not decompressed, unlike with fetch. */
function ask(url: string, encoding: string): Promise<{ headers: IncomingHttpHeaders; body: Buffer }> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': encoding } }, (response) => {
      buffer(response).then((body) => resolve({ headers: response.headers, body }), reject)
    }).on('error', reject)
  })
}

async function mustShrink(url: string, most: number): Promise<void> {
  const [plain, compressed] = await Promise.all([ask(url, 'identity'), ask(url, 'br')])
  // a response that fits into the first packet isn't worth compressing
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
    const visit = async () => {
      const page = await openPage(place === 'login' ? {} : { storageState })
      const asked: Request[] = []
      const underWay = new Set<Request>()
      page.on('request', (request) => {
        asked.push(request)
        if (request.resourceType() !== 'eventsource') underWay.add(request)
      })
      page.on('requestfinished', (request) => underWay.delete(request))
      page.on('requestfailed', (request) => underWay.delete(request))
      // a busy server still sends events of a moment ago, and the page asks again for what they are about
      await page.route(/\/events\?/, () => undefined)
      await page.goto(place === 'login' ? '/login' : person.at(place))
      await shows(page).waitFor()
      const isThere = (name: string) => asked.some((request) => new URL(request.url()).pathname.includes(name))
      await until(async () => (last.every(isThere) && underWay.size === 0) || undefined, { what: `all of ${place}` })
      const scripts = asked.filter((request) => request.resourceType() === 'script')
      const sizes = await Promise.all(scripts.map((script) => script.sizes()))
      // a busy server sends a page without waiting for the data in it, which the page then asks for
      const isWhole = place === 'login' || (await page.locator(`#${EARLY_ELEMENT.id}`).count()) === 1
      await page.context().close()
      return isWhole ? { asked, scripts, bytes: sizes.reduce((sum, of) => sum + of.responseBodySize, 0) } : undefined
    }
    const { asked, scripts, bytes } = await until(visit, { what: `${place} with its data` })
    const said = `${place}: ${asked.length} requests, ${scripts.length} scripts of ${bytes} bytes`
    if (asked.length > REQUESTS || scripts.length > SCRIPTS || bytes > most || bytes === 0)
      throw new Error(`${said}\n${asked.map((request) => request.url()).join('\n')}`)
  }
})

/** The keys of the post lists that this page's browser stores. */
const keptLists = (page: Page): Promise<string[]> =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open('rookery-posts')
        opening.onerror = () => reject(new Error('the database of kept posts could not be opened'))
        opening.onsuccess = () => {
          const reading = opening.result.transaction('facts').objectStore('facts').getAllKeys()
          reading.onerror = () => reject(new Error('the kept lists could not be read'))
          reading.onsuccess = () => {
            opening.result.close()
            resolve(reading.result.map(String))
          }
        }
      }),
  )
const keepsMonth = (page: Page, wanted = true) =>
  until(async () => (await keptLists(page)).some((key) => key.includes('"month"')) === wanted || undefined, {
    what: wanted ? 'the kept month' : 'the end of the kept month',
  })
const keepsNothing = (page: Page) =>
  until(async () => (await keptLists(page)).length === 0 || undefined, { what: 'the end of what was kept' })

test('delivery: the calendar shows what this browser kept, then what changed, and nothing of anyone else', async ({
  stage,
}) => {
  const admin = await stage.newPerson({ upTo: 'channel' })
  await schedulePosts(admin, [{ text: 'Kept post', inDays: 2 }])
  const colleague = await newColleague(stage, admin)
  const { page } = colleague
  const day = Temporal.Now.zonedDateTimeISO('Europe/Berlin').add({ days: 2 }).toPlainDate()
  const calendar = `${admin.at('calendar')}?date=${day.toString()}`
  const chips = (text: string) => page.getByRole('button', { name: new RegExp(text) })
  const showsChips = (text: string, count: number) =>
    until(async () => (await chips(text).count()) === count || undefined, { what: `${count} times ${text}` })

  /** Opens the calendar while no list gets a response. `first` is the first list that it requests. */
  const openHeld = async () => {
    const [asked, held] = [Promise.withResolvers<string>(), Promise.withResolvers<'continue' | 'abort'>()]
    await page.route(
      ({ pathname, searchParams }) => /\/post(\/changes)?$/.test(pathname) && searchParams.get('view') === 'month',
      async (route) => {
        asked.resolve(new URL(route.request().url()).pathname.split('/').at(-1) ?? '')
        await route[await held.promise]()
      },
    )
    await page.goto(calendar)
    return {
      first: await asked.promise,
      letThrough: () => held.resolve('continue'),
      abort: () => held.resolve('abort'),
    }
  }

  await page.goto(calendar)
  await showsChips('Kept post', 1)
  await keepsMonth(page)

  // stored posts are shown before the server responds, and then what changed
  await page.goto('about:blank')
  await schedulePosts(admin, [{ text: 'Another post', inDays: 2 }])
  // a browser that is too busy to find what it kept in time asks for the whole month
  const again = await until(
    async () => {
      const held = await openHeld()
      if (held.first === 'changes') return held
      held.abort()
      await page.goto('about:blank')
      return undefined
    },
    { what: 'only the changes to be asked for' },
  )
  await showsChips('Kept post', 1)
  if ((await chips('Another post').count()) > 0) throw new Error('the reply was not held')
  again.letThrough()
  await showsChips('Another post', 1)
  await showsChips('Kept post', 1)

  // another person in the same browser, who never logged in here
  await page.goto('about:blank')
  await page.context().clearCookies()
  await page.context().addCookies(await admin.page.context().cookies())
  const other = await openHeld()
  if (other.first !== 'post' || (await chips('post').count()) > 0) throw new Error('posts of another person were shown')
  await keepsMonth(page, false)
  other.letThrough()
  await showsChips('Kept post', 1)
  await keepsMonth(page)

  // a session that the person ends
  await page.getByRole('button', { name: /profile, theme, log out/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL('**/login')
  await keepsNothing(page)
})
