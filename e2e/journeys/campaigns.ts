import { axe } from '../axe.ts'
import { PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import { schedulePosts } from '../posts.ts'

test('campaigns: create one, its posts and counts, disable and enable, complete, archive with undo, delete', async ({
  newPerson,
}) => {
  const person = await newPerson({ upTo: 'channel', account: 'campaigner' })
  const { page } = person
  await page.goto(person.at('campaigns'))
  await page.getByText('No campaigns yet').waitFor()
  await axe(page)

  await page.getByRole('button', { name: 'Create campaign' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create campaign' })
  await dialog.getByRole('button', { name: 'Create campaign' }).click()
  await dialog.getByText('A name is required').waitFor()
  await dialog.getByLabel('Name', { exact: true }).fill('Winter roast')
  await dialog.getByLabel('Description').fill('Everything about the cocoa and fig blend')
  await dialog.getByRole('radio', { name: 'Dark blue' }).check()
  await axe(page)
  await shot(page, 'campaign-create')
  await dialog.getByRole('button', { name: 'Create campaign' }).click()
  await page.getByText('Campaign created successfully').waitFor()
  await page.getByRole('heading', { name: 'Winter roast', level: 1 }).waitFor()
  await page.getByText('No posts in this campaign').waitFor()

  const campaignId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await schedulePosts(
    person,
    [
      { text: 'Cocoa, fig, a little smoke', inDays: 2 },
      { text: 'The roast is back', inDays: 3 },
    ],
    { campaignIds: [campaignId] },
  )
  const table = page.getByRole('table', { name: 'Posts in Winter roast' })
  await table.getByText('The roast is back').waitFor()
  await axe(page)
  await shot(page, 'campaign')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'campaign-phone')
  await page.setViewportSize({ width: 1440, height: 900 })

  const act = async (name: string) => {
    await page.getByRole('button', { name: 'Actions for Winter roast' }).first().click()
    await page.getByRole('menuitem', { name }).waitFor()
    await axe(page)
    await page.getByRole('menuitem', { name }).click()
  }
  await act('Disable')
  await page.getByText("Campaign disabled. 2 posts wait until it's enabled.").waitFor()
  await page.getByText("2 posts wait until it's enabled.", { exact: true }).waitFor()
  await shot(page, 'campaign-disabled')
  await act('Enable')
  await page.getByText('Campaign enabled. 2 posts are active again.').waitFor()
  await act('Complete')
  await page.getByText("It can't take new posts.").waitFor()

  // a list of campaigns, and each name only once
  await page.getByRole('main').getByRole('link', { name: 'Campaigns' }).first().click()
  await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor()
  await page.getByRole('table', { name: 'Campaigns' }).getByText('Completed').waitFor()
  await page.getByRole('button', { name: 'Create campaign' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill('winter ROAST')
  await dialog.getByRole('button', { name: 'Create campaign' }).click()
  await dialog.getByRole('alert').first().waitFor()
  await page.keyboard.press('Escape')
  await axe(page)
  await shot(page, 'campaigns')

  await act('Archive')
  await page.getByText('Campaign archived').waitFor()
  await page.getByRole('table', { name: 'Campaigns' }).getByText('Archived').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('table', { name: 'Campaigns' }).getByText('Completed').waitFor()
  // a toast that closes returns the focus, which closes an open menu
  await page.getByText('Campaign archived').waitFor({ state: 'hidden' })
  await act('Archive')
  await page.getByRole('button', { name: /^Archived 1/ }).click()
  await page.waitForURL(/state=archived/)
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'campaigns-phone')
  await act('Delete')
  await page.getByRole('dialog').getByText("Its 2 posts aren't deleted").waitFor()
  await axe(page)
  await page.getByRole('button', { name: 'Delete campaign' }).click()
  await page.getByText('Nothing archived').waitFor()
})
