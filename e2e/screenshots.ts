import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { startPlatforms } from '#server/simulators/start.ts'
import { demoPerson } from '#server/seed/content.ts'
import { openBrowser, openPage, PHONE, pictures, shot } from './browser.ts'
import { fillSignup } from './people.ts'
import { freePort } from '#server/testing/freePort.ts'
import { codeIn, newDataDir, startProduct } from './product.ts'

// node e2e/screenshots.ts: pictures of the demo organization in both themes, into .cache/screenshots. With --readme
// those that the README shows, compressed, into docs/images.

const inReadme = [
  ['calendar', 'light'],
  ['compose', 'light'],
  ['calendar-phone', 'dark'],
  ['users', 'light'],
  ['role-editor', 'light'],
  ['channels', 'light'],
  ['dashboard', 'light'],
  ['billing', 'light'],
  ['assets', 'light'],
  ['onboarding', 'light'],
  ['inbox', 'light'],
] as const

const dataDir = await newDataDir()
const seed = spawnSync(process.execPath, [join(import.meta.dirname, '..', 'server', 'seed', 'main.ts')], {
  stdio: 'inherit',
  env: { ...process.env, DATABASE_URL: undefined, SIMULATED_CHANNELS: '1', DATA_DIR: dataDir },
})
if (seed.status !== 0) throw new Error('The demo organization could not be made.')
const platforms = await startPlatforms()
const [port, simulatorPort] = [await freePort(), await freePort()]
// no worker: what is due stays as it was seeded
const product = await startProduct(
  {
    ROLE: 'web',
    NODE_ENV: 'development',
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    SIMULATED_CHANNELS: '1',
    SIMULATED_PLATFORMS: platforms.base,
    SIMULATOR_PORT: String(simulatorPort),
  },
  dataDir,
)
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
  await picture(page, `${project}/compose`, 'compose', async () => {
    for (const platform of ['Bluesky', 'LinkedIn', 'Mastodon'])
      await page
        .getByRole('checkbox', { name: new RegExp(platform) })
        .first()
        .click()
    await page
      .getByRole('textbox', { name: 'Text' })
      .fill(
        'The terrace is open again. First sun, first iced filter of the year, and the dogs are back too. Until seven, all week.',
      )
  })
  await picture(page, `${project}/inbox`, 'inbox', openFirst(page))
  await picture(page, `${project}/insights/insights?range=90`, 'insights', async () => {
    await page.getByRole('img', { name: / by day, / }).waitFor()
  })
  await picture(page, `${project}/insights/report-builder`, 'reports')
  await picture(page, `${project}/insights/report-builder`, 'report', async () => {
    await page.getByRole('link', { name: 'Monthly report' }).click()
    await page
      .getByRole('list', { name: 'Blocks of the report' })
      .getByRole('button', { name: /^Chart/ })
      .first()
      .click()
    await page.getByRole('img', { name: /^Page 2 of / }).waitFor()
  })
  await picture(page, `${project}/channels`, 'channels')
  await picture(page, `${project}/users`, 'users')
  await picture(page, `${project}/roles?role=new`, 'role-editor')
  await picture(page, `${project}/org-settings?tab=billing`, 'billing')
  await picture(page, `${project}/org-settings?tab=audit`, 'audit')
  await picture(page, `${project}/assets`, 'assets')
  await page.setViewportSize(PHONE)
  await picture(page, `${project}/dashboard`, 'dashboard-phone')
  await picture(page, `${project}/calendar`, 'calendar-phone')
  await picture(page, `${project}/inbox`, 'inbox-phone')
  await picture(page, `${project}/inbox`, 'inbox-phone-conversation', openFirst(page))
  await onboarding()
  if (process.argv.includes('--readme')) for (const [name, theme] of inReadme) await small(name, theme)
} finally {
  await browser.close()
  await product.stop()
  await platforms.stop()
}

/** The first conversation of the inbox. */
function openFirst(page: Page): () => Promise<void> {
  return async () => {
    await page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().click()
    await page.getByRole('article', { name: /^Conversation with/ }).waitFor()
  }
}

/** A new user in the wizard, where accounts are connected. */
async function onboarding(): Promise<void> {
  const { page } = await openPage(browser, product.base)
  const email = 'newcomer@example.org'
  await page.goto('/signup')
  await fillSignup(page, { firstName: 'Grace', lastName: 'Hopper', email })
  await page.getByRole('button', { name: 'Signup' }).click()
  await page.waitForURL('**/signup/verify')
  await page
    .getByLabel('Verification code')
    .fill(codeIn(await product.mailTo(email, (text) => codeIn(text) !== undefined)) ?? '')
  await page.getByLabel('Organization name').fill('Northlight Coffee')
  await page.getByLabel('Company size').selectOption('2-10')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Project name').fill('Flagship')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Add Channels' }).waitFor()
  await page.waitForFunction(
    () => document.querySelector('[role=status][aria-label^=Loading], [data-sonner-toast]') === null,
  )
  await shot(page, 'demo-onboarding')
}

/** 256 colors are enough for a screen, and a third of the bytes. */
async function small(name: string, theme: 'light' | 'dark'): Promise<void> {
  await sharp(join(pictures, `demo-${name}-${theme}.png`))
    .png({ palette: true, quality: 90, effort: 10 })
    .toFile(join(import.meta.dirname, '..', 'docs', 'images', `${name}.png`))
}

async function picture(page: Page, address: string, name: string, prepare?: () => Promise<void>): Promise<void> {
  await page.goto(address)
  // by its tag: an open sheet hides the page's heading from screen readers
  await page.locator('h1').first().waitFor()
  await prepare?.()
  await page.waitForLoadState('load')
  // everything has loaded, and the login's toast is gone
  await page.waitForFunction(
    () => document.querySelector('[role=status][aria-label^=Loading], [data-sonner-toast]') === null,
  )
  // previews are drawn when they are first requested; lazy ones that are hidden or below the picture never are
  await page.waitForFunction(() =>
    [...document.images]
      .filter((image) => image.checkVisibility() && image.getBoundingClientRect().top < window.innerHeight)
      .every((image) => image.complete && image.naturalWidth > 0),
  )
  await shot(page, `demo-${name}`)
}
