import { stat } from 'node:fs/promises'
import { axe, PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import { newColleague } from '../team.ts'

test('data rights: a copy of everything is made and downloaded', async ({ newPerson }) => {
  const { page, at } = await newPerson()
  await page.goto(at('org-settings'))
  await page.getByRole('button', { name: 'Export everything' }).click()
  const link = page.getByRole('link', { name: /^Download the copy from/ })
  await link.waitFor({ timeout: 60_000 })
  await axe(page)
  await shot(page, 'export-ready')
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  if (!download.suggestedFilename().endsWith('.zip'))
    throw new Error(`the copy is called ${download.suggestedFilename()}`)
  if ((await stat(await download.path())).size < 1000) throw new Error('the copy is empty')
  await page.setViewportSize(PHONE)
  await page.getByRole('button', { name: 'Export everything' }).waitFor()
  await axe(page)
  await shot(page, 'export-phone')
})

test('data rights: an organization that is deleted shuts its members out, and is kept by an admin', async ({
  stage,
}) => {
  const admin = await stage.newPerson()
  const { page, at, ids } = admin
  const colleague = await newColleague(stage, admin, { role: 'editor' })
  const deleted = await page.request.delete(`/api/${ids.orgId}`)
  if (!deleted.ok()) throw new Error(await deleted.text())
  const call = await colleague.page.request.get(`/api${at('label')}`)
  if (call.status() !== 404) throw new Error(`a member still comes in: ${call.status()}`)
  // members see it wherever they arrive, admins above every page
  await colleague.page.goto('/')
  await colleague.page.getByText('Northlight Coffee is being deleted').waitFor()
  await colleague.page.getByRole('heading', { name: 'Add Organization' }).waitFor()
  await axe(colleague.page)
  await shot(colleague.page, 'deletion-member')
  await page.goto(at('dashboard'))
  await page.getByText(/Northlight Coffee will be deleted on/).waitFor()
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  await axe(page)
  await shot(page, 'deletion-strip')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'deletion-strip-phone')
  await page.getByRole('button', { name: 'Cancel deletion' }).click()
  await page.getByText('Deletion canceled').waitFor()
  await page.getByText(/will be deleted on/).waitFor({ state: 'detached' })
  const again = await colleague.page.request.get(`/api${at('label')}`)
  if (!again.ok()) throw new Error('a member does not come in again')
})

test('data rights: the last admin keeps the account, a colleague deletes theirs', async ({ stage }) => {
  const admin = await stage.newPerson()
  const colleague = await newColleague(stage, admin, { role: 'editor' })
  const leave = async ({ page, at, email, password }: typeof admin) => {
    await page.goto(at('profile'))
    await page.getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
    await dialog.getByLabel(/to confirm/).fill(email)
    await dialog.getByLabel('Password', { exact: true }).fill(password)
    await axe(page)
    return dialog
  }
  const refused = await leave(admin)
  await shot(admin.page, 'delete-account')
  await refused.getByRole('button', { name: 'Delete account' }).click()
  await refused.getByText(/You are the only admin of Northlight Coffee/).waitFor()
  const dialog = await leave(colleague)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await colleague.page.waitForURL('**/login**')
  await admin.page.goto(admin.at('org-settings?tab=audit'))
  await admin.page.getByRole('list', { name: 'Audit Logs' }).getByText('Deleted account').first().waitFor()
})
