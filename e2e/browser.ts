import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContextOptions, type LaunchOptions, type Page } from '@playwright/test'

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

let axeSource: Promise<string> | undefined
const readAxe = () => (axeSource ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))

type Violation = { id: string; help: string; nodes: { target: unknown[]; failureSummary?: string }[] }

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** What a theme can change about a page; everything else is the same in both. */
const RULES_OF_COLOR = ['color-contrast', 'link-in-text-block']

/** Throws if axe finds anything on the page, in either theme. */
export async function axe(page: Page): Promise<void> {
  for (const theme of themes) {
    await inTheme(page, theme)
    // evaluated by the debugger, which the page's content security policy doesn't restrict
    if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(await readAxe())
    const wanted: Wanted = theme === 'light' ? { type: 'tag', values: TAGS } : { type: 'rule', values: RULES_OF_COLOR }
    const violations = await page.evaluate(violationsOf, wanted)
    const lines = violations.flatMap((found) =>
      found.nodes.map(
        (node) =>
          `${found.id}: ${found.help}\n    ${node.target.join(' ')}\n    ${node.failureSummary?.replaceAll('\n', '\n    ') ?? ''}`,
      ),
    )
    if (lines.length > 0)
      throw new Error(`axe, ${theme} theme, ${new URL(page.url()).pathname}:\n  ${lines.join('\n  ')}`)
  }
}

type Wanted = { type: 'tag' | 'rule'; values: string[] }

/** Runs in the page. */
async function violationsOf(wanted: Wanted): Promise<Violation[]> {
  // put there by `axe` above
  const { axe: runner } = globalThis as unknown as {
    axe: {
      configure: (spec: object) => void
      run: (root: Document, options: object) => Promise<{ violations: Violation[] }>
    }
  }
  // a day's cell contains controls and is named by a summary; its controls have their own names. Hidden text, such as
  // the initials of an avatar, isn't something a person would say
  runner.configure({
    rules: [
      {
        id: 'label-content-name-mismatch',
        selector: ':is([aria-label], [aria-labelledby]):not([role=gridcell], :has(span[aria-hidden]))',
      },
    ],
  })
  // an open menu, popover or tooltip is outside the landmarks while everything else is inert
  const overlaid = document.querySelector('[data-radix-popper-content-wrapper], [role=tooltip]') !== null
  const rules =
    wanted.type === 'tag'
      ? // the second is experimental in axe and only runs when requested
        { region: { enabled: !overlaid }, 'label-content-name-mismatch': { enabled: true } }
      : {}
  // only violations are read: details of what passed take time
  return (await runner.run(document, { runOnly: wanted, rules, resultTypes: ['violations'] })).violations
}

/** Undoes the action of the toast with this text; others may still be there. */
export const undo = (page: Page, words: RegExp) =>
  page.getByRole('listitem').filter({ hasText: words }).getByRole('button', { name: 'Undo' }).click()

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

async function inTheme(page: Page, theme: (typeof themes)[number]): Promise<void> {
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
