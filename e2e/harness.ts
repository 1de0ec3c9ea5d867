import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { startPds, type TestPds } from '#server/testing/pds/startPds.ts'
import { openBrowser, openPage, type Watched } from './browser.ts'
import { newPerson, type NewPerson, type Person } from './people.ts'
import { startProduct, type Product } from './product.ts'

/** What journeys play on: the built app, a real Bluesky server and a browser. One for the whole run. */
export type Stage = Product & {
  bluesky: TestPds
  browser: Browser
  /** A page with nobody signed in, in a context of its own. */
  openPage: (options?: BrowserContextOptions) => Promise<Page>
  /** Somebody who signed up and got as far as asked, with the page open there. */
  newPerson: (wanted?: NewPerson) => Promise<Person>
}

export type Journey = { name: string; run: (stage: Stage) => Promise<void> }

/** One way of a person through the product. Journeys share nothing but the stage. */
export function journey(name: string, run: Journey['run']): Journey {
  return { name, run }
}

export async function openStage(): Promise<{
  stage: Omit<Stage, 'openPage' | 'newPerson'>
  close: () => Promise<void>
}> {
  const pdsFolder = join(import.meta.dirname, '..', 'server', 'testing', 'pds')
  if (!existsSync(join(pdsFolder, 'node_modules', '@atproto', 'pds')))
    spawnSync(process.execPath, [join(pdsFolder, 'install.js')], { stdio: 'inherit' })
  const bluesky = await startPds()
  const product = await startProduct({
    OUTGOING_ALLOW: `${bluesky.host},${bluesky.directoryHost}`,
    PLC_DIRECTORY: bluesky.directory,
  })
  const browser = await openBrowser()
  return {
    stage: { ...product, bluesky, browser },
    close: async () => {
      await browser.close()
      await product.stop()
      await bluesky.stop()
    },
  }
}

/** Plays one journey on the stage and closes the pages that it opened. Throws what went wrong, with a picture of it. */
export async function play(stage: Omit<Stage, 'openPage' | 'newPerson'>, { name, run }: Journey): Promise<void> {
  const opened: Watched[] = []
  const open = async (options?: BrowserContextOptions) => {
    const watched = await openPage(stage.browser, stage.base, options)
    opened.push(watched)
    return watched.page
  }
  try {
    await run({ ...stage, openPage: open, newPerson: (wanted) => newPerson({ ...stage, openPage: open }, wanted) })
    const complaints = opened.flatMap((watched) => watched.complaints)
    if (complaints.length > 0) throw new Error(`The page complained:\n${complaints.join('\n')}`)
  } catch (error) {
    const last = opened.at(-1)?.page
    const picture = join(import.meta.dirname, '..', '.cache', 'failures', `${name.replace(/[^\w]+/g, '-')}.png`)
    await last?.screenshot({ path: picture }).catch(() => undefined)
    const where = last ? `at ${last.url()}, seen in ${picture}` : 'before the first page'
    // where a log is all that is left, the words of the page say most of what the picture would
    const words = await last
      ?.locator('body')
      .innerText({ timeout: 2000 })
      .catch(() => undefined)
    throw new Error(
      [where, words && `The page says:\n${words.replaceAll(/\s*\n\s*/g, ' | ').slice(0, 1500)}`, stage.lastWords()]
        .filter(Boolean)
        .join('\n'),
      { cause: error },
    )
  } finally {
    // an answer that a journey changes and that is still on its way must not outlive its page
    const pages = opened.flatMap((watched) => watched.page.context().pages())
    await Promise.all(pages.map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })))
    await Promise.all(opened.map((watched) => watched.page.context().close()))
  }
}

/** Plays on an app of its own, for journeys that want it configured otherwise. The browser and Bluesky are the run's. */
export async function playApart(
  { bluesky, browser }: Pick<Stage, 'bluesky' | 'browser'>,
  app: Record<string, string> | Promise<Product>,
  part: Journey,
): Promise<void> {
  const product = await (app instanceof Promise ? app : startProduct(app))
  try {
    await play({ ...product, bluesky, browser }, part)
  } finally {
    await product.stop()
  }
}
