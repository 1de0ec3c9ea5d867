import { z } from 'zod'
import { listInvites } from '#contract/invites.ts'
import { removeFromProject } from '#contract/members.ts'
import { home } from '#contract/organizations.ts'
import { assignRole, listRoles } from '#contract/roles.ts'
import { callAs } from '../api.ts'
import { axe } from '../axe.ts'
import { PHONE, shot } from '../browser.ts'
import { addChannel } from '../channels.ts'
import { test } from '../harness.ts'
import { changeReply, refuse, refuseOnce } from '../replies.ts'
import { newColleague } from '../team.ts'

const Listed = z.looseObject({
  users: z.array(z.looseObject({ firstName: z.string() })),
  pagination: z.looseObject({ currentPage: z.int() }),
})

test('users: a changed role, changed channels and a removal reach the open screen of the colleague', async ({
  stage,
}) => {
  const admin = await stage.newPerson({ upTo: 'channel', account: 'team-one' })
  const { page } = admin
  await addChannel(stage, admin, 'team-two')
  const grace = await newColleague(stage, admin, { role: 'user' })

  await page.goto(admin.at('users'))
  await page.getByRole('heading', { name: 'Manage Users', level: 1 }).waitFor()
  const row = page.getByRole('row').filter({ hasText: 'Grace Hopper' })
  await row.getByText('Needs approval').waitFor()
  await row.getByText('All channels').waitFor()
  await axe(page)
  await shot(page, 'users')

  // the person's own row: everything is shown, nothing can be removed
  await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).click()
  await page.getByRole('menuitem', { name: 'Remove from project', disabled: true }).waitFor()
  await page.getByRole('menu').getByText("You can't change or remove your own access.").first().waitFor()
  await axe(page)
  await shot(page, 'users-own-menu')
  await page.keyboard.press('Escape')

  // people who can only view have no buttons, until the role changes
  await grace.page.goto(grace.at('users'))
  await grace.page.getByRole('row').filter({ hasText: 'Ada Lovelace' }).waitFor()
  if ((await grace.page.getByRole('button', { name: 'Add User' }).count()) > 0) throw new Error('User sees Add User')
  await page.bringToFront()
  await row.getByRole('button', { name: 'Actions for Grace Hopper' }).click()
  await page.getByRole('menuitem', { name: 'Change role' }).click()
  const change = page.getByRole('dialog', { name: 'Change the role of Grace Hopper?' })
  await change.getByLabel('Role', { exact: true }).selectOption('Admin')
  await change.getByText('Add and remove users').waitFor()
  await axe(page)
  await shot(page, 'users-role')
  await change.getByRole('button', { name: 'Change role' }).click()
  await page.getByText('Role assigned successfully').waitFor()
  await row.getByText('Admin', { exact: true }).waitFor()
  await grace.page.getByRole('button', { name: 'Add User' }).filter({ visible: true }).waitFor()

  // back to Editor, then one channel less
  const { user } = await callAs(grace.page, home)
  const { roles } = await callAs(page, listRoles, { params: admin.ids })
  const editor = roles.find(({ name }) => name === 'Editor')?.roleId ?? ''
  await callAs(page, assignRole, { params: admin.ids, body: { roleId: editor, userId: user.userId, channelIds: null } })
  await row.getByText('Editor', { exact: true }).waitFor()
  await grace.page.goto(grace.at('channels'))
  await grace.page.getByText('Total Accounts 2').waitFor()
  await page.bringToFront()
  await row.getByRole('button', { name: /^Channel access of Grace Hopper/ }).click()
  const access = page.getByRole('dialog', { name: 'Channel Access' })
  await access.getByLabel('All channels, including future ones').uncheck()
  // none is left, so what is added is all there is
  await access.getByText('Choose at least one channel.').waitFor()
  await access.getByText('No channels are selected.').waitFor()
  if (await access.getByRole('button', { name: 'Save' }).isEnabled()) throw new Error('nothing can be saved')
  await access.getByRole('button', { name: /^Add team-one/ }).click()
  await access.getByText('At least one channel must stay selected.').waitFor()
  await axe(page)
  await shot(page, 'users-channel-access')
  // the last one stays, whichever key is pressed
  await access.getByRole('button', { name: /^Remove team-one/ }).press('Enter')
  await access.getByRole('button', { name: /^Remove team-one/ }).waitFor()
  // and back using only the keyboard
  await access.getByRole('button', { name: /^Add team-two/ }).press('Enter')
  await access.getByRole('button', { name: /^Remove team-two/ }).press('Enter')
  await access.getByRole('button', { name: 'Save' }).click()
  await access.waitFor({ state: 'hidden' })
  await row.getByText('team-one', { exact: false }).waitFor()
  await grace.page.getByText('Total Accounts 1').waitFor()

  // people who can only view see the channels but can't change them
  await grace.page.goto(grace.at('users'))
  await grace.page.getByRole('button', { name: /^Channel access of Grace Hopper/ }).click()
  const readOnly = grace.page.getByRole('dialog', { name: 'Channels' })
  await readOnly.getByText("You can't change or remove your own access.").waitFor()
  await axe(grace.page)
  await shot(grace.page, 'users-channels-read')
  await grace.page.keyboard.press('Escape')

  // without permission to publish there is nothing to create
  await grace.page.goto(grace.at('calendar'))
  await grace.page.getByRole('link', { name: 'Create post' }).first().waitFor()
  await page.bringToFront()
  await row.getByRole('button', { name: 'Actions for Grace Hopper' }).click()
  await page.getByRole('menuitem', { name: 'Change role' }).click()
  await change.getByLabel('No Access').check()
  await change.getByRole('button', { name: 'Change role' }).click()
  await row.getByText('No Access').waitFor()
  await grace.page
    .getByRole('banner')
    .or(grace.page.locator('main'))
    .getByRole('link', { name: 'Create post' })
    .first()
    .waitFor({ state: 'detached' })

  await row.getByRole('button', { name: 'Actions for Grace Hopper' }).click()
  await page.getByRole('menuitem', { name: 'Remove from project' }).click()
  const remove = page.getByRole('dialog', { name: 'Remove Grace Hopper from the project?' })
  await remove.getByText('They have no scheduled posts.').waitFor()
  await axe(page)
  await remove.getByRole('button', { name: 'Remove from project' }).click()
  await page.getByText('User deleted from project successfully').waitFor()
  await row.waitFor({ state: 'detached' })
  await grace.page.waitForURL('**/onboarding')
  await grace.page.getByText("You're a member of Northlight Coffee").waitFor()
})

test('users: add a member, invite strangers from a pasted list, resend, revoke, remove from the organization', async ({
  stage,
}) => {
  const admin = await stage.newPerson()
  const { page } = admin
  const grace = await newColleague(stage, admin)
  const { user } = await callAs(grace.page, home)
  await callAs(page, removeFromProject, { params: { ...admin.ids, userId: user.userId } })
  await page.goto(admin.at('users'))
  const row = page.getByRole('row').filter({ hasText: 'Grace Hopper' })

  // by keyboard: a few letters, arrow, enter
  await page.getByRole('button', { name: 'Add User' }).filter({ visible: true }).press('Enter')
  const add = page.getByRole('dialog', { name: 'Add New User' })
  await add.getByRole('button', { name: 'Add User' }).click()
  await add.getByText('Email is required').waitFor()
  await add.getByText('Choose a role', { exact: true }).last().waitFor()
  await axe(page)
  await add.getByLabel('Email').fill('gra')
  await add.getByRole('option', { name: /Grace Hopper/ }).waitFor()
  await axe(page)
  await shot(page, 'users-add')
  await add.getByLabel('Email').press('ArrowDown')
  await add.getByLabel('Email').press('Enter')
  await add.getByLabel('Role', { exact: true }).selectOption('Editor')
  await add.getByRole('button', { name: 'Add User' }).click()
  await row.getByText('Editor', { exact: true }).waitFor()
  await grace.page.goto('/')
  await grace.page.waitForURL('**/dashboard')
  await page.bringToFront()

  // an unknown address leads to the invitation
  await page.getByRole('button', { name: 'Add User' }).filter({ visible: true }).click()
  await add.getByLabel('Email').fill('stranger@example.org')
  await add.getByRole('button', { name: 'invite instead' }).click()
  const invite = page.getByRole('dialog', { name: 'Invite User' })
  const first = invite.getByRole('group', { name: 'Person 1' })
  if ((await first.getByLabel('Email').inputValue()) !== 'stranger@example.org')
    throw new Error('the address was not carried over')
  await first.getByLabel('Email').fill('')
  await invite.getByRole('button', { name: 'Invite User' }).click()
  await invite.getByText('Email is required').waitFor()
  await first.getByLabel('Email').evaluate((field, text) => {
    const data = new DataTransfer()
    data.setData('text', text)
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, `Bo <bo@example.org>, cy@example.org; ${grace.email}`)
  await invite.getByRole('group', { name: 'Person 3' }).waitFor()
  await axe(page)
  await shot(page, 'users-invite')
  // one row is refused at its field: nothing is sent
  await invite.getByRole('button', { name: 'Invite 3 people' }).click()
  await invite.getByRole('group', { name: 'Person 3' }).getByText('already in the project').waitFor()
  await shot(page, 'users-invite-refused')
  await invite.getByRole('button', { name: 'Remove person 3' }).click()
  await invite.getByRole('button', { name: 'Invite 2 people' }).click()
  await page.getByText('Users Invited Successfully').waitFor()
  const pending = page.getByRole('table', { name: 'Pending invitations' })
  await pending.getByRole('row').filter({ hasText: 'bo@example.org' }).waitFor()
  await axe(page)
  await shot(page, 'users-pending')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'users-phone', { fullPage: true })
  await page.getByRole('button', { name: 'Invite User' }).filter({ visible: true }).click()
  // the dialog loads first: the focus goes to its field and not to Close
  await page.getByRole('group', { name: 'Person 1' }).locator('input:focus').waitFor()
  await axe(page)
  await shot(page, 'users-invite-phone')
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 1440, height: 900 })
  await pending.getByRole('button', { name: 'Actions for bo@example.org' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('dialog', { name: /^Revoke the invitation/ }).waitFor()
  await axe(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await pending.getByRole('row').filter({ hasText: 'bo@example.org' }).waitFor({ state: 'detached' })

  await row.getByRole('button', { name: 'Actions for Grace Hopper' }).click()
  await page.getByRole('menuitem', { name: 'Make organization admin' }).click()
  await page.getByRole('dialog', { name: /^Make Grace Hopper/ }).waitFor()
  await axe(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Make admin' }).click()
  await row.getByText('Organization admin').waitFor()
  await row.getByRole('button', { name: 'Actions for Grace Hopper' }).click()
  await page.getByRole('menuitem', { name: 'Remove as organization admin' }).click()
  await page.getByRole('dialog', { name: /^Remove Grace Hopper as/ }).waitFor()
  await axe(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove as admin' }).click()
  await row.getByText('Organization admin').waitFor({ state: 'detached' })
  // what the person belongs to is reason enough to leave: no other call of the project is answered
  await grace.page.route(
    ({ pathname }) => pathname.startsWith(`/api/${admin.ids.orgId}/`) && !pathname.endsWith('/events'),
    () => undefined,
  )
  await row.getByRole('button', { name: 'Actions for Grace Hopper' }).click()
  await page.getByRole('menuitem', { name: 'Remove from organization' }).click()
  await page.getByRole('dialog', { name: /^Remove Grace Hopper from the organization/ }).waitFor()
  await axe(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove from organization' }).click()
  await page.getByText('User deleted from org successfully').waitFor()
  await row.waitFor({ state: 'detached' })
  await grace.page.waitForURL('**/onboarding')
  await grace.page.getByRole('heading', { name: 'Add Organization' }).waitFor()
})

test('users: an invitation for two of several channels is for those two, and none is sent without a channel', async ({
  stage,
}) => {
  const admin = await stage.newPerson()
  const { page } = admin
  for (const account of ['rook', 'rook', 'daw', 'jay']) await addChannel(stage, admin, account)
  const email = `two-channels-${process.pid}@example.org`
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/invite')) sent.push(request.postData() ?? '')
  })
  await page.goto(admin.at('users'))
  await page.getByRole('button', { name: 'Invite User' }).filter({ visible: true }).click()
  const invite = page.getByRole('dialog', { name: 'Invite User' })
  await invite.getByLabel('Email').fill(email)
  await invite.getByLabel('Channels').click()
  const choice = page.getByRole('dialog', { name: 'Channels' })
  await choice.getByLabel('All channels, including future ones').uncheck()
  await choice.getByText('0 of 4 selected').waitFor()
  // two have the same name: their handles tell them apart
  await choice.getByText('Bluesky, @rook.test').first().waitFor()
  await axe(page)
  await shot(page, 'users-invite-channels')
  await page.keyboard.press('Escape')
  await invite.getByRole('button', { name: 'Invite User' }).click()
  await invite.getByText('Choose at least one channel').waitFor()
  // the focus is where the answer goes
  await invite.locator('button:focus', { hasText: 'Choose channels' }).waitFor()
  await axe(page)
  await shot(page, 'users-invite-no-channel')
  await page.keyboard.press('Enter')
  await choice.getByRole('button', { name: 'All', exact: true }).click()
  await choice.getByText('4 of 4 selected').waitFor()
  await choice.getByRole('button', { name: 'None', exact: true }).click()
  await choice.getByLabel('daw.test').check()
  await choice.getByLabel('jay.test').check()
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'users-invite-channels-phone')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.keyboard.press('Escape')
  await invite.getByText('2 of 4 channels').waitFor()
  await invite.getByRole('button', { name: 'Invite User' }).click()
  const pending = page.getByRole('table', { name: 'Pending invitations' })
  await pending.getByRole('row').filter({ hasText: email }).waitFor()
  if (sent.length !== 1) throw new Error(`${sent.length} invitations were sent`)
  const { invites } = await callAs(page, listInvites, { params: admin.ids })
  const names = invites.find((one) => one.email === email)?.channels?.map((channel) => channel.channelName)
  if (names?.join() !== 'daw.test,jay.test') throw new Error(`The invitation is for ${names?.join()}`)
})

test('users: pages with Next and Back, what could not be read, a gate when all seats are taken', async ({
  newPerson,
}) => {
  const { page, at } = await newPerson()
  await changeReply(page, /\/users\?.*$/, (reply) => {
    const parsed = Listed.parse(reply)
    return { ...parsed, pagination: { currentPage: parsed.pagination.currentPage, totalPages: 2, totalCount: 21 } }
  })
  await page.goto(at('users'))
  await page.getByRole('button', { name: 'Next' }).click()
  await page.waitForURL(/page=2/)
  await axe(page)
  await page.unrouteAll({ behavior: 'wait' })
  await page.goto(at('users'))
  await page.getByRole('heading', { name: 'Manage Users' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Ada Lovelace' }).waitFor()
  if ((await page.getByRole('navigation', { name: 'Pages' }).count()) > 0)
    throw new Error('One page needs no Next and Back')

  // the server counts the seats: the form says so and keeps what was typed
  await refuseOnce(page, '**/invite', 'PLAN_LIMIT', { meta: { gate: 'users' } })
  await page.getByRole('button', { name: 'Invite User' }).filter({ visible: true }).click()
  const invite = page.getByRole('dialog', { name: 'Invite User' })
  await invite.getByLabel('Email').fill('one-too-many@example.org')
  await invite.getByRole('button', { name: 'Invite User' }).click()
  await invite.getByText('User Limit Exceeded').waitFor()
  await axe(page)
  if ((await invite.getByLabel('Email').inputValue()) !== 'one-too-many@example.org')
    throw new Error('what was typed is gone')
  await page.keyboard.press('Escape')

  // Add User opens at once, and says when the channels couldn't be read
  const channels = /\/social\/all$/
  await refuse(page, channels, 'RATE_LIMITED')
  await page.reload()
  await page.getByRole('row').filter({ hasText: 'Ada Lovelace' }).waitFor()
  await page.getByRole('button', { name: 'Add User' }).filter({ visible: true }).click()
  const add = page.getByRole('dialog', { name: 'Add New User' })
  await add.getByRole('alert').waitFor()
  await axe(page)
  await shot(page, 'users-add-unread')
  await page.unroute(channels)
  await add.getByRole('button', { name: 'Try again' }).click()
  await add.getByLabel('Email').waitFor()
  await page.keyboard.press('Escape')

  await page.route(/\/users\?.*$/, (route) => route.abort())
  await page.reload()
  await page.getByText('No connection').waitFor()
  await axe(page)
})
