import type { Page } from '@playwright/test'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import { inboxRules } from '#contract/platforms/inboxRegistry.ts'
import { demoPerson } from '#server/seed/content.ts'
import { test } from '../harness.ts'
import { startDemo } from '../product.ts'

const answerable = platformKeys.filter((key) =>
  Object.values(inboxRules[key].kinds).some(({ reply }) => reply !== null),
)

test('demo: someone logs in, answers a conversation on every platform and schedules a post', async ({ stage }) => {
  const { openPage } = await stage.apart(startDemo())
  const page = await openPage()
  await page.goto('/login')
  await page.getByLabel('Email').fill(demoPerson.email)
  await page.getByLabel('Password', { exact: true }).fill(demoPerson.password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.waitForURL('**/dashboard')
  const project = page.url().replace('/dashboard', '')

  for (const platform of answerable) await answerOn(page, project, platform)

  await page.goto(`${project}/compose`)
  await page
    .getByRole('checkbox', { name: /Mastodon/ })
    .first()
    .click()
  await page.getByRole('textbox', { name: 'Text' }).fill('The terrace is open again. Until seven, all week.')
  await page.getByRole('button', { name: 'Schedule', exact: true }).first().click()
  await page.getByRole('button', { name: 'Schedule', exact: true }).last().click()
  await page.getByText('Post Scheduled').waitFor()
})

/** Answers the newest open conversation that the platform still lets us answer. */
async function answerOn(page: Page, project: string, platform: PlatformKey): Promise<void> {
  await page.goto(`${project}/inbox?platforms=${encodeURIComponent(JSON.stringify([platform]))}`)
  const links = page.getByRole('list', { name: 'Conversations' }).getByRole('link')
  await links.first().waitFor()
  for (let nth = 0; nth < (await links.count()); nth++) {
    await links.nth(nth).click()
    const open = page.getByRole('article', { name: /^Conversation with/ })
    const box = open.getByRole('textbox', { name: /^Reply to/ })
    const closed = open.getByText(/can't|no longer|only/i)
    await box.or(closed.first()).first().waitFor()
    if (!(await box.isVisible())) continue
    const text = `Thank you from all of us on ${platform}!`
    await box.fill(text)
    await open.getByRole('button', { name: 'Send', exact: true }).click()
    const said = open.getByRole('region', { name: 'Conversation', exact: true })
    await said.getByText(text).waitFor()
    await said.getByText('Sending').waitFor({ state: 'hidden' })
    // a message that was read in the meantime holds the reply back, for a person to look
    const anyway = open.getByRole('button', { name: 'Send anyway' })
    if (await anyway.isVisible()) {
      await anyway.click()
      await anyway.waitFor({ state: 'hidden' })
      await said.getByText('Sending').waitFor({ state: 'hidden' })
    }
    if (await open.getByText('Not sent').isVisible()) throw new Error(`The reply on ${platform} wasn't sent`)
    return
  }
  throw new Error(`No conversation on ${platform} can be answered`)
}
