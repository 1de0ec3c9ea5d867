import { z } from 'zod'
import { until } from '#server/testing/until.ts'
import { axe } from '../axe.ts'
import { PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import { addAccount, useAppPassword } from '../people.ts'

const Channels = z.object({ channels: z.array(z.object({ channelId: z.string() })) })

test('posts: lists, opening by address, deleting with undo, editing, a copy, sent now and deleted there, too', async ({
  stage,
}) => {
  const person = await stage.newPerson()
  const { page, ids } = person
  const account = await addAccount(person, stage.bluesky, 'lister')
  await page.goto(person.at('posts/scheduled'))
  await page.getByText('Nothing scheduled').waitFor()
  await axe(page)

  const project = `/api/${ids.orgId}/project/${ids.projectId}`
  const { channels } = Channels.parse(await (await page.request.get(`${project}/social/all`)).json())
  const due = new Date(Date.now() + 3 * 86_400_000).toISOString()
  for (const text of ['Brew guide: V60 in three steps', 'Behind the bar with Ana']) {
    const reply = await page.request.post(`${project}/post`, {
      data: {
        intent: 'SCHEDULE',
        channels: channels.map(({ channelId }) => ({ channelId, postType: 'post', contents: [{ text, media: [] }] })),
        schedule: { type: 'ONCE', details: { utc: due, timezone: 'Europe/Berlin' } },
      },
    })
    if (!reply.ok()) throw new Error(await reply.text())
  }
  // the live stream brings both without a reload
  const table = page.getByRole('table', { name: 'Scheduled' })
  const row = (text: string) => table.getByRole('row').filter({ hasText: text })
  await row('Brew guide').waitFor()
  await row('Behind the bar').waitFor()
  await axe(page)
  await shot(page, 'posts-scheduled')

  await row('Brew guide')
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
  await axe(page)
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByText('Post deleted successfully').waitFor()
  await row('Brew guide').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await row('Brew guide').waitFor()

  await row('Behind the bar').getByRole('button', { name: 'Behind the bar with Ana', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Post' })
  await sheet.getByRole('link', { name: 'Open as a page' }).click()
  await page.waitForURL(/\/post\/[\w-]{36}$/)
  await page.getByRole('heading', { name: 'What happened' }).waitFor()
  await axe(page)
  await shot(page, 'post-page')

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByRole('heading', { name: 'Edit post' }).waitFor()
  const text = page.getByRole('textbox', { name: 'Text', exact: true })
  await text.fill('Behind the bar with Ana and Ben')
  await axe(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Post updated successfully').waitFor()
  // back on its page, which needs no way to it
  await page.waitForURL(/\/post\/[\w-]{36}$/)
  await page.getByText('Behind the bar with Ana and Ben').first().waitFor()
  if ((await page.getByRole('button', { name: 'View', exact: true }).count()) > 0)
    throw new Error('the message offers the post that is open')
  await page.goto(`${person.at('posts/posts')}?post=${page.url().split('/').at(-1)}`)

  // actions that its status doesn't allow aren't listed
  await sheet.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Send now' }).waitFor()
  if (await page.getByRole('menuitem', { name: 'Retry' }).isVisible())
    throw new Error('a scheduled post can be retried')
  await axe(page)
  await shot(page, 'post-actions')
  await page.getByRole('menuitem', { name: 'Send now' }).click()
  const sending = page.getByRole('dialog', { name: 'Send this post now?' })
  await sending.waitFor()
  await axe(page)
  await sending.getByRole('button', { name: 'Send now' }).click()
  await sheet.getByText('Published', { exact: true }).waitFor()
  if ((await stage.bluesky.posts(account)).length !== 1) throw new Error('it is not there once')
  await sheet.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const asking = page.getByRole('dialog', { name: 'Delete this post?' })
  await asking.getByRole('radio', { name: /Here and on Bluesky/ }).check()
  await axe(page)
  await asking.getByRole('button', { name: 'Delete here and on Bluesky' }).click()
  await sheet.waitFor({ state: 'hidden' })
  await until(async () => ((await stage.bluesky.posts(account)).length === 0 ? true : undefined), {
    what: 'the post gone from the platform',
  })

  // a copy starts with the post's content, at a new time
  await page.goto(person.at('posts/scheduled'))
  await page.getByRole('button', { name: /^Actions for Brew guide/ }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await until(async () => ((await text.inputValue()) === 'Brew guide: V60 in three steps' ? true : undefined), {
    what: 'the words of the post',
  })
  await page.getByRole('checkbox', { name: /lister/, checked: true }).waitFor({ state: 'attached' })
  await page.waitForURL(/draft=/)
  await text.fill('Brew guide: Aeropress')
  await page.getByRole('button', { name: 'Schedule', exact: true }).last().click()
  await page.getByText('Post Scheduled').waitFor()
  await page.goto(person.at('posts/scheduled'))
  await row('V60').waitFor()
  await row('Aeropress').waitFor()
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'posts-phone')
  // if the post is gone there is still a way to continue
  await page.goto(person.at('compose?copy=019a0000-0000-7000-8000-000000000999'))
  await page.getByText('This post is no longer available').waitFor()
  await page.getByRole('link', { name: 'Start a new post' }).click()
  await text.waitFor()
})

test('posts: a post that waits for its channel says so, and is published once that is fixed', async ({ stage }) => {
  const person = await stage.newPerson()
  const { page } = person
  const account = await addAccount(person, stage.bluesky, 'lapsed')
  await stage.bluesky.takeDown(account)

  await page.goto(person.at('compose'))
  await page.getByRole('checkbox', { name: /lapsed/ }).check()
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Thank you, Neukölln')
  await page.getByRole('button', { name: 'Publish now', exact: true }).last().click()
  await page.getByRole('button', { name: 'View', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Post' })
  await sheet.getByRole('paragraph').filter({ hasText: 'is signed out of Bluesky.' }).waitFor()
  await axe(page)
  await shot(page, 'post-waits')

  // the account is back: reconnecting is the only button, and the post is published automatically, once
  await stage.bluesky.takeDown(account, false)
  await sheet.getByRole('link', { name: 'Reconnect Bluesky' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reconnect Bluesky' })
  await useAppPassword(dialog)
  await dialog.getByLabel('App password').fill(account.appPassword)
  if ((await dialog.getByLabel('Server').count()) === 0)
    await dialog.getByRole('button', { name: 'Other server' }).click()
  await dialog.getByLabel('Server').fill(stage.bluesky.url)
  await dialog.getByRole('button', { name: 'Reconnect', exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.goto(person.at('posts/published'))
  await page.getByRole('button', { name: 'Thank you, Neukölln', exact: true }).click()
  await sheet.getByText('Published', { exact: true }).waitFor()
  await sheet.getByRole('link', { name: /^Bluesky/ }).waitFor()
  const live = await stage.bluesky.posts(account)
  if (live.length !== 1) throw new Error(`it was published ${live.length} times`)
})
