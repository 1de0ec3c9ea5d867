import type { TestAccount } from '#server/testing/pds/startPds.ts'
import { until } from '#server/testing/until.ts'
import { axe, PHONE, shot } from '../browser.ts'
import { reaching, test } from '../harness.ts'
import { startProductWithAi } from '../product.ts'

const posts = [
  'New on the shelf: rye with walnuts.',
  'The first oven goes on at four.',
  'Whoever comes in the rain gets the corner piece.',
]
const drafts = [
  'Four in the morning, first oven on. If you are up as well, knock: the broken crusts go to early risers.',
  'Rain until noon, says the forecast. The corner pieces are counted and waiting.',
  'We weigh the walnuts twice. Once for the dough, once for us.',
  'A loaf keeps three days. Ours has never had the chance to prove it.',
  'The long table has one free end this afternoon. First cup finds it.',
]

/** Creates posts as the account's own app does. */
async function write(origin: string, account: TestAccount, text: string): Promise<void> {
  const collection = 'app.bsky.feed.post'
  const answer = await fetch(`${origin}/xrpc/com.atproto.repo.createRecord`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${account.accessJwt}` },
    body: JSON.stringify({
      repo: account.did,
      collection,
      record: { $type: collection, text, createdAt: new Date().toISOString() },
    }),
  })
  if (!answer.ok) throw new Error(`the post was refused: ${await answer.text()}`)
}

test('ai drafts: written after a channel is connected, on the dashboard to edit and discard', async ({ stage }) => {
  const { ai, bluesky, newPerson } = await stage.apart(startProductWithAi(reaching(stage.bluesky)))
  ai.always({ json: { summary: 'A bakery.', tone: 'Dry', topics: ['Bread'], drafts } })
  const person = await newPerson({ upTo: 'project' })
  const { page } = person
  const account = await bluesky.createAccount('crumb')
  for (const text of posts) await write(bluesky.url, account, text)

  // the wizard has a journey of its own: here its calls are made directly, up to the step for channels
  const call = (method: string, path: string, body: object) =>
    page.evaluate(
      async ([verb, address, json]) => {
        const answer = await fetch(address, {
          method: verb,
          headers: { 'content-type': 'application/json' },
          body: json,
        })
        if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`)
      },
      [method, `/api/${person.ids.orgId}/project/${person.ids.projectId}/${path}`, JSON.stringify(body)] as const,
    )
  await call('PUT', 'onboarding', { step: 'addChannels' })
  await page.goto(person.at('dashboard'))
  await call('POST', 'social/bluesky/connect', {
    handle: account.handle,
    appPassword: account.appPassword,
    service: bluesky.url,
  })
  await call('PUT', 'onboarding', { step: 'done' })
  await page.goto(person.at('dashboard'))

  // they appear on their own once the worker is done
  const list = page.getByRole('region', { name: 'Drafts written by AI' })
  await list.getByText('The long table has one free end').waitFor()
  if ((await list.getByRole('listitem').count()) !== drafts.length) throw new Error('not all drafts are listed')
  await axe(page)
  await shot(page, 'dashboard-ai-drafts')
  await page.setViewportSize(PHONE)
  await shot(page, 'dashboard-ai-drafts-phone', { fullPage: true })
  await axe(page)
  await page.setViewportSize({ width: 1440, height: 900 })

  // by keyboard: discarded, the focus stays there, undone
  const discard = list.getByRole('button', { name: /^Discard, We weigh/ })
  await discard.focus()
  await page.keyboard.press('Enter')
  await list.getByText('We weigh the walnuts').waitFor({ state: 'detached' })
  await until(() => list.evaluate((element) => element === document.activeElement), {
    what: 'the focus to stay in the list',
  })
  await page.getByRole('button', { name: 'Undo' }).click()
  await list.getByText('We weigh the walnuts').waitFor()

  await page.goto(person.at('posts/draft'))
  await page.getByRole('table').getByText('Written by AI').first().waitFor()
  await axe(page)
  await shot(page, 'posts-ai-drafts')

  await page.goto(person.at('dashboard'))
  await list.getByRole('link', { name: /^Edit, The long table/ }).click()
  await page.waitForURL('**/compose**')
  await page.getByText('The long table has one free end').first().waitFor()
})
