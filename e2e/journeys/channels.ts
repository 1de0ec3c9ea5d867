import { z } from 'zod'
import { until } from '#server/testing/until.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { addChannels } from '../channels.ts'
import { test } from '../harness.ts'
import { allowOnBluesky, connectBluesky, useAppPassword } from '../people.ts'
import { schedulePosts } from '../posts.ts'
import { changeReply, refuseOnce } from '../replies.ts'

const ListedChannels = z.looseObject({
  channels: z.array(z.looseObject({ channelId: z.string(), platformName: z.string() })),
})
const LISTS = /\/social(\/all|\?.*)?$/

/** A list of channels with changed rows: all of them, or those of some platforms. */
function changed(reply: unknown, facts: Record<string, unknown>, of: Record<string, object> = {}): unknown {
  const parsed = ListedChannels.safeParse(reply)
  if (!parsed.success) return reply
  const channels = parsed.data.channels.map((one) => ({ ...one, ...facts, ...of[one.platformName] }))
  return { ...parsed.data, channels }
}

test('channels: connect, disable, enable, edit and delete, with the posts that this affects, seen in another window', async ({
  newPerson,
  bluesky,
}) => {
  const person = await newPerson({ upTo: 'channel', account: 'northlight' })
  const { page } = person
  await schedulePosts(person, [{ text: 'A quiet corner', inDays: 1 }])
  await page.goto(person.at('channels'))
  const table = page.getByRole('table', { name: 'Channels' })
  const row = table.getByRole('row').filter({ hasText: 'northlight.test' })
  await row.getByText('Connected', { exact: true }).waitFor()
  await page.getByText('Total Accounts 1').waitFor()
  await axe(page)
  const other = await page.context().newPage()
  await other.goto(person.at('channels'))
  const seen = other.getByRole('row').filter({ hasText: 'northlight.test' })
  await seen.getByText('Connected', { exact: true }).waitFor()
  // a page in the background draws no frames, and every click waits for one
  await page.bringToFront()

  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menu').waitFor()
  await axe(page)
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await page.getByRole('dialog').getByText('Queued and scheduled posts will be paused: 1 post').waitFor()
  await axe(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await row.getByText('Channel Disabled').waitFor()
  await seen.getByText('Channel Disabled').waitFor()
  await row.getByRole('button', { name: /^Enable/ }).click()
  await page.getByRole('dialog').getByText('1 paused post will be published as planned.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click()
  await row.getByText('Connected', { exact: true }).waitFor()
  await seen.getByText('Connected', { exact: true }).waitFor()

  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit channel' })
  await axe(page)
  await edit.getByLabel('Name').fill('Northlight on Bluesky')
  await edit.getByLabel('Lateness limit, in minutes').fill('2')
  await edit.getByRole('button', { name: 'Save' }).click()
  await edit.getByText('Enter a number from 5 to 1440').waitFor()
  await edit.getByLabel('Lateness limit, in minutes').fill('90')
  await edit.getByRole('button', { name: 'Save' }).click()
  await edit.waitFor({ state: 'hidden' })
  await row.getByText('Northlight on Bluesky').waitFor()

  // a second account through the same dialog
  await page.getByRole('button', { name: 'Add Channel' }).click()
  const second = await connectBluesky(page, bluesky, 'secondary')
  await table.getByRole('row').filter({ hasText: second.handle }).waitFor()
  await page.getByText('Total Accounts 2').waitFor()
  await shot(page, 'channels')
  await page.setViewportSize(PHONE)
  await shot(page, 'channels-phone')
  await axe(page)

  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await shot(page, 'channels-delete-phone')
  await page.getByRole('dialog').getByText('1 scheduled post becomes a draft.').waitFor()
  await axe(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete channel' }).click()
  await page.getByText('The deletion request was accepted and may take a minute or two.').waitFor()
  await page.getByText('Channel deleted successfully').waitFor()
  await row.waitFor({ state: 'detached' })
  await page.getByText('Total Accounts 1').waitFor()
  await seen.waitFor({ state: 'detached' })
})

test('channels: an expired token, a full plan, late posts, an expiring sign-in, a deletion, and a view-only role', async ({
  stage,
}) => {
  const person = await stage.newPerson({ upTo: 'channel', account: 'lately' })
  const { page } = person
  await changeReply(page, LISTS, (reply) =>
    changed(reply, {
      status: 'TOKEN_EXPIRED',
      scheduledPosts: 4,
      problem: 'Bluesky no longer accepts this connection.',
    }),
  )
  await page.goto(person.at('dashboard'))
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
  await axe(page)
  await shot(page, 'dashboard-reconnect')
  await page.getByRole('main').getByRole('link', { name: 'Reconnect' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reconnect Bluesky' })
  await dialog.getByText('4 posts are waiting for it.').waitFor()
  await axe(page)
  await shot(page, 'channels-reconnect')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('row').getByText('Token expired').waitFor()
  await shot(page, 'channels-expired')

  await page.route('**/social/create-access', (route) => route.fulfill({ json: { allowed: false, gate: 'channels' } }))
  const add = page.getByRole('button', { name: 'Add Channel' })
  await add.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText('Channel Limit Exceeded').waitFor()
  if (
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Bluesky/ })
      .isEnabled()
  )
    throw new Error('a full plan still offers to connect')
  await axe(page)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await until(async () => await add.evaluate((button) => button === document.activeElement), {
    what: 'the focus to return',
  })

  const of: Record<string, object> = {
    bluesky: {
      scheduledPosts: 4,
      checkedAt: new Date().toISOString(),
      signInEndsAt: new Date(Date.now() + 3.5 * 86_400_000).toISOString(),
    },
    mastodon: { enabled: false, scheduledPosts: 5, latePosts: 2 },
    threads: { deleting: true },
  }
  await page.unrouteAll({ behavior: 'wait' })
  await addChannels(stage, person, [
    { platform: 'mastodon', name: 'late' },
    { platform: 'threads', name: 'deleting' },
  ])
  await changeReply(page, LISTS, (reply) => changed(reply, {}, of))
  await page.goto(person.at('channels'))
  const late = page.getByRole('row').filter({ hasText: 'Northlight late' })
  await late.getByText('2 posts are overdue.').waitFor()
  await late.getByRole('button', { name: /^Enable/ }).click()
  const enabling = page.getByRole('dialog', { name: /^Enable/ })
  await enabling.getByText('3 paused posts will be published as planned.').waitFor()
  await enabling.getByText('2 posts are more than 60 minutes late').waitFor()
  if (!(await enabling.getByLabel('Decide later').isChecked()))
    throw new Error('nothing is published unless a person says so')
  await axe(page)
  await shot(page, 'channels-enable-late')
  await enabling.getByLabel('Make them drafts').check()
  const asked = page.waitForRequest((request) => request.url().endsWith('/enable'))
  await enabling.getByRole('button', { name: 'Enable' }).click()
  if ((await asked).postData() !== JSON.stringify({ late: 'drafts' })) throw new Error('the choice was not sent')
  await enabling.waitFor({ state: 'hidden' })

  const row = page.getByRole('row').filter({ hasText: '@lately.test' })
  await row.getByText('Sign-in expires in 3 days, 4 posts at risk').waitFor()
  await page.getByRole('link', { name: 'Reconnect' }).waitFor()
  const deleting = page.getByRole('row').filter({ hasText: 'Northlight deleting' })
  await deleting.getByText('Deleting', { exact: true }).waitFor()
  if ((await deleting.getByRole('button').count()) > 0)
    throw new Error('something can still be done to a channel that is being deleted')
  await axe(page)
  await shot(page, 'channels-states')
  await row.getByRole('button', { name: /^Reconnect/ }).click()
  await page.getByRole('dialog', { name: 'Reconnect Bluesky' }).waitFor()
  await page.keyboard.press('Escape')
  await page.setViewportSize(PHONE)
  await shot(page, 'channels-states-phone')
  await axe(page)
  await page.setViewportSize(DESKTOP)

  // people whose role allows only a part see why
  delete of['bluesky']
  let allowed = ['view', 'create', 'delete']
  await changeReply(page, '**/roles/me', (reply) => {
    const mine = z.looseObject({ project: z.record(z.string(), z.array(z.string())) }).parse(reply)
    return { ...mine, project: { ...mine.project, channel: allowed } }
  })
  await page.reload()
  await row.getByText('Connected', { exact: true }).waitFor()
  await row.getByRole('button', { name: /^Actions for/ }).click()
  const disable = page.getByRole('menuitem', { name: 'Disable' })
  await disable.waitFor()
  if ((await disable.getAttribute('aria-disabled')) !== 'true') throw new Error('the role may not disable')
  await page.getByRole('menu').getByText("Your role doesn't allow this. Ask a project admin.").waitFor()
  await axe(page)
  await shot(page, 'channels-partly-allowed')
  await disable.press('Enter')
  if ((await page.getByRole('dialog').count()) > 0) throw new Error('a denied action opened its dialog')
  await page.keyboard.press('Escape')
  // and those who can only view have no menu
  allowed = ['view']
  await page.reload()
  await row.getByText('Connected', { exact: true }).waitFor()
  await add.and(page.locator(':disabled, [aria-disabled=true]')).waitFor()
  if ((await row.getByRole('button').count()) > 0) throw new Error('there is a menu of what the role may not do')
  await axe(page)
})

test('channels: a wrong password and a wrong server are explained', async ({ newPerson, bluesky }) => {
  const person = await newPerson()
  const { page } = person
  const account = await bluesky.createAccount('mistaken')
  await page.goto(person.at('channels'))
  await page.getByRole('heading', { name: 'Platform Settings' }).waitFor()
  await axe(page)
  await shot(page, 'channels-empty')
  await page.getByRole('button', { name: 'Add Channel' }).click()
  await page.getByRole('dialog', { name: 'Add Channel' }).getByRole('heading', { name: 'Not set up yet' }).waitFor()
  await page.getByRole('dialog', { name: 'Add Channel' }).locator('button:focus:not([data-close])').waitFor()
  if ((await page.getByText('Simulated').count()) > 0) throw new Error('a simulated account is offered in production')
  await axe(page)
  await shot(page, 'channels-add')
  await page.getByRole('button', { name: 'Connect, Bluesky' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect Bluesky' })
  await useAppPassword(dialog)
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await dialog.getByText('Enter the full handle, such as name.bsky.social').waitFor()
  await dialog.getByText('Enter an app password from your Bluesky settings').waitFor()
  await dialog.getByLabel('Handle').fill(`@${account.handle.toUpperCase()}`)
  await dialog.getByLabel('App password').fill('aaaa-bbbb-cccc-dddd')
  await dialog.getByRole('button', { name: 'Other server' }).click()
  await dialog.getByLabel('Server').fill(bluesky.url)
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await dialog.getByRole('alert').waitFor()
  await axe(page)
  await shot(page, 'channels-refused')
  await page.setViewportSize(PHONE)
  await shot(page, 'channels-refused-phone')
  // a private address in someone's network is never reached
  await dialog.getByLabel('Server').fill('https://169.254.169.254')
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await dialog.getByText("169.254.169.254 isn't a public address.").waitFor()
  await dialog.getByLabel('Server').fill(bluesky.url)
  await dialog.getByLabel('App password').fill(account.appPassword)
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('table', { name: 'Channels' }).getByText(`@${account.handle}`, { exact: true }).waitFor()

  // reconnecting keeps the account; it is offered if the sign-in is gone
  await changeReply(page, LISTS, (reply) => changed(reply, { status: 'TOKEN_EXPIRED' }))
  await page.reload()
  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Reconnect' }).click()
  const again = page.getByRole('dialog', { name: 'Reconnect Bluesky' })
  await useAppPassword(again)
  await axe(page)
  await again.getByLabel('App password').fill(account.appPassword)
  // its server is already known
  if ((await again.getByLabel('Server').inputValue()) !== bluesky.url) throw new Error('the server was not filled in')
  await again.getByRole('button', { name: 'Reconnect', exact: true }).click()
  await again.waitFor({ state: 'hidden' })
  await page.getByText(/reconnected/).waitFor()
})

test('channels: the page number is in the URL', async ({ newPerson }) => {
  const person = await newPerson({ upTo: 'channel', account: 'leafing' })
  const { page } = person
  await page.route(/\/social\?page=2$/, async (route) => {
    const answer = await route.fetch({ url: route.request().url().replace('page=2', 'page=1') })
    const { channels } = ListedChannels.parse(await answer.json())
    await route.fulfill({
      json: {
        channels: channels.map((channel) => ({ ...channel, channelName: 'The twenty-first' })),
        pagination: { currentPage: 2, totalPages: 2, totalCount: 21 },
      },
    })
  })
  await changeReply(page, /\/social\?page=1$/, (reply) => ({
    ...ListedChannels.parse(reply),
    pagination: { currentPage: 1, totalPages: 2, totalCount: 21 },
  }))
  await page.goto(person.at('channels'))
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await pages.getByRole('button', { name: 'Next' }).click()
  await page.getByText('The twenty-first').waitFor()
  if (new URL(page.url()).searchParams.get('page') !== '2') throw new Error(`the page is not in ${page.url()}`)
  await axe(page)
  await page.reload()
  await page.getByText('The twenty-first').waitFor()
  await pages.getByRole('button', { name: 'Back' }).click()
  await page.getByText('The twenty-first').waitFor({ state: 'detached' })
  // a list that can't be loaded says so, and can be loaded again
  await refuseOnce(page, /\/social\?page=1$/, 'INTERNAL')
  await refuseOnce(page, /\/social\?page=1$/, 'INTERNAL')
  await page.reload()
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('row').filter({ hasText: '@leafing.test' }).waitFor()
})

test('channels: connects Bluesky on its own page, and publishes with that sign-in', async ({ newPerson, bluesky }) => {
  const person = await newPerson({ upTo: 'project' })
  const { page } = person
  const account = await bluesky.createAccount('page-signed')
  await page.goto(`${person.at('channels')}?connect=bluesky`)
  const dialog = page.getByRole('dialog', { name: 'Connect Bluesky' })
  await dialog.getByText("You'll give Rookery access on Bluesky's own page, then come back here.").waitFor()
  await axe(page)
  await shot(page, 'channels-connect-bluesky')
  await dialog.getByLabel('Handle or server').fill(bluesky.host)
  await dialog.getByRole('button', { name: 'Continue to Bluesky' }).click()
  await allowOnBluesky(page, account)
  await page.getByText('Channel connected').waitFor()
  const row = page.getByRole('row').filter({ hasText: '@page-signed.test' })
  await row.getByText('Connected', { exact: true }).waitFor()

  const project = `/api${person.at('').replace(/\/$/, '')}`
  const { channels } = ListedChannels.parse(await (await page.request.get(`${project}/social/all`)).json())
  const submitted = await page.request.post(`${project}/post`, {
    data: {
      intent: 'PUBLISH',
      channels: channels.map(({ channelId }) => ({
        channelId,
        postType: 'post',
        contents: [{ text: 'By its own page', media: [] }],
      })),
      schedule: { type: 'NOW' },
    },
  })
  if (!submitted.ok()) throw new Error(await submitted.text())
  await until(async () => (await bluesky.posts(account)).length === 1, { what: 'the post on the server' })
})
