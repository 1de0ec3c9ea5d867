import type { Page } from '@playwright/test'
import { createProject } from '#contract/organizations.ts'
import { updateOrganization } from '#contract/orgSettings.ts'
import { listRoles } from '#contract/roles.ts'
import { createWorkflow } from '#contract/workflows.ts'
import { callAs } from '../api.ts'
import { axe, shot } from '../browser.ts'
import { test } from '../harness.ts'
import { schedulePosts, submitPosts } from '../posts.ts'
import { refuse, refuseOnce } from '../replies.ts'

/** Holds back responses for this path until the returned function is called. */
async function hold(page: Page, address: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await promise
    await route.fallback()
  })
  return resolve
}

test("fresh numbers: a deletion's consequences are read when its dialog opens, whatever the list showed", async ({
  newPerson,
}) => {
  const person = await newPerson({ upTo: 'channel', account: 'tally' })
  const { page, ids } = person
  const { projectId } = await callAs(page, createProject, {
    params: { orgId: ids.orgId },
    body: { projectName: 'Second', zone: 'Europe/Berlin' },
  })
  // the tab stays open in the other project, which gets no events about these posts
  await page.goto(`/${ids.orgId}/project/${projectId}/org-settings?tab=projects`)
  await page.getByRole('row').filter({ hasText: 'Flagship' }).waitFor()
  await schedulePosts(person, [
    { text: 'One', inDays: 2 },
    { text: 'Two', inDays: 3 },
  ])

  const letGo = await hold(page, /\/contents$/)
  await page.getByRole('button', { name: 'Actions for Flagship' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Flagship?' })
  await dialog.getByRole('button', { name: 'Delete project', disabled: true }).waitFor()
  await dialog.getByRole('status').waitFor()
  if ((await dialog.getByText('No posts are scheduled').count()) > 0) throw new Error('an old number is said')
  letGo()
  await dialog.getByText("2 scheduled posts won't be published.").waitFor()
  await dialog.getByRole('button', { name: 'Delete project', disabled: false }).waitFor()
  await axe(page)
  await shot(page, 'org-settings-project-delete')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })

  // people can't agree to what couldn't be loaded
  await refuseOnce(page, /\/contents$/, 'RATE_LIMITED')
  await page.getByRole('button', { name: 'Actions for Flagship' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog.getByText("We couldn't check what this affects.", { exact: false }).waitFor()
  await dialog.getByRole('button', { name: 'Delete project', disabled: true }).waitFor()
  await axe(page)
  await shot(page, 'org-settings-project-delete-unread')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await dialog.getByText("2 scheduled posts won't be published.").waitFor()
  await page.keyboard.press('Escape')

  // channels of every project, and people who are removed from one
  await page.getByRole('tab', { name: 'Channels' }).click()
  await page.getByRole('row').filter({ hasText: 'tally' }).waitFor()
  await schedulePosts(person, [{ text: 'Three', inDays: 4 }])
  await page.getByRole('button', { name: 'Delete tally' }).click()
  await page.getByRole('dialog').getByText('3 scheduled posts become drafts').waitFor()
})

test("fresh numbers: another admin's changes to the organization arrive without touching unsaved input", async ({
  newPerson,
}) => {
  const person = await newPerson({ orgName: 'Northlight Coffee' })
  const { page, ids } = person
  const change = async (orgName: string, orgSize: string) =>
    await callAs(page, updateOrganization, {
      params: { orgId: ids.orgId },
      body: { orgType: 'organization', orgName, orgSize },
    })
  await page.goto(person.at('org-settings'))
  const name = page.getByLabel('Organization name')
  const size = page.getByLabel('Company size')
  await size.waitFor()
  const has = async (field: 'input' | 'select', value: string) => {
    await page.locator(`main form ${field}`).first().waitFor()
    await page.waitForFunction(
      ([tag, wanted]) =>
        [...document.querySelectorAll<HTMLInputElement>(`main form ${tag}`)].some((one) => one.value === wanted),
      [field, value] as const,
    )
  }
  await change('Northlight Roasters', '2-10')
  await has('input', 'Northlight Roasters')
  const update = page.getByRole('button', { name: 'Update', exact: true })
  await page.getByRole('button', { name: 'Update', exact: true, disabled: true }).waitFor()
  await name.fill('Northlight Mills')
  await change('Northlight Roasters', '11-50')
  await has('select', '11-50')
  await has('input', 'Northlight Mills')
  await update.click()
  await page.getByText('Organization Details updated successfully').waitFor()
  await page.getByRole('button', { name: 'Update', exact: true, disabled: true }).waitFor()
  // the form is the same one: the focus is where it was
  if (!(await update.evaluate((button) => document.activeElement === button)))
    throw new Error('the focus was lost with the form')
  await page
    .getByRole('button', { name: /Northlight Mills/ })
    .first()
    .waitFor()
})

test('fresh numbers: a post that is sent for approval counts at once where its workflow is deleted', async ({
  newPerson,
}) => {
  const person = await newPerson({ upTo: 'channel', account: 'waiter' })
  const { page, ids } = person
  const { roles } = await callAs(page, listRoles, { params: ids })
  const approver = { kind: 'role' as const, roleId: roles.find(({ kind }) => kind === 'admin')?.roleId ?? '' }
  const { workflowId } = await callAs(page, createWorkflow, {
    params: ids,
    body: { name: 'Four eyes', steps: [{ needs: 'any', approvers: [approver] }] },
  })
  await page.goto(person.at('workflows'))
  const row = page.getByRole('row').filter({ hasText: 'Four eyes' })
  await row.waitFor()
  await submitPosts(person, ['Please look'], { type: 'NOW' }, 'NEEDS_APPROVAL', { workflowId })
  await row.getByText('1 post', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Actions for Four eyes' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page
    .getByRole('dialog', { name: 'Delete Four eyes?' })
    .getByText('1 post is waiting in this workflow')
    .waitFor()
})

test("fresh numbers: Add User opens at once, and says when the channels couldn't be read", async ({ newPerson }) => {
  const person = await newPerson()
  const { page } = person
  const channels = /\/social\/all$/
  await refuse(page, channels, 'RATE_LIMITED')
  await page.goto(person.at('users'))
  await page.getByRole('row').filter({ hasText: 'Ada Lovelace' }).waitFor()
  await page.getByRole('button', { name: 'Add User' }).filter({ visible: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add New User' })
  await dialog.getByRole('alert').waitFor()
  await axe(page)
  await shot(page, 'users-add-unread')
  await page.unroute(channels)
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await dialog.getByLabel('Email').waitFor()
})
