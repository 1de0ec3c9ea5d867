import { z } from 'zod'
import { until } from '#server/testing/until.ts'
import { axe, PHONE, shot } from '../browser.ts'
import { journey } from '../harness.ts'
import { connectBluesky } from '../people.ts'
import { changeReply } from '../replies.ts'

const ListedChannels = z.looseObject({ channels: z.array(z.looseObject({ channelId: z.string() })) })

export const journeys = [
  journey('channels: connect in the wizard, see it, disable, enable, edit, delete', async ({ newPerson, bluesky }) => {
    const person = await newPerson({ upTo: 'channel', account: 'northlight' })
    const { page } = person
    await page.getByRole('heading', { name: 'Connected Accounts' }).waitFor()
    await axe(page)
    await shot(page, 'dashboard-new')

    await page.goto(person.at('channels'))
    const table = page.getByRole('table', { name: 'Channels' })
    const row = table.getByRole('row').filter({ hasText: 'northlight.test' })
    await row.getByText('Connected', { exact: true }).waitFor()
    await page.getByText('Total Accounts 1').waitFor()
    await axe(page)

    await row.getByRole('button', { name: /^Actions for/ }).click()
    await axe(page)
    await page.getByRole('menuitem', { name: 'Disable' }).click()
    await page.getByRole('dialog').getByText('Queued and scheduled posts will be paused').waitFor()
    await axe(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await row.getByText('Channel Disabled').waitFor()
    await row.getByRole('button', { name: /^Enable/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click()
    await row.getByText('Connected', { exact: true }).waitFor()

    await row.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit channel' })
    await axe(page)
    await edit.getByLabel('Name').fill('Northlight on Bluesky')
    await edit.getByLabel('Lateness limit, in minutes').fill('2')
    await edit.getByRole('button', { name: 'Save' }).click()
    await edit.getByText('Choose between 5 and 1440 minutes').waitFor()
    await edit.getByLabel('Lateness limit, in minutes').fill('90')
    await edit.getByRole('button', { name: 'Save' }).click()
    await edit.waitFor({ state: 'hidden' })
    await row.getByText('Northlight on Bluesky').waitFor()

    // a second account by the same dialog
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
    await page.getByRole('dialog').getByText('No posts are scheduled to it.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete channel' }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByText('Total Accounts 1').waitFor()
  }),

  journey('channels: what is scheduled is counted, and another window sees every change', async ({ newPerson }) => {
    const person = await newPerson({ upTo: 'channel', account: 'counted' })
    const { page } = person
    const project = `/api${person.at('').replace(/\/$/, '')}`
    const { channels } = ListedChannels.parse(await (await page.request.get(`${project}/social/all`)).json())
    const submitted = await page.request.post(`${project}/post`, {
      data: {
        intent: 'SCHEDULE',
        channels: channels.map(({ channelId }) => ({ channelId, postType: 'post', contents: [{ text: 'A quiet corner', media: [] }] })),
        schedule: { type: 'ONCE', details: { utc: new Date(Date.now() + 86_400_000).toISOString(), timezone: 'Europe/Berlin' } },
      },
    })
    if (!submitted.ok()) throw new Error(await submitted.text())

    await page.goto(person.at('channels'))
    const other = await page.context().newPage()
    await other.goto(person.at('channels'))
    const seen = other.getByRole('row').filter({ hasText: '@counted.test' })
    await seen.getByText('Connected', { exact: true }).waitFor()
    // a page in the background draws no frames, which every click waits for
    await page.bringToFront()

    const row = page.getByRole('row').filter({ hasText: '@counted.test' })
    await row.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Disable' }).click()
    await page.getByRole('dialog').getByText('Queued and scheduled posts will be paused: 1 post').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await seen.getByText('Channel Disabled').waitFor()
    await row.getByRole('button', { name: /^Enable/ }).click()
    await page.getByRole('dialog').getByText('1 paused post of this channel goes on as planned.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Enable' }).click()
    await seen.getByText('Connected', { exact: true }).waitFor()

    await page.goto(person.at('dashboard'))
    await page.getByRole('link', { name: /A quiet corner/ }).waitFor()
    await axe(page)
    await page.goto(person.at('channels'))
    await row.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByText('1 scheduled post becomes a draft.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete channel' }).click()
    await other.getByText('No channels yet').waitFor()
  }),

  journey('channels: a dead token, a full plan, and the keyboard', async ({ newPerson }) => {
    const person = await newPerson({ upTo: 'channel', account: 'expired' })
    const { page } = person
    await changeReply(page, /\/social(\/all|\?.*)?$/, (reply) => {
      const parsed = ListedChannels.safeParse(reply)
      return parsed.success ? { ...parsed.data, channels: parsed.data.channels.map((channel) => ({ ...channel, status: 'TOKEN_EXPIRED', scheduledPosts: 4, problem: 'Bluesky no longer accepts this connection.' })) } : reply
    })
    await page.goto(person.at('dashboard'))
    await page.getByRole('heading', { name: 'Needs you' }).waitFor()
    await axe(page)
    await shot(page, 'dashboard-reconnect')
    await page.getByRole('main').getByRole('link', { name: 'Reconnect' }).click()
    const dialog = page.getByRole('dialog', { name: 'Reconnect Bluesky' })
    await dialog.getByText('4 posts wait for it.').waitFor()
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
    if (await page.getByRole('dialog').getByRole('button', { name: /Bluesky/ }).isEnabled()) throw new Error('a full plan still offers to connect')
    await axe(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await until(async () => (await add.evaluate((button) => button === document.activeElement)), { what: 'the focus to return' })
  }),

  journey('channels: a wrong password and a wrong server are told in words', async ({ newPerson, bluesky }) => {
    const person = await newPerson()
    const { page } = person
    const account = await bluesky.createAccount('mistaken')
    await page.goto(person.at('channels'))
    await page.getByRole('heading', { name: 'Platform Settings' }).waitFor()
    await axe(page)
    await shot(page, 'channels-empty')
    await page.getByRole('button', { name: 'Add Channel' }).click()
    await page.getByRole('dialog', { name: 'Add Channel' }).getByText('Not set up yet').waitFor()
    await axe(page)
    await shot(page, 'channels-add')
    await page.getByRole('button', { name: 'Connect, Bluesky' }).click()
    const dialog = page.getByRole('dialog', { name: 'Connect Bluesky' })
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
    await dialog.getByText('Enter the full handle, such as name.bsky.social').waitFor()
    await dialog.getByText('Enter an app password from the settings of Bluesky').waitFor()
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
    // a private address of somebody's network is never reached
    await dialog.getByLabel('Server').fill('https://169.254.169.254')
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
    await dialog.getByText('169.254.169.254 is not a public address.').waitFor()
    await dialog.getByLabel('Server').fill(bluesky.url)
    await dialog.getByLabel('App password').fill(account.appPassword)
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
    await dialog.waitFor({ state: 'hidden' })
    await page.getByRole('table', { name: 'Channels' }).getByText(`@${account.handle}`, { exact: true }).waitFor()

    // reconnecting keeps the account
    await page.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Reconnect' }).click()
    const again = page.getByRole('dialog', { name: 'Reconnect Bluesky' })
    await axe(page)
    await again.getByLabel('App password').fill(account.appPassword)
    // its server is known already
    if ((await again.getByLabel('Server').inputValue()) !== bluesky.url) throw new Error('the server was not filled in')
    await again.getByRole('button', { name: 'Reconnect', exact: true }).click()
    await again.waitFor({ state: 'hidden' })
    await page.getByText(/reconnected/).waitFor()
  }),
]
