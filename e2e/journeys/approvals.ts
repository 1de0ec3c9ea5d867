import { z } from 'zod'
import { until } from '#server/testing/until.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import { changeReply } from '../replies.ts'
import { callInProject, channelIdsOf, submitPosts } from '../posts.ts'
import { newColleague } from '../team.ts'

const Users = z.object({ users: z.array(z.looseObject({ userId: z.string(), email: z.string() })) })
const Workflows = z.looseObject({ workflows: z.array(z.looseObject({ workflowId: z.string() })) })
const Made = z.looseObject({ workflowId: z.string() })
const Stored = z.looseObject({ status: z.string(), dueAt: z.string().nullable() })
const Submitted = z.looseObject({ posts: z.array(z.looseObject({ postId: z.string() })) })
/** The path of the link in an email; quoted-printable breaks long lines. */
const linkIn = (mail: string) => /\/approve\/[\w-]{20,}/.exec(mail.replaceAll(/=\r?\n/g, ''))?.[0]

test('approvals: several are approved at once from the list, and one that cannot be published says why', async ({
  stage,
}) => {
  const ada = await stage.newPerson({ upTo: 'channel', account: 'severalatonce' })
  const grace = await newColleague(stage, ada, { role: 'editor' })
  const { workflowId } = Workflows.parse(await callInProject(ada, 'get', '/workflow')).workflows[0] ?? {
    workflowId: '',
  }
  const channelIds = await channelIdsOf(ada)
  for (const [i, text] of ['Cake on Monday', 'Bread on Tuesday', 'Soup on Wednesday'].entries()) {
    const schedule = {
      type: 'ONCE',
      details: { utc: new Date(Date.now() + (i + 2) * 86_400_000).toISOString(), timezone: 'Europe/Berlin' },
    }
    await callInProject(grace, 'post', '/post', {
      intent: 'NEEDS_APPROVAL',
      workflowId,
      channels: channelIds.map((channelId) => ({ channelId, postType: 'post', contents: [{ text, media: [] }] })),
      schedule,
    })
  }
  const { page } = ada
  await page.bringToFront()
  await page.goto(ada.at('posts/pending-approvals'))
  await page.getByText('Soup on Wednesday').waitFor()
  await page.getByLabel('Select all').check()
  await page.getByLabel('Select Bread on Tuesday').uncheck()
  const chosen = page.getByRole('region', { name: 'Selected posts' })
  await chosen.getByText('2 selected').waitFor()
  await axe(page)
  await shot(page, 'approvals-many')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'approvals-many-phone')
  await page.setViewportSize(DESKTOP)
  await chosen.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('2 posts approved.').waitFor()
  await page.getByText('Soup on Wednesday').waitFor({ state: 'detached' })
  // one is rejected from its menu, which asks for the reason
  await page.getByRole('button', { name: 'Actions for Bread on Tuesday' }).click()
  await shot(page, 'approvals-row-menu')
  await page.getByRole('menuitem', { name: 'Reject' }).click()
  const asking = page.getByRole('dialog', { name: 'Reject this post?' })
  await asking.getByRole('button', { name: 'Reject' }).click()
  await asking.getByText('Say why').waitFor()
  await axe(page)
  await shot(page, 'approvals-reject')
  await page.setViewportSize(PHONE)
  await shot(page, 'approvals-reject-phone')
  await page.setViewportSize(DESKTOP)
  await asking.getByRole('textbox', { name: 'Reason' }).fill('Rye, not wheat')
  await asking.getByRole('button', { name: 'Reject' }).click()
  await page.getByText('1 post rejected.').waitFor()
  await page.getByText('Nothing needs your approval').waitFor()
  await page.goto(ada.at('posts/scheduled'))
  for (const text of ['Cake on Monday', 'Soup on Wednesday']) await page.getByText(text).waitFor()
  await page.goto(ada.at('posts/rejected'))
  await page.getByRole('button', { name: 'Bread on Tuesday' }).first().click()
  await page.getByRole('dialog', { name: 'Post' }).getByText('Rye, not wheat').first().waitFor()

  // an approved post that can't be published says why, and where to fix it
  const asked = await callInProject(grace, 'post', '/post', {
    intent: 'NEEDS_APPROVAL',
    workflowId,
    channels: [{ channelId: channelIds[0], postType: 'post', contents: [{ text: 'Soup of the day', media: [] }] }],
    schedule: { type: 'NOW' },
  })
  const [{ postId } = { postId: '' }] = Submitted.parse(asked).posts
  await callInProject(ada, 'post', `/social/${channelIds[0] ?? ''}/disable`)
  await page.bringToFront()
  await page.goto(ada.at('posts/pending-approvals'))
  await page.getByLabel('Select Soup of the day').check()
  await page.getByRole('region', { name: 'Selected posts' }).getByRole('button', { name: 'Approve' }).click()
  await page.getByText("1 post approved. It can't be published yet. Open Approved to see why.").waitFor()
  await page.goto(ada.at(`posts/approved?post=${postId}`))
  const sheet = page.getByRole('dialog', { name: 'Post' })
  await sheet.getByText(/is disabled. Enable the channel to post to it.$/).waitFor()
  await sheet.getByText('Waiting for someone to choose a time or publish it').waitFor()
  await sheet.getByRole('link', { name: 'Open Channels' }).waitFor()
  await axe(page)
  await shot(page, 'approved-waits')
  await page.setViewportSize(PHONE)
  await shot(page, 'approved-waits-phone')
  await page.setViewportSize(DESKTOP)
})

test('approvals: a User edits, resubmits, moves and deletes their own rejected and waiting posts', async ({
  stage,
}) => {
  const ada = await stage.newPerson({ upTo: 'channel', account: 'ownposts' })
  const grace = await newColleague(stage, ada, { role: 'user' })
  const { page } = grace
  const [{ workflowId } = { workflowId: '' }] = Workflows.parse(await callInProject(ada, 'get', '/workflow')).workflows
  const schedule = {
    type: 'ONCE',
    details: { utc: new Date(Date.now() + 3 * 86_400_000).toISOString(), timezone: 'Europe/Berlin' },
  }
  const [rejected = '', waiting = ''] = await submitPosts(
    grace,
    ['Bread on Tuesday', 'Soup on Wednesday'],
    schedule,
    'NEEDS_APPROVAL',
    { workflowId },
  )
  await callInProject(ada, 'post', `/post/reject/${rejected}`, { version: 1, comment: 'Name the bread' })

  // the rejected one: edited and sent for approval again
  await page.bringToFront()
  await page.goto(grace.at(`post/${rejected}`))
  await page.getByText('Name the bread').first().waitFor()
  await axe(page)
  await shot(page, 'own-rejected')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'own-rejected-phone')
  await page.setViewportSize(DESKTOP)
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByRole('heading', { name: 'Edit post' }).waitFor()
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Rye bread on Tuesday')
  await page.getByRole('button', { name: 'Send for approval', exact: true }).click()
  await page.getByText('Rye bread on Tuesday').first().waitFor()
  const state = async (postId: string) => Stored.parse(await callInProject(grace, 'get', `/post/${postId}`))
  await until(async () => ((await state(rejected)).status === 'NEEDS_APPROVAL' ? true : undefined), {
    what: 'its second round of approval',
  })

  // the waiting one: moved, then deleted
  await page.goto(grace.at(`post/${waiting}`))
  const { dueAt } = await state(waiting)
  await page.getByRole('button', { name: 'Reschedule' }).click()
  const move = page.getByRole('dialog', { name: 'Reschedule' })
  await move.getByLabel('Time, minute').selectOption('7')
  await move.getByRole('button', { name: 'Move post' }).click()
  await move.waitFor({ state: 'detached' })
  await until(async () => ((await state(waiting)).dueAt === dueAt ? undefined : true), { what: 'the new time' })
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('Post deleted successfully').waitFor()
  await until(async () => ((await state(waiting)).status === 'DELETED' ? true : undefined), {
    what: 'its deletion',
  })
})

test('approvals: a colleague, then an external approver without an account; a rejection with its reason', async ({
  stage,
}) => {
  const ada = await stage.newPerson({ upTo: 'channel', account: 'approvals' })
  const grace = await newColleague(stage, ada)
  const { page } = ada
  const { users } = Users.parse(await callInProject(ada, 'get', '/users/all'))
  const userId = users.find(({ email }) => email === grace.email)?.userId
  const outside = `outside-${grace.email}`
  const steps = [
    { needs: 'any', approvers: [{ kind: 'member', userId }] },
    { needs: 'any', approvers: [{ kind: 'external', email: outside, name: 'Linus Client' }] },
  ]
  const { workflowId } = Made.parse(await callInProject(ada, 'post', '/workflow', { name: 'Client sign-off', steps }))
  const channelIds = await channelIdsOf(ada)
  const send = async (text: string) => {
    const body = {
      intent: 'NEEDS_APPROVAL',
      workflowId,
      channels: channelIds.map((channelId) => ({ channelId, postType: 'post', contents: [{ text, media: [] }] })),
      schedule: {
        type: 'ONCE',
        details: { utc: new Date(Date.now() + 3 * 86_400_000).toISOString(), timezone: 'Europe/Berlin' },
      },
    }
    return Submitted.parse(await callInProject(ada, 'post', '/post', body)).posts[0]?.postId ?? ''
  }
  const first = await send(`The winter roast is back on Monday\n\n${'Cocoa, dried fig, a little smoke. '.repeat(7)}`)

  // the teammate: nothing without a reason, then approved
  await grace.page.bringToFront()
  await grace.page.goto(grace.at(`posts/pending-approvals?post=${first}`))
  const panel = grace.page.getByRole('region', { name: 'Approval' })
  await panel.getByText('Waiting for step 1 of 2 in Client sign-off').waitFor()
  await axe(grace.page)
  await shot(grace.page, 'approval-sheet-first')
  await panel.getByRole('button', { name: 'Reject' }).click()
  await panel.getByText('Enter a reason').waitFor()
  await panel.getByRole('button', { name: 'Reject' }).click()
  await panel.getByText('Say why', { exact: true }).waitFor()
  await axe(grace.page)
  await shot(grace.page, 'approval-sheet')
  await grace.page.setViewportSize(PHONE)
  await axe(grace.page)
  await shot(grace.page, 'approval-sheet-phone')
  await grace.page.setViewportSize(DESKTOP)
  // a sheet of another size begins again
  await panel.getByRole('button', { name: 'Add a comment' }).click()
  await panel.getByLabel('Comment').fill('Reads well')
  await panel.getByRole('button', { name: 'Approve' }).click()
  await grace.page.getByText('Post approved').waitFor()
  await panel.getByText('Waiting for step 2 of 2 in Client sign-off').waitFor()
  await panel.getByText('Grace Hopper approved it').waitFor()

  // someone outside the organization, on a phone
  const path = linkIn(await stage.mailTo(outside, (text) => linkIn(text) !== undefined)) ?? ''
  const guest = await stage.openPage({ viewport: PHONE })
  await guest.goto(path)
  await guest.getByRole('heading', { name: 'Approve this post?' }).waitFor()
  await guest.getByText('The winter roast is back on Monday').waitFor()
  await axe(guest)
  await shot(guest, 'approve-phone', { fullPage: true })
  // a platform truncates a long text after a few lines; approvers see all of it, and the buttons stay within reach
  await changeReply(guest, '**/api/public/approval/**', (reply) => {
    const asked = z.looseObject({ post: z.looseObject({ channel: z.looseObject({}) }) }).parse(reply)
    return { ...asked, post: { ...asked.post, channel: { ...asked.post.channel, platformName: 'linkedin' } } }
  })
  await guest.reload()
  const all = guest.getByRole('article', { name: /on LinkedIn/ }).getByText('The winter roast is back on Monday')
  await all.waitFor()
  if (await all.evaluate((words) => words.scrollHeight > words.clientHeight + 1))
    throw new Error('the words are cut for the one who decides')
  await guest.unrouteAll({ behavior: 'wait' })
  // opening it again didn't decide anything either
  await guest.getByRole('button', { name: 'Reject' }).click()
  await guest.getByText('Enter a reason').waitFor()
  await guest.setViewportSize(DESKTOP)
  await shot(guest, 'approve')
  await guest.getByRole('button', { name: 'Approve' }).click()
  await guest.getByRole('heading', { name: 'Your decision is saved' }).waitFor()
  await axe(guest)
  await shot(guest, 'approve-decided')
  await callInProject(ada, 'delete', `/post/${first}/approval-links`)
  await guest.goto(path)
  await guest.getByRole('heading', { name: 'This link has ended' }).waitFor()
  await guest.getByText("You don't need to do anything").waitFor()
  await axe(guest)
  await shot(guest, 'approve-ended')
  await guest.goto('/approve/nobody-has-ever-made-this-token')
  await guest.getByRole('heading', { name: "This link doesn't work" }).waitFor()
  await axe(guest)

  // the person who sent it sees it continue, and who decided
  await page.bringToFront()
  await page.goto(ada.at(`posts/scheduled?post=${first}`))
  const sheet = page.getByRole('region', { name: 'Approval' })
  await sheet.getByText('Approved in Client sign-off').waitFor()
  await sheet.getByText('Linus Client approved it').waitFor()

  // a reminder, and a rejection that appears on the open screen
  const second = await send('Half price on everything')
  await page.goto(ada.at(`posts/sent-for-approvals?post=${second}`))
  await sheet.getByRole('button', { name: 'Remind' }).click()
  await page.getByText('Reminder sent').waitFor()
  await callInProject(grace, 'post', `/post/reject/${second}`, { version: 1, comment: 'Not everything is on sale' })
  await sheet.getByText('Rejected in Client sign-off').waitFor()
  await sheet.getByText('Not everything is on sale').waitFor()
  await axe(page)
  await shot(page, 'approval-rejected')
})
