import { axe, PHONE, shot } from '../browser.ts'
import { journey } from '../harness.ts'
import { newColleague } from '../team.ts'

export const journeys = [
  journey('organization settings: general information, its Update button, and the dialog of deletion that takes no paste', async ({ newPerson }) => {
    const { page, at } = await newPerson()
    await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Organization' }).click()
    await page.getByRole('heading', { name: 'Organization settings', level: 1 }).waitFor()
    await page.getByRole('tab', { name: 'General Information', selected: true }).waitFor()
    const update = page.getByRole('button', { name: 'Update' })
    await page.getByLabel('Organization name').waitFor()
    if (await update.isEnabled()) throw new Error('Update is enabled though nothing changed')
    await page.getByLabel('Organization name').fill('Northlight Roasters')
    await update.click()
    await page.getByText('Organization Details updated successfully').waitFor()
    await page.waitForFunction(() => document.querySelector<HTMLButtonElement>('main form button[type=submit]')?.disabled)
    await page.getByRole('button', { name: 'Individual', exact: true }).click()
    if ((await page.getByLabel('Company size').count()) > 0) throw new Error('an Individual is asked for a size')
    await page.getByRole('button', { name: 'Organization', exact: true }).click()
    await axe(page)
    await shot(page, 'org-settings-general')

    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete Northlight Roasters?' })
    const field = dialog.getByLabel(/Type Northlight Roasters/)
    const confirm = dialog.getByRole('button', { name: 'Delete organization' })
    const isBlocked = await field.evaluate((input) => !input.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true })))
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
  }),

  journey('organization settings: channels of every project, projects renamed in place, users, and what is deleted', async (stage) => {
    const admin = await stage.newPerson({ upTo: 'channel', account: 'settings-one' })
    const { page, at } = admin
    await newColleague(stage, admin, { role: 'editor' })
    await page.goto(at('org-settings?tab=channels'))
    const channel = page.getByRole('row').filter({ hasText: 'settings-one' })
    await channel.getByText('Active', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Platform setup' }).waitFor()
    await axe(page)
    await shot(page, 'org-settings-channels')

    await page.getByRole('tab', { name: 'Projects' }).click()
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

    await page.getByRole('tab', { name: 'Users' }).click()
    await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).click()
    await page.getByRole('menuitem', { name: /^Delete/, disabled: true }).waitFor()
    await page.keyboard.press('Escape')
    await axe(page)
    await shot(page, 'org-settings-users')
    await page.getByRole('button', { name: 'Actions for Grace Hopper' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Remove from organization' }).click()
    await page.getByText('User deleted from org successfully').waitFor()
    await page.getByRole('row').filter({ hasText: 'Grace Hopper' }).waitFor({ state: 'detached' })

    await page.setViewportSize(PHONE)
    await page.goto(at('org-settings?tab=projects'))
    await page.getByRole('row').filter({ hasText: 'Roastery' }).waitFor()
    await axe(page)
    await shot(page, 'org-settings-projects-phone')
    await page.setViewportSize({ width: 1440, height: 900 })

    await page.goto(at('org-settings?tab=channels'))
    await page.getByRole('button', { name: 'Delete settings-one' }).click()
    await page.getByRole('button', { name: 'Delete channel' }).click()
    await page.getByText('Channel deleted successfully').waitFor()
    await page.getByText('No channels found in your account').waitFor()
    await page.getByText('Add a channel to your account to get started').waitFor()
    await axe(page)

    // the last project goes, and with it the way to anything but the wizard
    await page.getByRole('tab', { name: 'Projects' }).click()
    await page.getByRole('button', { name: 'Actions for Roastery' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete project' }).click()
    await page.getByText('Project deleted successfully').waitFor()
    await page.waitForURL('**/onboarding')
  }),

  journey('organization settings: who is no admin of the organization is led to access denied', async (stage) => {
    const admin = await stage.newPerson()
    const { page } = await newColleague(stage, admin, { role: 'admin' })
    if ((await page.getByRole('link', { name: 'Organization', exact: true }).count()) > 0) throw new Error('the rail leads where nobody gets in')
    await page.goto(admin.at('org-settings?tab=billing'))
    await page.waitForURL('**/access-denied')
  }),

  journey('organization settings: the organization is deleted by its typed name, and its settings are left', async ({ newPerson }) => {
    const { page, at } = await newPerson({ orgName: 'Short Lived' })
    await page.goto(at('org-settings'))
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete Short Lived?' })
    await dialog.getByLabel(/Type Short Lived/).fill('Short Lived')
    await dialog.getByRole('button', { name: 'Delete organization' }).click()
    await page.getByText('Organization deleted successfully').waitFor()
    await page.waitForURL((url) => !url.pathname.endsWith('/org-settings'))
  }),
]
