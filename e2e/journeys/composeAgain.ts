import type { Page } from '@playwright/test'
import { z } from 'zod'
import { errorCatalog, type ErrorCode } from '#contract/errors.ts'
import { until } from '#server/testing/until.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import { callInProject, channelIdsOf, schedulePosts } from '../posts.ts'

const words = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
const says = (page: Page, text: string) =>
  until(async () => ((await words(page).inputValue()) === text ? true : undefined), { what: `the words "${text}"` })
const bar = (page: Page) => page.locator('[data-submit-bar]')
const way = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true })
const other = async (page: Page, name: string) => {
  await bar(page).getByRole('button', { name: 'More options' }).click()
  await page.getByRole('menuitem', { name }).waitFor()
  await axe(page)
  await page.getByRole('menuitem', { name }).click()
}
/** Does something and waits until the server has stored a draft with this text. */
const stores = async (page: Page, written: string, act: () => Promise<unknown>) => {
  const stored = page.waitForResponse(
    (reply) =>
      reply.ok() &&
      reply.request().method() === 'POST' &&
      reply.url().includes('/post/draft/') &&
      (reply.request().postData() ?? '').includes(written),
  )
  await act()
  await stored
}
/** Refuses a call until the returned function is called. */
const refuse = async (page: Page, address: RegExp, code: ErrorCode) => {
  const { status, detail } = errorCatalog[code]
  await page.route(address, (route) =>
    route.fulfill({
      status,
      contentType: 'application/problem+json',
      body: JSON.stringify({ type: `urn:rookery:error:${code}`, title: code, status, detail, code, requestId: 'test' }),
    }),
  )
  return () => page.unroute(address)
}
const Stored = z.object({ version: z.int(), contents: z.array(z.object({ text: z.string() })) })

test('compose again: a draft still goes to the approvers that were chosen for it', async ({ stage }) => {
  const person = await stage.newPerson({ upTo: 'channel', account: 'signedoff' })
  const { page } = person
  const steps = [
    { needs: 'any', approvers: [{ kind: 'external', email: `client-${person.email}`, name: 'Linus Client' }] },
  ]
  await callInProject(person, 'post', '/workflow', { name: 'Client', steps })
  await page.goto(person.at('compose'))
  await stores(page, 'For the client first', () => words(page).fill('For the client first'))
  await stores(page, '"workflowId"', () => page.getByLabel('Workflow').selectOption({ label: 'Client' }))
  await page.reload()
  await page.getByText('Linus Client').waitFor()
  await way(page, 'Send for approval').waitFor()

  // while the workflows are unknown, it isn't sent anywhere: not by the button, not by keys
  const sent: string[] = []
  page.on('request', (request) =>
    request.method() === 'POST' && new URL(request.url()).pathname.endsWith('/post')
      ? sent.push(request.url())
      : undefined,
  )
  const letThrough = await refuse(page, /\/workflow$/, 'RATE_LIMITED')
  await page.reload()
  await bar(page).getByText("We couldn't load the approval workflows.").waitFor()
  await bar(page).getByRole('button', { name: 'Send for approval', exact: true, disabled: true }).waitFor()
  await words(page).press('Control+Enter')
  await axe(page)
  await shot(page, 'compose-again-failed')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'compose-again-failed-phone')
  await page.setViewportSize(DESKTOP)
  await letThrough()
  await bar(page).getByRole('button', { name: 'Try again' }).click()
  await bar(page).getByRole('button', { name: 'Send for approval', exact: true, disabled: false }).waitFor()
  if (sent.length > 0) throw new Error('it was sent while nobody knew how')

  // without an approval, and back: of several workflows the person chooses
  await other(page, 'Send without approval')
  await way(page, 'Publish now').waitFor()
  await other(page, 'Send for approval')
  await until(
    async () =>
      (await page.getByLabel('Workflow').evaluate((field) => field === document.activeElement)) ? true : undefined,
    { what: 'the focus at the workflows' },
  )
  await page.getByLabel('Workflow').selectOption({ label: 'Client' })
  // a draft that was saved can still become a series
  await page.getByRole('group', { name: 'When' }).getByRole('button', { name: 'Schedule' }).click()
  await page.getByRole('switch', { name: 'Repeat' }).waitFor()
  await way(page, 'Send for approval').click()
  await page.getByText('Post sent for approval').waitFor()
})

test('compose again: words of an edit outlive a change elsewhere and a loss of the post', async ({ stage }) => {
  const person = await stage.newPerson({ upTo: 'channel', account: 'outlives' })
  const { page } = person
  const [postId = ''] = await schedulePosts(person, [{ text: 'As it was', inDays: 3 }])
  const read = async () => Stored.parse(await callInProject(person, 'get', `/post/${postId}`))
  await page.goto(person.at(`compose?edit=${postId}`))
  await words(page).fill('Rewritten')
  // someone else moves it in the meantime
  await callInProject(person, 'post', `/post/reschedule/${postId}`, {
    schedule: {
      type: 'ONCE',
      details: { utc: new Date(Date.now() + 5 * 86_400_000).toISOString(), timezone: 'Europe/Berlin' },
    },
  })
  await page.reload()
  await page.getByText('We restored your unsaved changes.').waitFor()
  await says(page, 'Rewritten')
  await axe(page)
  await shot(page, 'compose-again-kept')
  await way(page, 'Save').click()
  const conflict = page.getByRole('dialog', { name: 'This post was changed elsewhere' })
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await page.getByText(/^Post updated successfully/).waitFor()
  if ((await read()).contents[0]?.text !== 'Rewritten') throw new Error('the words were not saved')

  // the stream keeps asking to reload everything
  let resets = 0
  const events = /\/events(?:\?|$)/
  await page.route(events, async (route) => {
    resets += 1
    await route.fulfill({ contentType: 'text/event-stream', body: 'retry: 500\nevent: reset\ndata: {}\n\n' })
  })
  await page.goto(person.at(`compose?edit=${postId}`))
  await says(page, 'Rewritten')
  // the post is deleted while it's being edited: the text stays
  await words(page).fill('Rewritten in vain')
  const letThrough = await refuse(page, new RegExp(`/post/${postId}$`), 'NOT_FOUND')
  const before = resets
  await until(() => (resets > before + 2 ? true : undefined), { what: 'more resets' })
  await says(page, 'Rewritten in vain')
  // opened again there is nothing to edit, but the text can be copied
  await page.unroute(events)
  await page.reload()
  await page.getByText('This post is no longer available').waitFor()
  if ((await page.getByRole('textbox', { name: 'Your last text' }).inputValue()) !== 'Rewritten in vain')
    throw new Error('the words are gone')
  await axe(page)
  await shot(page, 'compose-again-gone')
  await letThrough()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('compose again: a draft counts as saved only once it is; a new one is planned in the zone of its channel', async ({
  stage,
}) => {
  const person = await stage.newPerson({ upTo: 'channel', account: 'tokyo' })
  const { page } = person
  const [channelId = ''] = await channelIdsOf(person)
  await callInProject(person, 'put', `/social/${channelId}`, { channelName: 'Tokyo', zone: 'Asia/Tokyo' })
  await page.goto(person.at('compose'))
  // the only channel of the project is chosen
  await page.getByRole('checkbox', { name: /Tokyo/, checked: true }).waitFor({ state: 'attached' })
  await page.getByRole('group', { name: 'When' }).getByRole('button', { name: 'Schedule' }).click()
  await page.getByRole('button', { name: /^Time zone, Asia\/Tokyo/ }).waitFor()
  await page.getByText('In the time zone of Tokyo.').waitFor()
  await axe(page)
  await shot(page, 'compose-again-zone')
  await stores(page, 'Good morning', () => words(page).fill('Good morning'))

  await page.context().setOffline(true)
  await words(page).fill('Good morning, all')
  await other(page, 'Save as draft')
  await page.getByText("We couldn't save the draft. Your text is kept in this browser.").waitFor()
  await says(page, 'Good morning, all')
  await stores(page, 'Good morning, all', () => page.context().setOffline(false))
  await other(page, 'Save as draft')
  await page.getByText('Draft saved', { exact: true }).waitFor()
  await page.waitForURL(/\/posts\/draft/)
  await page.getByText('Good morning, all').first().waitFor()
})
