import { stat } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { z } from 'zod'
import { updateOrganization } from '#contract/orgSettings.ts'
import { callAs } from '../api.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import { schedulePosts } from '../posts.ts'
import { refuse, refuseOnce } from '../replies.ts'
import { newColleague } from '../team.ts'

test("organization settings: general information, another admin's changes, a limit for inbox costs, a copy of everything", async ({
  newPerson,
}) => {
  const { page, ids } = await newPerson({ opens: 'dashboard' })
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Organization' }).click()
  await page.getByRole('heading', { name: 'Organization settings', level: 1 }).waitFor()
  await page.getByRole('tab', { name: 'General Information', selected: true }).waitFor()
  const update = page.getByRole('button', { name: 'Update', exact: true })
  const unchanged = page.getByRole('button', { name: 'Update', exact: true, disabled: true })
  await page.getByLabel('Company size').waitFor()
  if (await update.isEnabled()) throw new Error('Update is enabled though nothing changed')

  // another admin's changes arrive without touching unsaved input
  const change = async (orgName: string, orgSize: string) =>
    await callAs(page, updateOrganization, {
      params: { orgId: ids.orgId },
      body: { orgType: 'organization', orgName, orgSize },
    })
  const has = async (field: 'input' | 'select', value: string) =>
    await page.waitForFunction(
      ([tag, wanted]) =>
        [...document.querySelectorAll<HTMLInputElement>(`main ${tag}`)].some((one) => one.value === wanted),
      [field, value] as const,
    )
  await change('Northlight Roasters', '2-10')
  await has('input', 'Northlight Roasters')
  await unchanged.waitFor()
  await page.getByLabel('Organization name').fill('Northlight Mills')
  await change('Northlight Roasters', '11-50')
  await has('select', '11-50')
  await has('input', 'Northlight Mills')
  await update.click()
  await page.getByText('Organization Details updated successfully').waitFor()
  await unchanged.waitFor()
  // the form is the same one: the focus is where it was
  if (!(await update.evaluate((button) => document.activeElement === button)))
    throw new Error('the focus was lost with the form')
  await page
    .getByRole('button', { name: /Northlight Mills/ })
    .first()
    .waitFor()
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

  // less is asked about, more isn't
  const kept = page.getByLabel('Keep what others write for')
  await kept.selectOption('6 months')
  const question = page.getByRole('dialog', { name: 'Keep them for 6 months only?' })
  await question.getByText('everything that others wrote more than 6 months ago', { exact: false }).waitFor()
  await axe(page)
  await shot(page, 'org-settings-keeping')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'hidden' })
  await has('select', '730')
  await kept.selectOption('6 months')
  await question.getByRole('button', { name: 'Erase older texts' }).click()
  await question.waitFor({ state: 'hidden' })
  await has('select', '180')
  await kept.selectOption('5 years')
  await has('select', '1825')

  await page.getByRole('button', { name: 'Export everything' }).click()
  const link = page.getByRole('link', { name: /^Download the copy from/ })
  await link.waitFor({ timeout: 60_000 })
  await axe(page)
  await shot(page, 'org-settings-general')
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  if (!download.suggestedFilename().endsWith('.zip'))
    throw new Error(`the copy is called ${download.suggestedFilename()}`)
  if ((await stat(await download.path())).size < 1000) throw new Error('the copy is empty')

  await page.setViewportSize(PHONE)
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
  // who isn't an admin of the organization doesn't get in
  const colleague = await newColleague(stage, admin, { role: 'admin', opens: 'dashboard' })
  if ((await colleague.page.getByRole('link', { name: 'Organization', exact: true }).count()) > 0)
    throw new Error('the rail leads where nobody gets in')
  await colleague.page.goto(at('org-settings?tab=billing'))
  await colleague.page.waitForURL('**/access-denied?of=organization')

  await page.bringToFront()
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

  // the tab stays open in the other project, which gets no events about these posts
  const [, , , secondId] = new URL(page.url()).pathname.split('/')
  await page.goto(`/${admin.ids.orgId}/project/${secondId}/org-settings?tab=projects`)
  await page.getByRole('row').filter({ hasText: 'Roastery' }).waitFor()
  await schedulePosts(admin, [
    { text: 'One', inDays: 2 },
    { text: 'Two', inDays: 3 },
  ])
  // a deletion's consequences are read when its dialog opens, whatever the list showed
  const letGo = await hold(page, /\/contents$/)
  await page.getByRole('button', { name: 'Actions for Roastery' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
  await axe(page)
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const deleting = page.getByRole('dialog', { name: 'Delete Roastery?' })
  await deleting.getByRole('button', { name: 'Delete project', disabled: true }).waitFor()
  await deleting.getByRole('status').waitFor()
  if ((await deleting.getByText('No posts are scheduled').count()) > 0) throw new Error('an old number is said')
  letGo()
  await deleting.getByText("2 scheduled posts won't be published.").waitFor()
  await deleting.getByRole('button', { name: 'Delete project', disabled: false }).waitFor()
  await axe(page)
  await shot(page, 'org-settings-project-delete')
  await page.keyboard.press('Escape')
  await deleting.waitFor({ state: 'hidden' })
  // people can't agree to what couldn't be loaded
  await refuseOnce(page, /\/contents$/, 'RATE_LIMITED')
  await page.getByRole('button', { name: 'Actions for Roastery' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await deleting.getByText("We couldn't check what this affects.", { exact: false }).waitFor()
  await deleting.getByRole('button', { name: 'Delete project', disabled: true }).waitFor()
  await axe(page)
  await shot(page, 'org-settings-project-delete-unread')
  await deleting.getByRole('button', { name: 'Try again' }).click()
  await deleting.getByText("2 scheduled posts won't be published.").waitFor()
  await page.keyboard.press('Escape')
  await deleting.waitFor({ state: 'hidden' })

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
  await axe(page)
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
  // on phones a list above the content replaces the tabs
  const parts = page.getByRole('combobox', { name: 'Organization settings' })
  for (const tab of ['Channels', 'Users'] as const) {
    await parts.selectOption(tab)
    await page.getByRole('heading', { name: tab, level: 1 }).waitFor()
    await page.getByRole('table').waitFor()
    await axe(page)
    await shot(page, `org-settings-${tab.toLowerCase()}-phone`)
  }
  // the list of projects hides if it can't be loaded; the other sections stay available
  await refuse(page, /\/projects(\?|$)/, 'INTERNAL')
  const refused = page.waitForResponse(
    (response) => /\/projects(\?|$)/.test(response.url()) && response.status() === 500,
  )
  await page.goto(at('org-settings?tab=projects'))
  await refused
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
  await channel.waitFor()
  await schedulePosts(admin, [{ text: 'Three', inDays: 4 }])
  await page.getByRole('button', { name: 'Delete settings-one' }).click()
  await page.getByRole('dialog', { name: /^Delete/ }).waitFor()
  await axe(page)
  await page.getByRole('dialog').getByText('3 scheduled posts become drafts').waitFor()
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

test('organization settings: the organization is deleted by its typed name, shuts its members out, and is kept', async ({
  stage,
}) => {
  const admin = await stage.newPerson({ orgName: 'Short Lived' })
  const colleague = await newColleague(stage, admin, { role: 'editor' })
  const { page, at } = admin
  await page.bringToFront()
  await page.goto(at('org-settings'))
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Short Lived?' })
  const field = dialog.getByLabel(/Type Short Lived/)
  const confirm = dialog.getByRole('button', { name: 'Delete organization' })
  const isBlocked = await field.evaluate(
    (input) => !input.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true })),
  )
  if (!isBlocked) throw new Error('the name can be pasted')
  await field.fill('short lived')
  if (await confirm.isEnabled()) throw new Error('another name than the exact one is taken')
  await field.fill('Short Lived')
  await axe(page)
  await shot(page, 'org-settings-delete')
  await confirm.click()
  await page.getByText('Organization deleted successfully').waitFor()
  // nothing else is left: it can be kept or viewed once more, or a new one created
  await page.waitForURL('**/onboarding')
  await page.getByText(/Short Lived will be deleted on/).waitFor()
  await page.getByRole('button', { name: 'Cancel deletion' }).waitFor()
  await page.getByRole('heading', { name: 'Add Organization' }).waitFor()
  await axe(page)
  await shot(page, 'org-deleted-onboarding')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'org-deleted-onboarding-phone')

  // members see it wherever they arrive, admins above every page
  const call = await colleague.page.request.get(`/api${at('label')}`)
  if (call.status() !== 404) throw new Error(`a member still comes in: ${call.status()}`)
  await colleague.page.bringToFront()
  await colleague.page.goto('/')
  await colleague.page.getByText('Short Lived is being deleted').waitFor()
  await colleague.page.getByRole('heading', { name: 'Add Organization' }).waitFor()
  await axe(colleague.page)
  await shot(colleague.page, 'deletion-member')
  await page.bringToFront()
  await page.getByRole('link', { name: 'Organization settings' }).click()
  await page.getByRole('button', { name: 'Export everything' }).waitFor()
  await page.getByText(/Short Lived will be deleted on/).waitFor()
  await axe(page)
  await shot(page, 'deletion-strip-phone')
  await page.setViewportSize(DESKTOP)
  await shot(page, 'deletion-strip')
  await page.getByRole('button', { name: 'Cancel deletion' }).click()
  await page.getByText('Deletion canceled').waitFor()
  await page.getByText(/will be deleted on/).waitFor({ state: 'detached' })
  const again = await colleague.page.request.get(`/api${at('label')}`)
  if (!again.ok()) throw new Error('a member does not come in again')
})

/** Holds back responses for this path until the returned function is called. */
async function hold(page: Page, address: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await promise
    await route.fallback()
  })
  return resolve
}
