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
import { addChannel } from './channels.ts'
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

/**
 * How far someone gets before the journey begins. `channel` is a channel that can do everything except reach Bluesky;
 * `bluesky` one of a real account on the Bluesky server.
 */
const stations = ['signed up', 'confirmed', 'organization', 'project', 'channel', 'bluesky'] as const
export type NewPerson = {
  upTo?: (typeof stations)[number]
  /**
   * The page of the project that is open, such as `labels`. None is otherwise, because most journeys go somewhere first.
   * Someone without a project is at their step of sign-up or the wizard.
   */
  opens?: string
  firstName?: string
  lastName?: string
  orgName?: string
  projectName?: string
  /** The name of the account that is connected. */
  account?: string
  page?: BrowserContextOptions
}

export type Scene = Pick<Product, 'base' | 'dataDir' | 'mailTo'> & {
  bluesky: TestPds
  openPage: (options?: BrowserContextOptions) => Promise<Page>
}

let people = 0

/**
 * Someone who got as far as requested, by default to a project. Who only signed up did so with the calls of the page.
 * Everyone else's account and session are written to the app's database, because solving the human check and waiting for
 * an email would take most of a journey's time; the organization, the project and a real channel come from the same calls
 * as the wizard's pages. The journeys of the pages themselves are `identity`, `onboarding`, `invite` and `slice`.
 */
export async function newPerson(
  scene: Scene,
  {
    upTo = 'project',
    opens,
    firstName = 'Ada',
    lastName = 'Lovelace',
    orgName = 'Northlight Coffee',
    projectName = 'Flagship',
    account,
    page: options,
  }: NewPerson = {},
): Promise<Person> {
  if (upTo === 'signed up') return await signedUp(scene, { firstName, lastName, page: options })
  const person = await withAccount(scene, { firstName, lastName, page: options })
  const { page } = person
  const goal = stations.indexOf(upTo)
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
  const at = (place: string) => `/${orgId}/project/${projectId}/${place}`
  const member = { ...person, ids, at }
  if (goal === 4) await addChannel(scene, member, account)
  if (goal === 5) await addAccount(member, scene.bluesky, account)
  await callAs(page, setOnboardingStep, { params: ids, body: { step: 'done' } })
  if (opens !== undefined) {
    await page.goto(at(opens))
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  }
  return member
}

type Named = { firstName: string; lastName: string; page?: BrowserContextOptions | undefined }

/** Someone who entered everything in the sign-up form, and is asked for the code that was mailed. */
async function signedUp(scene: Scene, { firstName, lastName, page: options }: Named): Promise<Person> {
  const page = await scene.openPage(options)
  const email = nextEmail()
  // the widget's contract is altcha's, not ours: the response is passed through
  const puzzle = (await callAs(page, humanChallenge)) as unknown as Challenge
  await callAs(page, signUp, {
    body: { firstName, lastName, email, password: PASSWORD, token: await tokenFor(puzzle) },
  })
  await page.goto('/')
  await page.waitForURL('**/signup/verify')
  return strangerOn(page, email)
}

/** Someone with a confirmed account of their own, who is signed in on a page that is still empty. */
export async function withAccount(scene: Scene, { firstName, lastName, page: options }: Named): Promise<Person> {
  const page = await scene.openPage(options)
  const email = nextEmail()
  const { cookies } = await inDatabase(scene, (databases) =>
    buildersOn({ databases, clock: systemClock }).person({ firstName, lastName, email }),
  )
  await page
    .context()
    .addCookies(
      [...cookies].map(([name, value]) => ({ name, value, url: scene.base, httpOnly: true, sameSite: 'Lax' })),
    )
  return strangerOn(page, email)
}

const nextEmail = () => `person${++people}-${process.pid}@example.org`

/** Whose project, if any, is only known from the page's URL. */
const strangerOn = (page: Page, email: string): Person => ({
  page,
  email,
  password: PASSWORD,
  at: (place) => `/${idsOf(page).orgId}/project/${idsOf(page).projectId}/${place}`,
  ids: { orgId: '', projectId: '' },
})

/** A new account on the Bluesky server, connected with the dialog's call. */
export async function addAccount(
  { page, ids }: Pick<Person, 'page' | 'ids'>,
  bluesky: TestPds,
  name?: string,
): Promise<TestAccount> {
  const account = await bluesky.createAccount(name)
  await callAs(page, connectBlueskyAccount, {
    params: ids,
    body: { handle: account.handle, appPassword: account.appPassword, service: bluesky.url },
  })
  return account
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
