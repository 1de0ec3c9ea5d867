import { home } from '#contract/organizations.ts'
import { assignRole, listRoles } from '#contract/roles.ts'
import { callAs } from '../api.ts'
import { axe } from '../axe.ts'
import { PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import { newColleague } from '../team.ts'

test('roles: create, assign and edit one under an open page, see its members, delete it', async ({ stage }) => {
  const admin = await stage.newPerson()
  const { page } = admin
  const grace = await newColleague(stage, admin)
  await page.goto(admin.at('roles'))
  await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor()
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) })
  await row('Editor').waitFor()
  await axe(page)
  await shot(page, 'roles')

  // the three built-in ones can be viewed
  await row('Editor').getByRole('button', { name: 'Editor', exact: true }).click()
  const system = page.getByRole('dialog', { name: 'Editor' })
  await system.getByText("can't be changed").waitFor()
  if (await system.getByRole('group', { name: 'Users' }).getByLabel('Add').isEnabled())
    throw new Error('a system role can be changed')
  await axe(page)
  await shot(page, 'roles-system')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Create role' }).filter({ visible: true }).press('Enter')
  const editor = page.getByRole('dialog', { name: 'Create role' })
  await editor.getByRole('button', { name: 'Create role' }).click()
  await editor.getByText('Role name is required').waitFor()
  await editor.getByLabel('Role name').fill('Editor')
  await editor.getByRole('button', { name: 'Create role' }).click()
  await editor.getByRole('alert').filter({ visible: true }).first().waitFor()
  await editor.getByLabel('Role name').fill('Scheduler')
  await editor.getByRole('button', { name: 'Full Publishing' }).click()
  const users = editor.getByRole('group', { name: 'Users' })
  await users.getByLabel('Add').check()
  // view is included automatically
  if (!(await users.getByLabel('View').isChecked())) throw new Error('View does not follow')
  await editor.getByText('Create, edit, delete and publish posts').waitFor()
  await axe(page)
  await shot(page, 'roles-editor')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'roles-editor-phone')
  await page.setViewportSize({ width: 1440, height: 900 })
  await editor.getByRole('button', { name: 'Create role' }).click()
  await page.getByText('Role created successfully').waitFor()
  await row('Scheduler').getByText('Custom').waitFor()
  await shot(page, 'roles-custom')

  const { user } = await callAs(grace.page, home)
  const { roles } = await callAs(page, listRoles, { params: admin.ids })
  const give = async (role: string) =>
    await callAs(page, assignRole, {
      params: admin.ids,
      body: { roleId: roles.find(({ name }) => name === role)?.roleId ?? '', userId: user.userId, channelIds: null },
    })
  await give('Scheduler')
  await page.goto(admin.at('users'))
  const member = page.getByRole('row').filter({ hasText: 'Grace Hopper' })
  await member.getByRole('button', { name: /^Custom/ }).click()
  await page.getByRole('dialog', { name: 'What Grace Hopper can do' }).getByText('Add users').waitFor()
  await axe(page)
  await shot(page, 'users-custom')
  await page.keyboard.press('Escape')

  // the role loses the page that its member has open
  await grace.page.goto(grace.at('users'))
  await grace.page.getByRole('button', { name: 'Add User' }).filter({ visible: true }).waitFor()
  await page.bringToFront()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Roles', exact: true }).click()
  await row('Scheduler').getByRole('button', { name: 'Actions for Scheduler' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
  await axe(page)
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Scheduler' })
  await edit.getByText('Takes effect immediately for 1 member').waitFor()
  await axe(page)
  await edit.getByRole('group', { name: 'Users' }).getByLabel('Add').uncheck()
  await edit.getByRole('group', { name: 'Users' }).getByLabel('View').uncheck()
  await edit.getByRole('button', { name: 'Save' }).click()
  await edit.waitFor({ state: 'hidden' })
  await grace.page.waitForURL('**/access-denied*')
  await grace.page.getByRole('heading', { name: 'Access denied' }).waitFor()
  // the rest of the project is still there, without that entry
  await grace.page.getByRole('link', { name: 'Go to Homepage' }).click()
  await grace.page.waitForURL('**/dashboard')
  if ((await grace.page.getByRole('link', { name: 'Users', exact: true }).count()) > 0)
    throw new Error('the rail leads where the role does not')

  await page.bringToFront()
  await row('Scheduler').getByRole('button', { name: 'Actions for Scheduler' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'The role Scheduler is in use' }).getByText('Grace Hopper').waitFor()
  await axe(page)
  await shot(page, 'roles-in-use')
  await page.getByRole('link', { name: 'Manage Users' }).click()
  await member.waitFor()
  await give('User')
  await member.getByText('User', { exact: true }).waitFor()
  await page.goBack()
  // a copy first
  await row('Scheduler').getByRole('button', { name: 'Actions for Scheduler' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await page.getByRole('dialog', { name: 'Create role' }).getByRole('button', { name: 'Create role' }).click()
  await row('Copy of Scheduler').waitFor()
  await row('Scheduler').getByRole('button', { name: 'Actions for Scheduler' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete role' }).waitFor()
  await axe(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete role' }).click()
  await page.getByText('Role deleted successfully').waitFor()
  await row('Scheduler').waitFor({ state: 'detached' })
})
