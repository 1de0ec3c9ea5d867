import { axe, PHONE, shot } from '../browser.ts'
import { journey } from '../harness.ts'
import { connectBluesky } from '../people.ts'

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
    await page.getByRole('table', { name: 'Channels' }).getByText(account.handle).waitFor()

    // reconnecting keeps the account
    await page.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Reconnect' }).click()
    const again = page.getByRole('dialog', { name: 'Reconnect Bluesky' })
    await axe(page)
    await again.getByLabel('App password').fill(account.appPassword)
    if ((await again.getByLabel('Server').count()) === 0) await again.getByRole('button', { name: 'Other server' }).click()
    await again.getByLabel('Server').fill(bluesky.url)
    await again.getByRole('button', { name: 'Reconnect', exact: true }).click()
    await again.waitFor({ state: 'hidden' })
    await page.getByText(/reconnected/).waitFor()
  }),
]
