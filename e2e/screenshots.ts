import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { demoPerson } from '#server/testing/seed/content.ts'
import { openBrowser, openPage, PHONE, shot } from './browser.ts'
import { newDataDir, startProduct } from './product.ts'

// node e2e/screenshots.ts: pictures of the demo organisation in both themes, into .cache/screenshots.

const dataDir = await newDataDir()
const seed = spawnSync(process.execPath, [join(import.meta.dirname, '..', 'server', 'testing', 'seed.ts')], { stdio: 'inherit', env: { ...process.env, DATABASE_URL: undefined, SIMULATED_CHANNELS: '1', DATA_DIR: dataDir } })
if (seed.status !== 0) throw new Error('The demo organisation could not be made.')
// no worker: what is due stays as it was seeded
const product = await startProduct({ ROLE: 'web' }, dataDir)
const browser = await openBrowser()
try {
  const { page } = await openPage(browser, product.base)
  await page.goto('/login')
  await page.getByLabel('Email').fill(demoPerson.email)
  await page.getByLabel('Password', { exact: true }).fill(demoPerson.password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.waitForURL('**/dashboard')
  const project = page.url().replace('/dashboard', '')
  await picture(page, `${project}/dashboard`, 'dashboard')
  await picture(page, `${project}/calendar`, 'calendar')
  await picture(page, `${project}/posts/posts`, 'posts')
  await picture(page, `${project}/compose`, 'compose')
  await picture(page, `${project}/channels`, 'channels')
  await picture(page, `${project}/users`, 'users')
  await picture(page, `${project}/roles?role=new`, 'role-editor')
  await page.setViewportSize(PHONE)
  await picture(page, `${project}/dashboard`, 'dashboard-phone')
  await picture(page, `${project}/calendar`, 'calendar-phone')
} finally {
  await browser.close()
  await product.stop()
}

async function picture(page: Page, address: string, name: string): Promise<void> {
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('load')
  // what says that it is loading has come; the toast of the login has gone
  await page.waitForFunction(() => document.querySelector('[role=status][aria-label^=Loading], [data-sonner-toast]') === null)
  await shot(page, `demo-${name}`)
}
