import sharp from 'sharp'
import { until } from '#server/testing/until.ts'
import { axe } from '../axe.ts'
import { PHONE, shot } from '../browser.ts'
import { reaching, test } from '../harness.ts'
import { addAccount, type Person } from '../people.ts'
import { setPlan, useCredits } from '../plans.ts'
import { startProductWithAi } from '../product.ts'

const long =
  'On Friday the doors stay open until midnight, and there will be music by the river, and the ovens will be on for the whole of the evening as well.'
const short = 'Friday: open until midnight, with music by the river.'

const area = ({ page }: Pick<Person, 'page'>) => page.getByRole('textbox', { name: 'Text', exact: true })
const says = (person: Pick<Person, 'page'>, text: string) =>
  until(async () => ((await area(person).inputValue()) === text ? true : undefined), { what: text })

test('ai help: written, shortened, adapted, hashtags and alt text, each accepted by a person', async ({ stage }) => {
  const product = await stage.apart(startProductWithAi(reaching(stage.bluesky)))
  const { ai, bluesky, newPerson } = product
  const person = await newPerson()
  const { page } = person
  for (const name of ['baker', 'miller']) await addAccount(person, bluesky, name)
  await page.goto(person.at('compose'))
  await page.getByRole('checkbox', { name: /baker/ }).check()

  // by keyboard: the button, the request, the suggestion, the text
  await page.getByRole('button', { name: 'AI help' }).focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('region', { name: 'AI help' })
  await until(
    async () =>
      (await panel.getByRole('textbox').evaluate((field) => field === document.activeElement)) ? true : undefined,
    { what: 'the focus in the panel' },
  )
  await axe(page)
  ai.next({ json: { text: long } })
  await page.keyboard.type('Open late on Friday')
  await page.keyboard.press('Enter')
  await panel.getByText(long, { exact: true }).waitFor()
  await panel.getByText(/AI credits left this month/).waitFor()
  await axe(page)
  await shot(page, 'ai-help')
  await panel.getByRole('button', { name: 'Use it' }).focus()
  await page.keyboard.press('Enter')
  await panel.waitFor({ state: 'detached' })
  await says(person, long)
  await until(
    async () => ((await area(person).evaluate((field) => field === document.activeElement)) ? true : undefined),
    { what: 'the focus in the text' },
  )

  await page.getByRole('button', { name: 'AI help' }).click()
  ai.next({ json: { text: short } })
  await panel.getByRole('button', { name: 'Shorten' }).click()
  await panel.getByRole('button', { name: 'Replace the text' }).click()
  await says(person, short)
  await page.getByRole('button', { name: 'Undo' }).click()
  await says(person, long)

  // a failure is shown unobtrusively, and another try is one press away
  await page.getByRole('button', { name: 'AI help' }).click()
  ai.next({ status: 503 })
  await panel.getByRole('button', { name: 'Shorten' }).click()
  await panel.getByText("We can't reach the AI service right now.", { exact: false }).waitFor()
  await panel.getByText('No credits were used.', { exact: false }).waitFor()
  if ((await page.getByText("We couldn't generate the text.").count()) > 0)
    throw new Error('the failure was shown globally')
  await axe(page)
  await shot(page, 'ai-help-nothing')
  ai.next({ json: { text: short } })
  await panel.getByRole('button', { name: 'Try again' }).click()
  await panel.getByRole('button', { name: 'Replace the text' }).click()
  await says(person, short)

  await page.getByRole('button', { name: 'AI help' }).click()
  ai.next({ json: { hashtags: ['bread', 'river', 'friday'] } })
  await panel.getByRole('button', { name: 'Suggest hashtags' }).click()
  await panel.getByRole('button', { name: '#river' }).click()
  await axe(page)
  await shot(page, 'ai-help-hashtags')
  await panel.getByRole('button', { name: 'Insert 2' }).click()
  await says(person, `${short} #bread #friday`)

  // two channels: each gets its own text, channels of one platform the same
  await page.getByRole('checkbox', { name: /miller/ }).check()
  await page.getByRole('button', { name: 'AI help' }).click()
  ai.next({ json: { texts: [{ for: 'Bluesky, Post', text: 'Friday night, with bread.' }] } })
  await panel.getByRole('button', { name: 'Adapt to each channel' }).click()
  await panel.getByText('Friday night, with bread.', { exact: true }).waitFor()
  await axe(page)
  await shot(page, 'ai-help-adapt')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'ai-help-phone')
  await page.setViewportSize({ width: 1440, height: 900 })
  await panel.getByRole('button', { name: 'Use for these channels' }).click()
  await page.getByRole('tab', { name: /baker.*has its own version/ }).click()
  await says(person, 'Friday night, with bread.')

  await page.locator('[data-pick-files]').setInputFiles([
    {
      name: 'oven.png',
      mimeType: 'image/png',
      buffer: await sharp({ create: { width: 300, height: 200, channels: 3, background: 'orange' } })
        .png()
        .toBuffer(),
    },
  ])
  ai.next({ json: { text: 'An orange wall of bricks' } })
  await page.getByRole('button', { name: 'Describe with AI: image 1' }).click()
  await page.getByText('An orange wall of bricks', { exact: true }).waitFor()
  await axe(page)
  await shot(page, 'ai-help-picture')
  await page.getByRole('button', { name: 'Use it' }).click()
  await until(
    async () =>
      (await page.getByRole('textbox', { name: /^Alt text/ }).inputValue()) === 'An orange wall of bricks'
        ? true
        : undefined,
    { what: 'the words for the picture' },
  )

  await page.getByRole('button', { name: 'Publish now', exact: true }).last().click()
  await page.waitForURL(/\/calendar\?date=/)
  await page.getByRole('button', { name: 'View', exact: true }).click()
  // the draft became this post: its history records each time that AI helped
  const history = page.getByRole('dialog', { name: 'Post' })
  for (const words of [/AI wrote the text/, /shortened the text/, /described a picture/])
    await history.getByText(words).first().waitFor()

  // without credits one line says so, and offers a larger plan if there is one
  const ask = async (planId: 'free' | 'team', used: number) => {
    await setPlan(product, person, { planId, status: 'ACTIVE' })
    await useCredits(product, person, used)
    await page.goto(person.at('compose'))
    await page.getByRole('button', { name: 'AI help' }).click()
    await panel.getByLabel('What should the post say?').fill('Rye bread')
    await panel.getByRole('button', { name: 'Write', exact: true }).click()
    await panel.getByText('AI Credit Limit Reached').waitFor()
    await panel.getByText(/You'll get new ones next month\./).waitFor()
  }
  await ask('team', 1000)
  await panel.getByRole('link').waitFor({ state: 'detached' })
  await ask('free', 20)
  await axe(page)
  await shot(page, 'gate-ai-credits')
  await panel.getByRole('link', { name: 'Upgrade', exact: true }).click()
  await page.getByRole('tab', { name: 'Billing & Invoice', selected: true }).waitFor()
})
