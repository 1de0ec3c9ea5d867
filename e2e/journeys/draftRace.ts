import { expect, type Page } from '@playwright/test'
import { z } from 'zod'
import { until } from '#server/testing/until.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import { signInToBluesky } from '../people.ts'
import { setPlan } from '../plans.ts'
import { callInProject } from '../posts.ts'

const words = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
const mode = (page: Page, name: string) =>
  page.getByRole('group', { name: 'When' }).getByRole('button', { name, exact: true })
const Rows = z.object({ posts: z.array(z.object({ excerpt: z.string() })) })
const excerptsOf = (reply: unknown) => Rows.parse(reply).posts.map(({ excerpt }) => excerpt)

test('drafts: a post that is submitted at any moment leaves no draft; nobody can type during a submit', async ({
  stage,
}) => {
  const person = await stage.newPerson({ upTo: 'channel' })
  const { page } = person
  await setPlan(stage, person, { planId: 'team', status: 'ACTIVE' })
  await page.goto(person.at('calendar'))
  // around the pause after which the text is saved; the saver and the server have each order in their own tests
  const typed = Array.from({ length: 8 }, (_, i) => `Typed ${i * 200} ms before`)
  for (const [i, text] of typed.entries()) {
    await page.getByRole('link', { name: 'Create post' }).first().click()
    await words(page).waitFor()
    await mode(page, 'Schedule').click()
    await words(page).fill(text)
    // the time between the last keystroke and the submit is what varies here
    await page.evaluate((milliseconds) => new Promise((done) => setTimeout(done, milliseconds)), i * 200)
    await words(page).press('ControlOrMeta+Enter')
    await page.waitForURL(/\/calendar/)
  }
  const drafts = excerptsOf(await callInProject(person, 'get', '/post/draft/query'))
  if (drafts.length > 0) throw new Error(`still drafts: ${drafts.join(', ')}`)
  const year = `from=${new Date().toISOString()}&to=${new Date(Date.now() + 300 * 86_400_000).toISOString()}`
  const scheduled = excerptsOf(await callInProject(person, 'get', `/post?${year}`))
  if (JSON.stringify(scheduled.toSorted()) !== JSON.stringify(typed.toSorted()))
    throw new Error(`scheduled: ${scheduled.join(', ')}`)
  await page.goto(person.at('posts/draft'))
  await page.getByText('No drafts').waitFor()

  // nobody can type during a submit, and typing continues after a refusal
  await page.goto(person.at('compose'))
  await mode(page, 'Schedule').click()
  await words(page).fill('Rolls')
  // each submit waits for its response until it is let through
  const answers: ((refused: boolean) => void)[] = []
  await page.route(/\/post$/, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    const refused = await new Promise<boolean>((resolve) => answers.push(resolve))
    if (!refused) return route.continue()
    return route.fulfill({
      status: 422,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        type: 'about:blank',
        title: 'Refused',
        status: 422,
        code: 'TIME_PASSED',
        requestId: 'x',
      }),
    })
  })
  const submit = async () => {
    await words(page).press('ControlOrMeta+Enter')
    const answer = await until(() => answers.shift())
    await page.getByText('Submitting your post…').waitFor()
    await page.keyboard.type(' lost?')
    if ((await words(page).inputValue()).includes('lost')) throw new Error('typed while the post was on its way')
    return answer
  }
  const refuse = await submit()
  await axe(page)
  await shot(page, 'compose-submitting')
  await page.setViewportSize(PHONE)
  await shot(page, 'compose-submitting-phone')
  await page.setViewportSize(DESKTOP)
  refuse(true)
  await page.getByText('Submitting your post…').waitFor({ state: 'detached' })
  await words(page).press('End')
  await page.keyboard.type(' and bread')
  const accept = await submit()
  accept(false)
  await page.waitForURL(/\/calendar\?date=/)
  await page.getByRole('button', { name: 'View', exact: true }).click()
  await page.getByRole('dialog').getByText('Rolls and bread').first().waitFor()
})

test('drafts: a draft that was scheduled in another tab says so, and keeps what is typed here', async ({ stage }) => {
  const person = await stage.newPerson({ upTo: 'channel' })
  const { page } = person
  await page.goto(person.at('compose'))
  await mode(page, 'Schedule').click()
  await words(page).fill('Fresh rolls tomorrow')
  await page.locator('[data-save-state=saved]').waitFor()
  const draftId = await until(() => new URL(page.url()).searchParams.get('draft') ?? undefined)
  const other = await page.context().newPage()
  await other.goto(page.url())
  await until(async () => (await words(other).inputValue()) === 'Fresh rolls tomorrow')

  await page.bringToFront()
  await words(page).press('ControlOrMeta+Enter')
  await page.waitForURL(/\/calendar\?date=/)
  await page.getByRole('button', { name: 'View', exact: true }).click()
  await page.waitForURL(/post=/)
  if (!page.url().includes(draftId)) throw new Error('the post has another id than its draft')

  // shown without a click, thanks to the live stream
  await other.bringToFront()
  await other.getByText('This draft was scheduled.').waitFor()
  await words(other).fill('Fresh rolls tomorrow, with butter')
  await axe(other)
  await shot(other, 'compose-submitted-elsewhere')
  await other.setViewportSize(PHONE)
  await axe(other)
  await shot(other, 'compose-submitted-elsewhere-phone')
  await other.setViewportSize(DESKTOP)
  // also after a reload: the URL points to a post by now
  await other.reload()
  await other.getByText('This draft was scheduled.').waitFor()
  await other.getByText('We saved your last text in this browser.').waitFor()
  await axe(other)
  await shot(other, 'compose-submitted-reload')
  await other.getByRole('button', { name: 'Keep my text as a new draft' }).click()
  await until(async () => (await words(other).inputValue()) === 'Fresh rolls tomorrow, with butter')
  await words(other).press('End')
  await words(other).pressSequentially('!')
  await other.locator('[data-save-state=saved]').waitFor()
  const drafts = excerptsOf(await callInProject(person, 'get', '/post/draft/query'))
  if (JSON.stringify(drafts) !== JSON.stringify(['Fresh rolls tomorrow, with butter!']))
    throw new Error(`drafts: ${drafts.join(', ')}`)
  await other.goto(`${person.at('compose')}?draft=${draftId}`)
  await other.getByRole('link', { name: 'Open post' }).click()
  await other.getByRole('dialog').getByText('Fresh rolls tomorrow').first().waitFor()
})

test('drafts: without a channel people write, connect one, and continue the same draft', async ({ stage }) => {
  const person = await stage.newPerson({ upTo: 'project', opens: 'dashboard' })
  const { page } = person
  const main = page.getByRole('main')
  const inPart = (name: string) => main.getByRole('region', { name, exact: true })
  // connecting is the first step, then writing; nothing shows zeros, or asks for a post that nothing could publish
  await inPart('Connect Social Profile').getByRole('link', { name: 'Connect a channel' }).waitFor()
  await inPart('Checkout these Features').getByRole('link', { name: 'Add a member' }).waitFor()
  expect(await main.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
    'Connect Social Profile',
    'Checkout these Features',
  ])
  await inPart('Connect Social Profile').getByRole('link', { name: 'Write a draft' }).click()
  await page.getByText('No channels found in your account').waitFor()
  await words(page).fill('Before any account')
  await page.locator('[data-save-state=saved]').waitFor()
  await axe(page)
  await shot(page, 'compose-no-channels')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'compose-no-channels-phone')
  await page.setViewportSize(DESKTOP)
  const draftId = await until(() => new URL(page.url()).searchParams.get('draft') ?? undefined)

  await page.getByRole('button', { name: 'Publish now', exact: true }).last().click()
  await page.getByRole('alert').filter({ hasText: 'Connect a channel to publish this post.' }).waitFor()
  expect(excerptsOf(await callInProject(person, 'get', '/post/draft/query'))).toEqual(['Before any account'])
  await page.getByRole('link', { name: 'Connect a channel' }).click()
  await page.getByRole('dialog', { name: 'Add Channel' }).waitFor()
  await page.getByRole('button', { name: 'Connect, Bluesky' }).click()
  await signInToBluesky(page, stage.bluesky, await stage.bluesky.createAccount('afterwards'))

  await page.goto(person.at('posts/draft'))
  await page.getByText('No channel yet').waitFor()
  await page.getByRole('link', { name: 'Before any account' }).click()
  await page.waitForURL(`**/compose?draft=${draftId}`)
  expect(await words(page).inputValue()).toBe('Before any account')
  await page.getByRole('checkbox', { name: /afterwards/ }).check()
  await mode(page, 'Schedule').click()
  await words(page).press('ControlOrMeta+Enter')
  // Drafts no longer has it: it's shown where it is
  await page.waitForURL(/\/calendar\?date=/)
  await page.locator(`[data-post="${draftId}"][data-flash]`).waitFor()
  await page.goto(person.at('posts/draft'))
  await page.getByText('No drafts').waitFor()
})
