import type { Page } from '@playwright/test'
import { until } from '#server/testing/until.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { reaching, test } from '../harness.ts'
import { freePort } from '#server/testing/freePort.ts'
import { startProduct } from '../product.ts'

const strip = (page: Page) => page.getByRole('region', { name: 'Connection' })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const words = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
const saved = (page: Page) => page.locator('[data-save-state=saved]').waitFor()
const rail = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })

/** What the service worker keeps, as paths. */
const kept = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys()
    const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return all.flat().map(({ url }) => new URL(url).pathname)
  })

test('offline: an area that was never loaded says so and loads later; a new build is loaded once', async ({
  newPerson,
}) => {
  const person = await newPerson({ upTo: 'channel' })
  const { page } = person
  await page.goto(person.at('compose'))
  await words(page).fill('Written with a connection')
  await saved(page)
  await page.context().setOffline(true)
  await strip(page).getByText("You're offline.").waitFor()
  await words(page).fill('Written with a connection, and without one')
  await rail(page, 'Assets').click()
  await heading(page, 'Page not loaded').waitFor()
  await page.waitForURL('**/assets')
  const again = page.getByRole('main').getByRole('button', { name: 'Try again' })
  await again.click()
  await page.getByText("We'll load this page when you're back online.").waitFor()
  await axe(page)
  await shot(page, 'offline')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'offline-phone')
  await page.setViewportSize(DESKTOP)
  // the person's previous place on the page is still there
  await page.goBack()
  await page.waitForURL('**/compose**')
  if ((await words(page).inputValue()) !== 'Written with a connection, and without one')
    throw new Error('the text that was written offline is gone')
  await page.goForward()
  await heading(page, 'Page not loaded').waitFor()
  // it loads automatically once the connection is back
  await page.context().setOffline(false)
  await heading(page, 'Assets').waitFor()
  await strip(page).waitFor({ state: 'detached' })

  // a new build whose old files are gone is loaded once, not forever
  let loads = 0
  page.on('load', () => (loads += 1))
  await page.route('**/assets/CampaignsScreen-*.js', (route) => route.fulfill({ status: 404, body: 'Not found' }))
  // the server's page now starts with a different script
  await page.route(/\/$/, async (route) => {
    const answer = await route.fetch()
    await route.fulfill({
      response: answer,
      body: (await answer.text()).replace(/\/assets\/index-/, '/assets/index-new-'),
    })
  })
  await rail(page, 'Campaigns').click()
  await until(() => Promise.resolve(loads === 1 || undefined), { what: 'the load of the new build' })
  await heading(page, 'Page not loaded').waitFor()
  const reload = page.getByRole('main').getByRole('button', { name: 'Try again' })
  await reload.click()
  await page.getByRole('main').getByRole('button', { name: 'Try again', disabled: false }).waitFor()
  if (loads !== 1) throw new Error(`the page was loaded ${loads} times`)
  await page.unrouteAll({ behavior: 'wait' })
  await reload.click()
  await heading(page, 'Campaigns').waitFor()
})

test('offline: the app opens without its server, with no one else’s data, and can be turned off', async ({ stage }) => {
  const env = { ...reaching(stage.bluesky), PORT: String(await freePort()) }
  const first = await startProduct(env)
  let running = first
  const { newPerson } = await stage.apart({ ...first, stop: () => running.stop() })
  const person = await newPerson({ upTo: 'channel', opens: 'dashboard', page: { serviceWorkers: 'allow' } })
  const { page } = person
  await until(async () => ((await kept(page)).includes('/') ? true : undefined), {
    what: 'the files to be kept',
  })
  const files = await kept(page)
  const private_ = files.filter((path) => !/^\/(?:$|assets\/|[\w-]+\.(?:js|svg|png|webmanifest)$)/.test(path))
  if (private_.length > 0) throw new Error(`the service worker keeps ${private_.join(', ')}`)
  const loaded = () => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  const isLoaded = async (screen: string) => (await loaded()).some((url) => url.includes(`/assets/${screen}Screen-`))
  for (const screen of ['Insights', 'Roles', 'Compose'])
    await until(async () => (await isLoaded(screen)) || undefined, {
      what: `the code of ${screen}, before it is opened`,
    })

  await page.goto(person.at('compose'))
  await words(page).fill('Started before the server stopped')
  await saved(page)
  await running.halt()
  await strip(page).getByText("We can't reach Rookery.").waitFor()
  await words(page).fill('Started before the server stopped, finished after')
  // its code is in the cache, its data isn't
  await rail(page, 'Campaigns').click()
  await heading(page, 'Campaigns').waitFor()
  await page.goBack()
  await page.waitForURL('**/compose**')
  // a page opened now, too
  await page.reload()
  await strip(page).getByText("We can't reach Rookery.").waitFor()
  await shot(page, 'server-away')

  running = await startProduct(env, first.dataDir)
  await strip(page).waitFor({ state: 'detached' })
  await page.reload()
  await until(
    async () =>
      (await words(page).inputValue()) === 'Started before the server stopped, finished after' ? true : undefined,
    { what: 'the text from before' },
  )

  // after logging out, nothing of the person's data is left, with or without the server
  await page.goto(person.at('dashboard'))
  await page.getByRole('button', { name: /profile, theme, log out/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL('**/login**')
  await running.halt()
  await page.goto(person.at('dashboard'))
  await page.getByText("We can't reach Rookery.").first().waitFor()
  const text = await page.locator('body').innerText()
  if (text.includes('Northlight') || text.includes('Ada')) throw new Error('data of someone who logged out')

  running = await startProduct({ ...env, SERVICE_WORKER: 'off' }, first.dataDir)
  await page.goto('/login')
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  await until(async () => ((await kept(page)).length === 0 ? true : undefined), {
    what: 'the files to be removed',
  })
  await page.reload()
  await page.getByRole('button', { name: 'Log in', exact: true }).waitFor()
  if (await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length > 0))
    throw new Error('the service worker is still there')
})
