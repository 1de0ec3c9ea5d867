import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContext, Locator, Page, Request } from '@playwright/test'
import { fillMonth, inBrowser, type Filling } from './_browserStage.ts'

/*
 * First and later visits of the pages that people open most, over a slow connection (1.6 Mbit/s, 150 ms a round trip) in
 * headless Chromium: requests, script files, bytes as sent, and the time until the page shows what it is about. The
 * project has 400 posts in the month. Needs the built web app (npm start builds it). Requests and bytes don't depend on
 * the machine: e2e/journeys/delivery.ts holds them in the gate.
 */
const SLOW = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
/** Milliseconds until the calendar shows its posts. */
const LIMITS = { first: 4000, later: 1000 }
const POSTS = 400
/** A page without requests for this long has loaded. Milliseconds. */
const QUIET = 2000

const pages: readonly (readonly [name: string, shows: (page: Page) => Locator])[] = [
  ['login', (page) => page.getByRole('button', { name: 'Log in', exact: true })],
  ['dashboard', (page) => page.getByRole('heading', { name: 'Content Status' })],
  ['calendar', (page) => page.locator('[data-post]').first()],
  ['compose', (page) => page.getByRole('textbox').first()],
]

await inBrowser<void>(fill, async (at) => {
  for (const [name, shows] of pages) {
    const context = await at.browser.newContext({ viewport: { width: 1440, height: 900 }, timezoneId: 'Europe/London' })
    if (name !== 'login')
      await context.addCookies(
        [...at.home.person.cookies].map(([key, value]) => ({ name: key, value, url: at.address })),
      )
    const address = `${at.address}/${name === 'login' ? name : `${at.home.orgId}/project/${at.home.projectId}/${name}`}`
    const first = await visit(context, address, shows)
    const later = await visit(context, address, shows)
    await context.close()
    console.log(`${name}: first visit ${inWords(first)}`)
    console.log(`${name}: later visit ${inWords(later)}`)
    if (name === 'calendar' && (first.shown > LIMITS.first || later.shown > LIMITS.later)) process.exitCode = 1
  }
  console.log(`limits: the calendar within ${LIMITS.first} ms, later within ${LIMITS.later} ms`)
})

type Visit = { requests: number; scripts: number; scriptBytes: number; bytes: number; shown: number }

function inWords({ requests, scripts, scriptBytes, bytes, shown }: Visit): string {
  const kB = (count: number) => `${(count / 1000).toFixed(0)} kB`
  return `${requests} requests, ${scripts} scripts of ${kB(scriptBytes)}, ${kB(bytes)} in all, shown after ${shown.toFixed(0)} ms`
}

/** Opens the address in a tab of its own, and closes that when it has what it wants. */
async function visit(context: BrowserContext, address: string, shows: (page: Page) => Locator): Promise<Visit> {
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', SLOW)
  const asked: Request[] = []
  const sent: Request[] = []
  let last = performance.now()
  const note = (list: Request[]) => (request: Request) => {
    list.push(request)
    last = performance.now()
  }
  page.on('request', note(asked))
  page.on('requestfinished', note(sent))
  const began = performance.now()
  await page.goto(address, { waitUntil: 'commit' })
  await shows(page).waitFor({ timeout: 60_000 })
  const shown = performance.now() - began
  while (performance.now() - last < QUIET) await pause(100)
  const sizes = await Promise.all(
    sent.map(async (request) => ({
      isScript: request.resourceType() === 'script',
      bytes: await request.sizes().then(
        ({ responseBodySize }) => responseBodySize,
        () => 0,
      ),
    })),
  )
  await page.close()
  const sum = (list: typeof sizes) => list.reduce((total, { bytes }) => total + bytes, 0)
  const scripts = sizes.filter(({ isScript }) => isScript)
  if (process.argv.includes('--requests'))
    for (const request of asked)
      console.log(`  ${request.resourceType()} ${new URL(request.url()).pathname.slice(-70)}`)
  return { requests: asked.length, scripts: scripts.length, scriptBytes: sum(scripts), bytes: sum(sizes), shown }
}

function fill(at: Filling): Promise<void> {
  return fillMonth(at, POSTS)
}
