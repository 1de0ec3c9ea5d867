import { existsSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { test as base, type BrowserContextOptions, type Page, type TestInfo } from '@playwright/test'
import { startPds, type TestPds } from '#server/testing/pds/startPds.ts'
import { until } from '#server/testing/until.ts'
import { openPage, type Watched } from './browser.ts'
import { newPerson, type NewPerson, type Person } from './people.ts'
import { startProduct, type Product } from './product.ts'

type Servers = Product & { bluesky: TestPds }

/** What journeys run on: the built app, a real Bluesky server and a browser. One of each per worker. */
export type Stage = Servers & {
  /** A page with nobody signed in, in a separate context. */
  openPage: (options?: BrowserContextOptions) => Promise<Page>
  /** Someone who got as far as requested, see people.ts. */
  newPerson: (wanted?: NewPerson) => Promise<Person>
  /** The stage with an app just for this journey, which stops when the journey ends, however it ends. */
  apart: <P extends Product>(starting: P | Promise<P>) => Promise<Stage & P>
}

/** A part of the stage as its own fixture, so that a journey names only what it needs. */
const part =
  <K extends keyof Stage>(key: K) =>
  async ({ stage }: { stage: Stage }, use: (value: Stage[K]) => Promise<void>) =>
    await use(stage[key])

/** A journey: one person's path through the product. Journeys share nothing but the servers. */
export const test = base.extend<
  { stage: Stage } & Pick<Stage, 'base' | 'bluesky' | 'mailTo' | 'mailsTo' | 'newPerson' | 'openPage'>,
  { servers: Servers; turn: void }
>({
  // while other stages run, bin/test.js names a file that appears as soon as one of their rows has ended: a second
  // worker before that would only make everything slower
  turn: [
    // Playwright reads from the pattern which fixtures are needed: none
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use, { parallelIndex }) => {
      const free = process.env['SECOND_WORKER_AFTER']
      if (free && parallelIndex > 0) await until(() => existsSync(free), { deadline: Infinity })
      await use()
    },
    { scope: 'worker', timeout: 0, auto: true },
  ],
  servers: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const bluesky = await startPds()
      const product = await startProduct(reaching(bluesky))
      await use({ ...product, bluesky })
      await product.stop()
      await bluesky.stop()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  stage: async ({ servers, browser }, use, info) => {
    const { bluesky } = servers
    const opened: Watched[] = []
    const products: Product[] = []
    const stageOf = <P extends Product>(product: P): Stage & P => {
      const open = async (options?: BrowserContextOptions) => {
        const watched = await openPage(browser, product.base, options)
        opened.push(watched)
        return watched.page
      }
      const scene = { ...product, bluesky, openPage: open }
      return { ...scene, apart, newPerson: (wanted) => newPerson(scene, wanted) }
    }
    const apart = async <P extends Product>(starting: P | Promise<P>) => {
      const product = await starting
      products.push(product)
      return stageOf(product)
    }
    await use(stageOf(servers))
    const complaints = opened.flatMap((watched) => watched.complaints)
    const failed = info.status !== info.expectedStatus || complaints.length > 0
    const seen = failed ? await lastSeen(info, opened.at(-1)?.page.context().pages().at(-1)) : []
    // a response that a journey changes and that is still on its way must not outlive its page
    const pages = opened.flatMap(({ page }) => page.context().pages())
    await Promise.all(pages.map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })))
    await Promise.all(opened.map(({ page }) => page.context().close()))
    // closing rejects what the journey left pending, and Node reports it after this turn, while it still belongs to
    // this journey
    await setImmediate()
    const lastWords = [servers, ...products].map((product) => product.lastWords())
    await Promise.all(products.map((product) => product.stop()))
    if (complaints.length > 0) seen.unshift(`The page complained:\n${complaints.join('\n')}`)
    if (failed) throw new Error([...seen, ...lastWords].filter(Boolean).join('\n'))
  },
  base: part('base'),
  bluesky: part('bluesky'),
  mailTo: part('mailTo'),
  mailsTo: part('mailsTo'),
  newPerson: part('newPerson'),
  openPage: part('openPage'),
})

/** The settings of an app that connects accounts of the Bluesky server. */
export const reaching = ({ host, directoryHost, directory }: TestPds) => ({
  OUTGOING_ALLOW: `${host},${directoryHost}`,
  PLC_DIRECTORY: directory,
})

/** Where a journey failed. If a log is all that is left, the page's text says most of what its picture would. */
async function lastSeen(info: TestInfo, page: Page | undefined): Promise<string[]> {
  if (!page) return ['before the first page']
  const path = info.outputPath('page.png')
  await page.screenshot({ path }).catch(() => undefined)
  const text = await page
    .locator('body')
    .innerText({ timeout: 2000 })
    .catch(() => '')
  return [`at ${page.url()}, seen in ${path}`, `The page says:\n${text.replaceAll(/\s*\n\s*/g, ' | ').slice(0, 1500)}`]
}
