import { expect } from '@playwright/test'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import { addInboxChannel, ago, write } from '../inbox.ts'

test('inbox: a search shows where it found something, and opens it there', async ({ stage }) => {
  const person = await stage.newPerson()
  const { page } = person
  const channelId = await addInboxChannel(stage, person, 'instagram', 'Northlight Coffee')
  const say = async (text: string, minutes: number, threadKey?: string) =>
    await write(stage, person, {
      channelId,
      conversation: 'message',
      from: 'maya',
      text,
      at: ago({ minutes }),
      ...(threadKey !== undefined && { threadKey }),
    })
  const { threadKey } = await say('Hello from the corner', 300)
  await say('My order is here: https://shop.example.com/orders/crème-4711 and the box is torn', 299, threadKey)
  for (let i = 0; i < 130; i += 1) await say(`Message ${i + 1}`, 298 - i * 2, threadKey)

  await page.goto(person.at('inbox'))
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('creme torn')
  const row = page.getByRole('list', { name: 'Conversations' }).getByRole('listitem').filter({ hasText: 'Maya' })
  await expect(row.locator('mark')).toHaveText(['crème', 'torn'])
  await axe(page)
  await row.getByRole('link').click()
  const open = page.getByRole('article', { name: 'Conversation with Maya' })
  const said = open.getByRole('region', { name: 'Conversation', exact: true })
  const found = said.getByRole('listitem').filter({ hasText: 'Found: ' })
  await expect(found).toBeInViewport()
  await expect(found.locator('mark')).toHaveText(['crème', 'torn'])
  const link = found.getByRole('link').first()
  await expect(link).toHaveAttribute('href', 'https://shop.example.com/orders/cr%C3%A8me-4711')
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  await expect(said.getByText('Message 130')).toHaveCount(0)
  await expect(said.getByText('Hello from the corner')).toBeVisible()
  await axe(page)
  await shot(page, 'inbox-found')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'inbox-found-phone')
  await page.setViewportSize(DESKTOP)

  // on from there, without a jump, and to the end
  await said.getByRole('button', { name: 'Show later' }).click()
  await said.getByText('Message 70', { exact: true }).waitFor()
  await said.getByRole('button', { name: 'Show later' }).click()
  await said.getByText('Message 120', { exact: true }).waitFor()
  await page.reload()
  await expect(found).toBeInViewport()
  await said.getByRole('button', { name: 'Go to the latest' }).click()
  await expect(said.getByText('Message 130', { exact: true })).toBeInViewport()
  await expect(found).toHaveCount(0)
})
