import type { Page } from '@playwright/test'
import { inviteUsers } from '#contract/invites.ts'
import { createProject, home } from '#contract/organizations.ts'
import { goodAnswer } from '#server/testing/aiStub.ts'
import type { TestAccount, TestPds } from '#server/testing/pds/startPds.ts'
import { until } from '#server/testing/until.ts'
import { callAs } from '../api.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { reaching, test } from '../harness.ts'
import { allowOnBluesky, connectBluesky, fillSignup, newPerson, PASSWORD, type Scene } from '../people.ts'
import { useCredits } from '../plans.ts'
import { codeIn, startProductWithAi, type Product } from '../product.ts'
import { changeReply, refuse, refuseOnce } from '../replies.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
const LATER = 'Check out the dashboard later for AI-generated posts!'

/** Someone at Add Channels. */
async function atChannels(scene: Scene, options: Parameters<typeof newPerson>[1] = {}) {
  const person = await newPerson(scene, { upTo: 'organization', ...options })
  await person.page.getByLabel('Project name').fill('Flagship')
  await person.page.getByRole('button', { name: 'Continue' }).click()
  await heading(person.page, 'Add Channels')
  return person
}

/** Connects an account that has posted before. */
async function connectWithPast(page: Page, bluesky: TestPds, name: string): Promise<TestAccount> {
  return await connectBluesky(page, bluesky, name, async (account) => {
    for (const text of ['The kettle is on.', 'Rain again, the rooks do not mind.', 'Open until six today.'])
      await writePost(bluesky, account, text)
  })
}

async function writePost(bluesky: TestPds, { did, accessJwt }: TestAccount, text: string): Promise<void> {
  const record = { $type: 'app.bsky.feed.post', text, createdAt: new Date().toISOString() }
  const answer = await fetch(`${bluesky.url}/xrpc/com.atproto.repo.createRecord`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessJwt}` },
    body: JSON.stringify({ repo: did, collection: 'app.bsky.feed.post', record }),
  })
  if (!answer.ok) throw new Error(`createRecord: ${answer.status} ${await answer.text()}`)
}

async function logIn(page: Page, email: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

/** Signs up on the page, and confirms the email address. */
async function signUp(page: Page, { mailTo }: Pick<Product, 'mailTo'>, email: string): Promise<void> {
  await page.goto('/signup')
  await fillSignup(page, { firstName: 'Grace', lastName: 'Hopper', email })
  await page.getByRole('button', { name: 'Signup' }).click()
  await page.waitForURL('**/signup/verify')
  await page
    .getByLabel('Verification code')
    .fill(codeIn(await mailTo(email, (text) => codeIn(text) !== undefined)) ?? '')
}

test('onboarding: without a model, to the end, resumed on another device', async ({ stage }) => {
  const { bluesky, openPage, mailsTo } = stage
  const page = await openPage()
  const email = 'whole-way@example.org'
  await signUp(page, stage, email)
  await heading(page, 'Add Organization')
  await axe(page)
  await shot(page, 'onboarding-organization')
  if ((await page.getByLabel('Organization name').inputValue()) !== 'My Workspace')
    throw new Error('the name is not prefilled')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Choose the size of your team').waitFor()
  await page.getByLabel('Company size').selectOption('10,000+')
  await page.getByRole('button', { name: 'Continue' }).click()
  await heading(page, 'Create Project')
  await until(
    () =>
      page.getByRole('heading', { name: 'Create Project' }).evaluate((element) => element === document.activeElement),
    { what: 'the focus to follow the page' },
  )
  await axe(page)
  await shot(page, 'onboarding-project')

  // left here, resumed there
  const other = await openPage({ viewport: PHONE })
  await logIn(other, email)
  await heading(other, 'Create Project')
  await other.getByLabel('Project name').fill('Flagship')
  await other.getByRole('button', { name: 'Continue' }).click()
  await heading(other, 'Add Channels')
  await page.bringToFront()
  await page.reload()
  await heading(page, 'Add Channels')
  for (const name of [
    'Facebook',
    'Instagram',
    'LinkedIn',
    'X',
    'YouTube',
    'Pinterest',
    'TikTok',
    'Threads',
    'Mastodon',
    'Bluesky',
    'Google Business Profile',
  ])
    await page.getByRole('heading', { name: `Connect ${name}`, exact: true }).waitFor()
  await axe(page)
  await shot(page, 'onboarding-channels')

  // back to the project and the organization, which can be corrected; there is still only one project
  await page.getByRole('button', { name: 'Back' }).click()
  await heading(page, 'Create Project')
  await page.getByLabel('Project name').fill('Flagship Berlin')
  await page.getByLabel('Description').fill('Our first café')
  await axe(page)
  await shot(page, 'onboarding-project-again')
  await page.getByRole('button', { name: 'Back' }).click()
  await heading(page, 'Add Organization')
  await page.getByLabel('Organization name').fill('Berlin Workspace')
  await page.getByRole('button', { name: 'Continue' }).click()
  await heading(page, 'Create Project')
  await page.getByLabel('Project name').fill('Flagship Berlin')
  await page.getByLabel('Description').fill('Our first café')
  await page.getByRole('button', { name: 'Continue' }).click()
  await heading(page, 'Add Channels')
  await page.getByRole('button', { name: 'Back' }).click()
  await until(async () => (await page.getByLabel('Description').inputValue()) === 'Our first café', {
    what: 'the description that was kept',
  })
  await page.getByRole('button', { name: 'Continue' }).click()
  await heading(page, 'Add Channels')
  // people already logged in who open /signup or /login aren't asked to do either again
  await page.goto('/signup')
  await page.getByText(email).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await heading(page, 'Add Channels')
  await page.goto('/login')
  await heading(page, 'Add Channels')

  await connectBluesky(page, bluesky, 'resumed')
  // more accounts can follow, so the page stays until someone continues
  await page.getByRole('list', { name: 'Connected accounts' }).getByText('@resumed.test').waitFor()
  await page.getByRole('button', { name: 'Add Account, Bluesky' }).waitFor()
  await axe(page)
  await page.getByRole('button', { name: 'Continue' }).click()
  await heading(page, 'Add Users')
  await page.getByText('Writes posts and sends them for approval.').waitFor()
  await axe(page)
  await shot(page, 'onboarding-users')
  await other.bringToFront()
  await other.reload()
  await heading(other, 'Add Users')
  await axe(other)
  await shot(other, 'onboarding-users-phone', { fullPage: true })

  await page.bringToFront()
  const guest = `guest-${email}`
  await page.getByLabel('Email').fill(guest)
  await page.getByLabel('Role').selectOption('user')
  await page.getByRole('button', { name: 'Invite User' }).click()
  await page.getByText('Users Invited Successfully').waitFor()
  await heading(page, 'Dashboard')
  await until(async () => (await mailsTo(guest)).length > 0, { what: 'the invitation by email' })
  // done: the switch continues from now on, on every device
  await other.bringToFront()
  await other.goto('/onboarding')
  await heading(other, 'Dashboard')
})

test('onboarding: first drafts by AI, from the wizard to the dashboard, and without an answer or credits', async ({
  stage,
}) => {
  const product = await stage.apart(startProductWithAi(reaching(stage.bluesky)))
  const { ai, bluesky } = product
  // the model responds only after the page was checked
  const thought = Promise.withResolvers<{ json: unknown }>()
  ai.always({ held: thought.promise })
  const person = await atChannels(product)
  const { page } = person
  // connected on Bluesky's own page, which leads back to the wizard
  const account = await bluesky.createAccount('drafted')
  for (const text of ['The kettle is on.', 'Rain again, the rooks do not mind.', 'Open until six today.'])
    await writePost(bluesky, account, text)
  await page.getByRole('button', { name: 'Connect, Bluesky' }).click()
  await page.getByLabel('Handle or server').fill(bluesky.host)
  await page.getByRole('button', { name: 'Continue to Bluesky' }).click()
  await allowOnBluesky(page, account)
  await page.getByRole('heading', { name: /^Writing first drafts for/ }).waitFor()
  await axe(page)
  await shot(page, 'onboarding-writing')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'onboarding-writing-phone', { fullPage: true })
  await page.setViewportSize(DESKTOP)
  // a reload keeps waiting
  await page.reload()
  await page.getByRole('heading', { name: /^Writing first drafts for/ }).waitFor()
  thought.resolve({ json: goodAnswer })
  await heading(page, 'Add Users')
  await page.getByText('5 AI-generated drafts are waiting for you on the dashboard').waitFor()
  await page.getByText('We read 3 posts from drafted.test.').waitFor()
  await axe(page)
  await shot(page, 'onboarding-drafts')
  // another account, with nothing to read
  await page.getByRole('button', { name: 'Back' }).click()
  await heading(page, 'Add Channels')
  await connectBluesky(page, bluesky, 'silent')
  await heading(page, 'Add Users')
  await page.getByText('silent.test has no posts to learn from yet.').waitFor()
  await page.getByRole('button', { name: 'Skip', exact: true }).click()
  await heading(page, 'Dashboard')

  const list = page.getByRole('region', { name: 'Drafts written by AI' })
  await list.getByText('Rooks rebuild before they repair.').waitFor()
  if ((await list.getByRole('listitem').count()) !== 5) throw new Error('not all drafts are listed')
  await axe(page)
  await shot(page, 'dashboard-drafts')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'dashboard-drafts-phone', { fullPage: true })
  await page.setViewportSize(DESKTOP)
  // by keyboard: discarded, the focus stays there, undone
  await list.getByRole('button', { name: /^Discard, Rooks rebuild/ }).focus()
  await page.keyboard.press('Enter')
  await list.getByText('Rooks rebuild').waitFor({ state: 'detached' })
  await until(() => list.evaluate((element) => element === document.activeElement), {
    what: 'the focus to stay in the list',
  })
  await page.getByRole('button', { name: 'Undo' }).click()
  await list.getByText('Rooks rebuild').waitFor()
  const [, orgId = '', , projectId = ''] = new URL(page.url()).pathname.split('/')
  await page.goto(`/${orgId}/project/${projectId}/posts/draft`)
  await page.getByRole('table').getByText('Written by AI').first().waitFor()
  await axe(page)
  await shot(page, 'posts-ai-drafts')
  await page.goto(`/${orgId}/project/${projectId}/dashboard`)
  await list.getByRole('link', { name: /^Edit, Ask a rook/ }).click()
  await page.waitForURL('**/compose**')
  await page.getByText('Ask a rook about spring').first().waitFor()

  // a model that never answers, one that isn't waited for, and one that isn't asked without credits
  ai.always({ held: new Promise(() => undefined) })
  const unanswered = await atChannels(product)
  await unanswered.page.clock.install()
  await connectWithPast(unanswered.page, product.bluesky, 'unanswered')
  await unanswered.page.getByRole('heading', { name: /^Writing first drafts for/ }).waitFor()
  // the page asks again after ever longer waits
  await until(
    async () => {
      await unanswered.page.clock.runFor(1_000)
      return (await unanswered.page.getByText(LATER).isVisible()) || undefined
    },
    { what: 'the end of its patience' },
  )
  await heading(unanswered.page, 'Dashboard')
  await unanswered.page.goto('/onboarding')
  await heading(unanswered.page, 'Dashboard')

  const hasty = await atChannels(product)
  await connectWithPast(hasty.page, product.bluesky, 'hasty')
  await hasty.page.getByRole('heading', { name: /^Writing first drafts for/ }).waitFor()
  await hasty.page.getByRole('button', { name: 'Skip', exact: true }).click()
  await heading(hasty.page, 'Add Users')
  await hasty.page.getByText('Writing drafts').waitFor()
  await axe(hasty.page)

  const thirsty = await atChannels(product)
  const { organizations } = await callAs(thirsty.page, home)
  await useCredits(product, { ids: { orgId: organizations[0]?.orgId ?? '', projectId: '' } }, 1000)
  await connectWithPast(thirsty.page, product.bluesky, 'thirsty')
  await heading(thirsty.page, 'Add Users')
  await thirsty.page.getByText('AI Credit Limit Reached').waitFor()
  await thirsty.page.getByText('You can continue without first drafts.').waitFor()
  await axe(thirsty.page)
  await shot(thirsty.page, 'onboarding-credits')
  await thirsty.page.getByRole('button', { name: 'Logout' }).click()
  await heading(thirsty.page, 'Log in')
})

test('onboarding: an individual, by keyboard, on a plan for one', async ({ stage }) => {
  const { page } = await newPerson(stage, { upTo: 'confirmed', firstName: 'Ana-María', lastName: "D'Souza" })
  await page.getByRole('button', { name: 'Individual' }).press('Enter')
  if ((await page.getByLabel('Name', { exact: true }).inputValue()) !== 'Ana-María DSouza')
    throw new Error('the name was not filled in')
  if ((await page.getByLabel('Company size').count()) > 0) throw new Error('an individual is asked for a company size')
  await axe(page)
  await shot(page, 'onboarding-individual')
  const sent = page.waitForRequest((request) => request.url().endsWith('/api/org'))
  await page.getByLabel('Name', { exact: true }).press('Enter')
  // a repeat of this call, as from another tab, doesn't create a second organization
  const expected = { orgType: 'individual', orgName: 'Ana-María DSouza', orgSize: '1', first: true }
  if ((await sent).postData() !== JSON.stringify(expected)) throw new Error(`sent ${(await sent).postData()}`)
  await heading(page, 'Create Project')
  await changeReply(page, '**/plan', (reply) => ({ ...(reply as object), planId: 'individual', maxUsers: 1 })) // a plan as the API returns it
  await page.reload()
  await heading(page, 'Create Project')
  await page.getByRole('button', { name: 'Continue' }).press('Enter')
  await page.getByText('Project Name is Required').waitFor()
  await page.getByLabel('Project name').fill('No/slashes')
  await page.getByText('Invalid Project name').waitFor()
  await page.getByLabel('Project name').fill('Diary')
  await page.getByLabel('Project name').press('Enter')
  await heading(page, 'Add Channels')
  await page.getByRole('button', { name: 'Skip for now' }).press('Enter')
  await heading(page, 'Add Users')
  await page.getByText('Your plan includes one user').waitFor()
  if ((await page.getByLabel('Email').count()) > 0) throw new Error('a plan for one still invites')
  await axe(page)
  await shot(page, 'onboarding-one-seat')
  // a step that can't be completed stays, with the reason
  await refuseOnce(page, '**/onboarding', 'INTERNAL')
  await page.getByRole('button', { name: 'Continue' }).press('Enter')
  await page.getByText('Something went wrong. Please Try again later.').waitFor()
  await page.getByRole('button', { name: 'Continue' }).press('Enter')
  await heading(page, 'Dashboard')
})

test('onboarding: an open invitation comes first', async ({ stage }) => {
  const { openPage, mailTo } = stage
  const host = await newPerson(stage, { orgName: 'Northlight Coffee', projectName: 'Flagship' })
  const invite = async (email: string, projectId: string) =>
    await callAs(host.page, inviteUsers, {
      params: { orgId: host.ids.orgId, projectId },
      body: { invites: [{ email, role: 'editor' }] },
    })
  const come = async (email: string) => {
    const page = await openPage()
    await signUp(page, { mailTo }, email)
    return page
  }
  const first = `invited-${host.email}`
  const { projectId } = await callAs(host.page, createProject, {
    params: { orgId: host.ids.orgId },
    body: { projectName: 'Annex', zone: 'Europe/Berlin' },
  })
  await invite(first, host.ids.projectId)
  await invite(first, projectId)
  const page = await come(first)
  // of two, one is declined
  await page.getByRole('button', { name: 'Decline the invitation to Annex' }).click()
  await page.getByRole('button', { name: 'Decline the invitation to Annex' }).waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: "You're invited to Flagship" }).waitFor()
  await page.getByText('Ada Lovelace invited you to Flagship at Northlight Coffee as Editor.').waitFor()
  await axe(page)
  await shot(page, 'onboarding-invited')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'onboarding-invited-phone')
  // to your own organization, and back
  await page.getByRole('button', { name: 'Set up my own organization' }).click()
  await heading(page, 'Add Organization')
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Accept the invitation to Flagship' }).click()
  await heading(page, 'Dashboard')
  if (!page.url().includes(host.ids.projectId)) throw new Error(`accepted into ${page.url()}`)
  await page.goto('/onboarding')
  await heading(page, 'Dashboard')
})

test('onboarding: a server that fails shows the 500 page, with a way to try again', async ({ newPerson }) => {
  const person = await newPerson()
  const { page } = person
  await refuse(page, /\/api\/home$/, 'INTERNAL')
  await page.goto(person.at('dashboard'))
  await heading(page, '500 Internal Server Error')
  await page.getByText('Oops! Something went wrong. Please try again later').waitFor()
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await heading(page, 'Dashboard')
  await refuse(page, /\/api\/home$/, 'INTERNAL')
  await page.goto('/onboarding')
  await heading(page, '500 Internal Server Error')
  await axe(page)
  await shot(page, 'server-error')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'server-error-phone')
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('link', { name: 'Go to Homepage' }).click()
  await heading(page, 'Dashboard')
})
