import { z } from 'zod'
import { axe, DESKTOP, PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import { newColleague } from '../team.ts'

test('organization settings: general information, its Update button, a limit for inbox costs, and a deletion dialog that refuses pasting', async ({
  newPerson,
}) => {
  const { page, at } = await newPerson()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Organization' }).click()
  await page.getByRole('heading', { name: 'Organization settings', level: 1 }).waitFor()
  await page.getByRole('tab', { name: 'General Information', selected: true }).waitFor()
  const update = page.getByRole('button', { name: 'Update' })
  await page.getByLabel('Organization name').waitFor()
  if (await update.isEnabled()) throw new Error('Update is enabled though nothing changed')
  await page.getByLabel('Organization name').fill('Northlight Roasters')
  await update.click()
  await page.getByText('Organization Details updated successfully').waitFor()
  await page.getByRole('button', { name: 'Update', disabled: true }).waitFor()
  await page.getByRole('button', { name: 'Individual', exact: true }).click()
  if ((await page.getByLabel('Company size').count()) > 0) throw new Error('an Individual is asked for a size')
  await page.getByRole('button', { name: 'Organization', exact: true }).click()
  const limit = page.getByLabel('Monthly limit for X in US dollars')
  await limit.fill('0.5')
  await page.getByRole('button', { name: 'Save limit' }).click()
  await page.getByText('Enter at least $1').waitFor()
  await limit.fill('20')
  await limit.press('Enter')
  await page.getByText('$0.00 of $20.00 spent this month.').waitFor()
  await axe(page)
  await shot(page, 'org-settings-general')

  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Northlight Roasters?' })
  const field = dialog.getByLabel(/Type Northlight Roasters/)
  const confirm = dialog.getByRole('button', { name: 'Delete organization' })
  const isBlocked = await field.evaluate(
    (input) => !input.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true })),
  )
  if (!isBlocked) throw new Error('the name can be pasted')
  await field.fill('northlight roasters')
  if (await confirm.isEnabled()) throw new Error('another name than the exact one is taken')
  await field.fill('Northlight Roasters')
  if (await confirm.isDisabled()) throw new Error('the exact name is not taken')
  await axe(page)
  await shot(page, 'org-settings-delete')
  await page.keyboard.press('Escape')

  await page.setViewportSize(PHONE)
  await page.goto(at('org-settings'))
  await page.getByRole('heading', { name: 'General Information', level: 1 }).waitFor()
  await page.getByLabel('Organization name').waitFor()
  if ((await page.getByRole('tab').count()) > 0) throw new Error('a phone has a bar of tabs')
  await axe(page)
  await shot(page, 'org-settings-general-phone')
})

test('organization settings: channels of every project, projects renamed in place, users, and what is deleted', async ({
  stage,
}) => {
  const admin = await stage.newPerson({ upTo: 'channel', account: 'settings-one' })
  const { page, at } = admin
  const colleague = await newColleague(stage, admin, { role: 'editor' })
  await page.goto(at('org-settings?tab=channels'))
  const channel = page.getByRole('row').filter({ hasText: 'settings-one' })
  await channel.getByText('Active', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Platform setup' }).waitFor()
  for (const name of ['Account', 'Platform', 'Project', 'Connected on', 'Status', 'Action'])
    await page.getByRole('columnheader', { name, exact: true }).waitFor()
  await axe(page)
  await shot(page, 'org-settings-channels')

  await page.getByRole('tab', { name: 'Projects' }).click()
  for (const name of ['Name', 'Users', 'Connected Channels', 'Created On', 'Action'])
    await page.getByRole('columnheader', { name, exact: true }).waitFor()
  await page.getByRole('button', { name: 'Rename Flagship' }).click()
  const name = page.getByLabel('Name of Flagship')
  await name.fill('x!')
  await name.press('Enter')
  await page.getByText('Invalid Project name').waitFor()
  await axe(page)
  await shot(page, 'org-settings-rename')
  await name.fill('Roastery')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Project updated successfully').waitFor()
  await page.getByRole('button', { name: 'Rename Roastery' }).click()
  await page.getByLabel('Name of Roastery').press('Enter')
  await page.getByRole('button', { name: 'Rename Roastery' }).waitFor()
  await shot(page, 'org-settings-projects')

  // another project, with its own name; it opens once it exists
  await page.getByRole('button', { name: 'New project' }).click()
  const made = page.getByRole('dialog', { name: 'New project' })
  await made.getByLabel('Project name').fill('ROASTERY')
  await axe(page)
  await shot(page, 'new-project')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'new-project-phone')
  await page.setViewportSize(DESKTOP)
  await made.getByRole('button', { name: 'Create project' }).click()
  await made.getByText('A project with this name already exists.').waitFor()
  await made.getByLabel('Project name').fill('Second')
  await made.getByRole('button', { name: 'Create project' }).click()
  await page.getByText('Project created').waitFor()
  await page.getByRole('button', { name: /^Switch project\. Current project: Second/ }).waitFor()
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  await page.goto(at('org-settings?tab=projects'))
  await page.getByRole('button', { name: 'Actions for Second' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete project' }).click()
  await page.getByText('Project deleted successfully').waitFor()
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  await page.goto(at('org-settings?tab=projects'))
  await page.getByRole('row').filter({ hasText: 'Roastery' }).waitFor()

  // a member who is no longer in any project
  const { user } = z
    .object({ user: z.object({ userId: z.string() }) })
    .parse(await (await colleague.page.request.get('/api/home')).json())
  const removed = await page.request.delete(`/api${at(`user/${user.userId}`)}`)
  if (!removed.ok()) throw new Error(await removed.text())
  await page.getByRole('tab', { name: 'Users' }).click()
  for (const name of ['Name', 'Project', 'Added On', 'Channel Access', 'Action'])
    await page.getByRole('columnheader', { name, exact: true }).waitFor()
  await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).click()
  await page.getByRole('menuitem', { name: /^Delete/, disabled: true }).waitFor()
  await page.keyboard.press('Escape')
  await axe(page)
  await shot(page, 'org-settings-users')
  await page.getByRole('button', { name: 'Actions for Grace Hopper' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('Grace Hopper loses access to the organization immediately').waitFor()
  await page.getByRole('button', { name: 'Remove from organization' }).click()
  await page.getByText('User deleted from org successfully').waitFor()
  await page.getByRole('row').filter({ hasText: 'Grace Hopper' }).waitFor({ state: 'detached' })

  await page.setViewportSize(PHONE)
  await page.goto(at('org-settings?tab=projects'))
  await page.getByRole('row').filter({ hasText: 'Roastery' }).waitFor()
  await axe(page)
  await shot(page, 'org-settings-projects-phone')
  for (const tab of ['channels', 'users'] as const) {
    await page.goto(at(`org-settings?tab=${tab}`))
    await page.getByRole('table').waitFor()
    await axe(page)
    await shot(page, `org-settings-${tab}-phone`)
  }
  // the list of projects hides if it can't be loaded; the other sections stay available
  await page.route(/\/projects(\?|$)/, (route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        type: 'about:blank',
        title: 'INTERNAL',
        status: 500,
        code: 'INTERNAL',
        requestId: 'test',
      }),
    }),
  )
  const refused = page.waitForResponse(
    (response) => /\/projects(\?|$)/.test(response.url()) && response.status() === 500,
  )
  await page.goto(at('org-settings?tab=projects'))
  await refused
  // on phones a list above the content replaces the tabs
  const parts = page.getByRole('combobox', { name: 'Organization settings' })
  await parts.selectOption('Users')
  await page.waitForURL('**/org-settings?tab=users')
  await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
  await parts.selectOption('Projects')
  await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()
  // there is one more confirmation before that
  await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
  if ((await page.getByRole('table').count()) + (await page.getByRole('main').getByRole('alert').count()) > 0)
    throw new Error('the list of projects does not hide')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.setViewportSize(DESKTOP)

  await page.goto(at('org-settings?tab=channels'))
  await page.getByRole('button', { name: 'Delete settings-one' }).click()
  await page.getByRole('button', { name: 'Delete channel' }).click()
  await page.getByText('Channel deleted successfully').waitFor()
  await page.getByText('No channels found in your account').waitFor()
  await page.getByText('Add a channel to your account to get started').waitFor()
  await axe(page)

  // the last project is deleted, and only the wizard is left
  await page.getByRole('tab', { name: 'Projects' }).click()
  await page.getByRole('button', { name: 'Actions for Roastery' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete project' }).click()
  await page.getByText('Project deleted successfully').waitFor()
  await page.waitForURL('**/onboarding')
})

test("organization settings: members who aren't organization admins see access denied", async ({ stage }) => {
  const admin = await stage.newPerson()
  const { page } = await newColleague(stage, admin, { role: 'admin' })
  if ((await page.getByRole('link', { name: 'Organization', exact: true }).count()) > 0)
    throw new Error('the rail leads where nobody gets in')
  await page.goto(admin.at('org-settings?tab=billing'))
  await page.waitForURL('**/access-denied?of=organization')
})

test('organization settings: the organization is deleted by its typed name, and its settings are left', async ({
  newPerson,
}) => {
  const { page, at } = await newPerson({ orgName: 'Short Lived' })
  await page.goto(at('org-settings'))
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Short Lived?' })
  await dialog.getByLabel(/Type Short Lived/).fill('Short Lived')
  await dialog.getByRole('button', { name: 'Delete organization' }).click()
  await page.getByText('Organization deleted successfully').waitFor()
  // nothing else is left: it can be kept or viewed once more, or a new one created
  await page.waitForURL('**/onboarding')
  await page.getByText(/Short Lived will be deleted on/).waitFor()
  await page.getByRole('heading', { name: 'Add Organization' }).waitFor()
  await axe(page)
  await shot(page, 'org-deleted-onboarding')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'org-deleted-onboarding-phone')
  await page.getByRole('link', { name: 'Organization settings' }).click()
  await page.getByRole('button', { name: 'Export everything' }).waitFor()
  await page.goto('/')
  await page.getByRole('button', { name: 'Cancel deletion' }).click()
  await page.waitForURL('**/dashboard')
})
