import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  chromium,
  expect,
  type Browser,
  type BrowserContextOptions,
  type LaunchOptions,
  type Page,
} from '@playwright/test'

export const DESKTOP = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }
/** Milliseconds for one step. Generous, because it only matters if something is broken: a busy machine doesn't decide. */
export const PATIENCE = 60_000
const themes = ['light', 'dark'] as const

export const pictures = join(import.meta.dirname, '..', '.cache', 'screenshots')
const places = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Debian's headless shell or another Chromium, without features that contact other servers. */
export function chromiumOptions(): LaunchOptions {
  const executablePath = places.find((path) => path !== undefined && existsSync(path))
  if (!executablePath)
    throw new Error('Chromium is missing: apt-get install chromium-headless-shell, or name it in CHROMIUM_PATH.')
  return {
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // a page's own threads would only wait for a core: without them it takes a tenth less of both
      '--js-flags=--single-threaded',
    ],
  }
}

/** The browser on its own, outside journeys. */
export const openBrowser = (): Promise<Browser> => chromium.launch(chromiumOptions())

export type Watched = {
  page: Page
  /** What went wrong in the page: uncaught errors, and what the content security policy refused. */ complaints: string[]
}

let clients = 0
/** Every browser is a separate client to the limits of sign-up and login, as behind a proxy that the app trusts. */
const nextClient = (): string => {
  clients += 1
  return `10.0.${clients >> 8}.${clients & 255}`
}

/** A separate page with nobody signed in. Animations are off, so that nothing has to wait for them. */
export async function openPage(browser: Browser, base: string, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({
    baseURL: base,
    viewport: DESKTOP,
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    extraHTTPHeaders: { 'x-forwarded-for': nextClient() },
    // a journey can't change what a worker responds, and each new person would load the whole app again
    serviceWorkers: 'block',
    ...options,
  })
  context.setDefaultTimeout(PATIENCE)
  context.setDefaultNavigationTimeout(PATIENCE)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && /content security policy/i.test(message.text())) complaints.push(message.text())
  })
  return { page, complaints }
}

/** Undoes the action of the toast with this text; others may still be there. */
export const undo = (page: Page, words: RegExp) =>
  page.getByRole('listitem').filter({ hasText: words }).getByRole('button', { name: 'Undo' }).click()

/** Chooses files in the composer. From then on each shows a progress bar until it has arrived. */
export const attach = (page: Page, files: readonly { name: string; mimeType: string; buffer: Buffer }[]) =>
  page.locator('[data-pick-files]').setInputFiles(files)

/** Waits until all files that were chosen in the composer have arrived. */
export const allArrived = (page: Page) =>
  expect(page.getByRole('list', { name: /^(?:Images|Files)$/ }).getByRole('progressbar')).toHaveCount(0)

/**
 * Pictures of the page in both themes at its current size, into .cache/screenshots. The full run takes none
 * (SCREENSHOTS=none): nobody looks at them.
 */
export async function shot(page: Page, name: string, options: { fullPage?: boolean } = {}): Promise<void> {
  if (process.env['SCREENSHOTS'] === 'none') return
  await mkdir(pictures, { recursive: true })
  for (const theme of themes) {
    await inTheme(page, theme)
    await page.screenshot({ path: join(pictures, `${name}-${theme}.png`), ...options })
  }
}

/** Shows the page in a theme, drawn to the end. */
export async function inTheme(page: Page, theme: (typeof themes)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  // fonts and colors still in transition would be captured halfway
  await page.evaluate(async () => {
    await document.fonts.ready
    // a frame for the change to begin, another for it to be drawn
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
    const ending = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
    await Promise.allSettled(ending.map((animation) => animation.finished))
  })
}
