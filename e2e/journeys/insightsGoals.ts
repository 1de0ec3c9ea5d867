import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { addChannels } from '../channels.ts'
import { inDatabase } from '../database.ts'
import { addFigures } from '../figures.ts'
import { test } from '../harness.ts'

test('insights goals: set, followed, changed and deleted', async ({ stage }) => {
  // the zone of all figures here, so that project and figures agree on the day
  const person = await stage.newPerson({ page: { timezoneId: 'UTC' } })
  const { page } = person
  const [bluesky = '', instagram = ''] = await addChannels(stage, person, [
    { platform: 'bluesky', name: 'Beans' },
    { platform: 'instagram', name: 'Coffee' },
  ])
  await addFigures(stage, person, [
    { channelId: bluesky, followers: 840, post: () => ({ reactions: 14 }) },
    { channelId: instagram, followers: 12_400, post: () => ({ views: 900, reactions: 90 }) },
  ])
  await page.goto(person.at('insights/insights'))
  const panel = page.getByRole('region', { name: 'Goals' })
  await panel.getByText('No goals yet').waitFor()
  await panel.getByRole('button', { name: 'Add goal' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add goal' })
  // what is missing is said at its field, and gets the focus
  await dialog.getByRole('button', { name: 'Add goal' }).click()
  await dialog.getByText('Enter a name').waitFor()
  await dialog.getByText('Enter a whole number').waitFor()
  await axe(page)
  await dialog.getByRole('textbox', { name: 'Name' }).fill('A full house')
  await dialog.getByRole('spinbutton', { name: 'Target' }).fill('15000')
  await shot(page, 'insights-goal-dialog')
  await page.keyboard.press('Enter')
  const row = panel.getByRole('listitem').filter({ hasText: 'A full house' })
  await row.getByText('A full house').waitFor()
  await row.getByText(/^Followers until \d\d \w{3} \d{4}$/).waitFor()

  // by keyboard: of one platform, and a figure of past days
  await row.getByRole('button', { name: 'Actions for A full house' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
  await axe(page)
  await page.keyboard.press('Enter')
  const edit = page.getByRole('dialog', { name: 'Edit goal' })
  await edit.getByRole('combobox', { name: 'Figure' }).selectOption('Views and impressions')
  await edit.getByRole('combobox', { name: 'Platform' }).selectOption('Instagram')
  await axe(page)
  await edit.getByRole('button', { name: 'Save' }).click()
  await row.getByText(/^Views of Instagram until /).waitFor()
  // one of past days has its value and its pace
  await inDatabase(stage, ({ system }) =>
    system.query(
      `insert into insight_goal (org_id, id, project_id, name, figure, target, from_day, to_day, created_at)
       values ($1, gen_random_uuid(), $2, 'Seen', 'viewsAndImpressions', 60000, current_date - 20, current_date + 9, now())`,
      [person.ids.orgId, person.ids.projectId],
    ),
  )
  await page.reload()
  const seen = panel.getByRole('listitem').filter({ hasText: 'Seen' })
  await seen.getByRole('progressbar', { name: /^[\d,]+ of 60,000$/ }).waitFor()
  await seen
    .getByText(/^Final up to .* An even pace would have [\d,]+ by then\. At the pace so far, it's [\d,]+ on /)
    .waitFor()
  await shot(page, 'insights-goals', { fullPage: true })
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'insights-goals-phone', { fullPage: true })
  await page.setViewportSize(DESKTOP)

  await row.getByRole('button', { name: 'Actions for A full house' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('A full house is deleted for everyone.', { exact: false }).waitFor()
  await axe(page)
  await page.getByRole('button', { name: 'Delete goal' }).click()
  await row.waitFor({ state: 'detached' })
})
