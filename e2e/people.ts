import type { BrowserContextOptions, Locator, Page } from '@playwright/test'
import type { Challenge } from 'altcha-lib'
import { connectBluesky as connectBlueskyAccount } from '#contract/channels.ts'
import { humanChallenge, signUp } from '#contract/identity.ts'
import { createOrganization, createProject, setOnboardingStep } from '#contract/organizations.ts'
import { systemClock } from '#server/clock.ts'
import { tokenFor } from '#server/testing/human.ts'
import { buildersOn, TEST_PASSWORD } from '#server/testing/people.ts'
import type { TestAccount, TestPds } from '#server/testing/pds/startPds.ts'
import { callAs } from './api.ts'
import { inDatabase } from './database.ts'
import type { Product } from './product.ts'

export const PASSWORD = TEST_PASSWORD

export type Person = {
  page: Page
  email: string
  password: string
  /** A page of the project, such as `at('calendar')`. Only for people who got as far as a project. */
  at: (place: string) => string
  ids: { orgId: string; projectId: string }
}

/** How far someone gets before the journey begins. */
const stations = ['signed up', 'confirmed', 'organization', 'project', 'channel'] as const
export type NewPerson = {
  upTo?: (typeof stations)[number]
  firstName?: string
  lastName?: string
  orgName?: string
  projectName?: string
  /** The name of the Bluesky account that `channel` connects; created on the way. */
  account?: string
  page?: BrowserContextOptions
}

export type Scene = Pick<Product, 'base' | 'dataDir' | 'mailTo'> & {
  bluesky: TestPds
  openPage: (options?: BrowserContextOptions) => Promise<Page>
}

let people = 0

/**
 * Someone who got as far as requested, with the page open there: at a project's dashboard by default. Who only signed up
 * did so with the calls of the page. Everyone else's account and session are written to the app's database, because
 * solving the human check and waiting for an email would take most of a journey's time; the organization, the project and
 * the channel come from the same calls as the wizard's pages. The journeys of the pages themselves are `identity`,
 * `onboarding`, `invite` and `slice`.
 */
export async function newPerson(
  scene: Scene,
  {
    upTo = 'project',
    firstName = 'Ada',
    lastName = 'Lovelace',
    orgName = 'Northlight Coffee',
    projectName = 'Flagship',
    account: name,
    page: options,
  }: NewPerson = {},
): Promise<Person> {
  const number = ++people
  const page = await scene.openPage(options)
  const email = `person${number}-${process.pid}@example.org`
  const goal = stations.indexOf(upTo)
  const person = {
    page,
    email,
    password: PASSWORD,
    at: (place: string) => `/${idsOf(page).orgId}/project/${idsOf(page).projectId}/${place}`,
    ids: { orgId: '', projectId: '' },
  }

  if (goal === 0) {
    // the widget's contract is altcha's, not ours: the response is passed through
    const puzzle = (await callAs(page, humanChallenge)) as unknown as Challenge
    await callAs(page, signUp, {
      body: { firstName, lastName, email, password: PASSWORD, token: await tokenFor(puzzle) },
    })
    await page.goto('/')
    await page.waitForURL('**/signup/verify')
    return person
  }

  const { cookies } = await inDatabase(scene, (databases) =>
    buildersOn({ databases, clock: systemClock }).person({ firstName, lastName, email }),
  )
  await page
    .context()
    .addCookies(
      [...cookies].map(([name, value]) => ({ name, value, url: scene.base, httpOnly: true, sameSite: 'Lax' })),
    )
  if (goal === 1) {
    await page.goto('/onboarding')
    await page.getByRole('heading', { name: 'Add Organization' }).waitFor()
    return person
  }

  const { orgId } = await callAs(page, createOrganization, {
    body: { orgType: 'organization', orgName, orgSize: '2-10' },
  })
  if (goal === 2) {
    await page.goto('/onboarding')
    await page.getByRole('heading', { name: 'Create Project' }).waitFor()
    return person
  }

  const { projectId } = await callAs(page, createProject, {
    params: { orgId },
    body: { projectName, zone: options?.timezoneId ?? 'Europe/Berlin' },
  })
  const ids = { orgId, projectId }
  if (goal === 4) {
    const { handle, appPassword } = await scene.bluesky.createAccount(name)
    await callAs(page, connectBlueskyAccount, {
      params: ids,
      body: { handle, appPassword, service: scene.bluesky.url },
    })
  }
  await callAs(page, setOnboardingStep, { params: ids, body: { step: 'done' } })
  const at = (place: string) => `/${orgId}/project/${projectId}/${place}`
  await page.goto(at('dashboard'))
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  return { ...person, ids, at }
}

export async function fillSignup(
  page: Page,
  { firstName, lastName, email }: { firstName: string; lastName: string; email: string },
): Promise<void> {
  await page.getByLabel('First name').fill(firstName)
  await page.getByLabel('Last name').fill(lastName)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm password').fill(PASSWORD)
}

/**
 * Connects a new account on the Bluesky server, wherever its Connect button is on screen. `before` gives it a past.
 * Returns the account.
 */
export async function connectBluesky(
  page: Page,
  bluesky: TestPds,
  name?: string,
  before?: (account: TestAccount) => Promise<void>,
) {
  const account = await bluesky.createAccount(name)
  await before?.(account)
  await page
    .getByRole('button', { name: /^(Connect|Add Account), Bluesky/ })
    .first()
    .click()
  await signInToBluesky(page, bluesky, account)
  return account
}

/** Fills in the open dialog that connects a Bluesky account, and submits it. */
export async function signInToBluesky(page: Page, bluesky: Pick<TestPds, 'url'>, account: TestAccount): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Connect Bluesky' })
  await useAppPassword(dialog)
  await dialog.getByLabel('Handle').fill(account.handle)
  await dialog.getByLabel('App password').fill(account.appPassword)
  await dialog.getByRole('button', { name: 'Other server' }).click()
  await dialog.getByLabel('Server').fill(bluesky.url)
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
}

/** If Bluesky's own page comes first, the form with the app password is one step further. */
export async function useAppPassword(dialog: Locator): Promise<void> {
  const other = dialog.getByRole('button', { name: 'Use an app password instead' })
  await other.or(dialog.getByLabel('App password')).first().waitFor()
  if (await other.isVisible()) await other.click()
}

/** What a person does on the Bluesky server's own page after being redirected there: signs in and agrees. */
export async function allowOnBluesky(page: Page, { handle, password }: TestAccount): Promise<void> {
  await page.waitForURL('**/oauth/authorize**')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page
    .getByLabel(/username|identifier|handle/i)
    .first()
    .fill(handle)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: /sign in|next/i }).click()
  await page.getByRole('button', { name: /authorize|accept|allow/i }).click()
}

/** The IDs in the URL of a project's page. */
function idsOf(page: Page): { orgId: string; projectId: string } {
  const [, orgId = '', , projectId = ''] = new URL(page.url()).pathname.split('/')
  return { orgId, projectId }
}
