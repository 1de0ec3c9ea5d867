import { randomUUIDv7 } from 'node:crypto'
import { expect, type Page, type Request } from '@playwright/test'
import { saveDraft } from '#contract/drafts.ts'
import { assignConversation } from '#contract/inbox/actions.ts'
import { createLabel } from '#contract/labels.ts'
import { home } from '#contract/organizations.ts'
import type { Permissions } from '#contract/permissions.ts'
import { assignRole, createRole } from '#contract/roles.ts'
import { callAs } from '../api.ts'
import { axe } from '../axe.ts'
import { PHONE } from '../browser.ts'
import { inDatabase } from '../database.ts'
import { test, type Stage } from '../harness.ts'
import { addInboxChannel, ago, write } from '../inbox.ts'
import type { Person } from '../people.ts'
import { schedulePosts } from '../posts.ts'
import { newColleague } from '../team.ts'

/** A colleague with a custom role of these permissions, on all channels. */
async function colleagueWith(stage: Stage, admin: Person, permissions: Permissions): Promise<Person> {
  const colleague = await newColleague(stage, admin)
  const { user } = await callAs(colleague.page, home)
  const { roleId } = await callAs(admin.page, createRole, {
    params: admin.ids,
    body: { name: 'Limited', permissions },
  })
  await callAs(admin.page, assignRole, {
    params: admin.ids,
    body: { roleId, userId: user.userId, channelIds: null },
  })
  return colleague
}

/** Fails if a call of the page is refused, or if the page or a part of it says so. */
function watch(page: Page) {
  const open = new Set<Request>()
  const refused: string[] = []
  const isStream = (request: Request) => request.url().includes('/events')
  page.on('request', (request) => (isStream(request) ? undefined : open.add(request)))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  page.on('response', (response) =>
    response.status() === 403 ? refused.push(`${response.request().method()} ${response.url()}`) : undefined,
  )
  return async (from: string): Promise<void> => {
    // a sheet over the page of a phone hides its heading
    await page.getByRole('heading', { level: 1 }).or(page.getByRole('dialog')).first().waitFor()
    await expect.poll(() => [...open].map((request) => request.url()), `still loading, ${from}`).toEqual([])
    expect(refused, `refused calls, ${from}`).toEqual([])
    await expect(page.getByText(/Access denied|You don.t have access/), from).toHaveCount(0)
  }
}

const linksOf = async (page: Page): Promise<string[]> => [
  ...new Set(
    await page.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? 'nowhere')),
  ),
]

test('roles: who only answers people meets no page, section or call that is refused', async ({ stage }) => {
  const admin = await stage.newPerson({ upTo: 'channel' })
  const [postId] = await schedulePosts(admin, [{ text: 'Not for everyone', inDays: 2 }])
  const channelId = await addInboxChannel(stage, admin, 'facebook', 'Northlight Roastery')
  const text = 'When do you open on Sundays?'
  const { conversationId } = await write(stage, admin, {
    channelId,
    from: 'jonas',
    text,
    at: ago({ hours: 1 }),
    aboutPost: 'ours',
  })
  await inDatabase(stage, ({ system }) =>
    system.query('update conversation set post_id = $1 where id = $2', [postId, conversationId]),
  )
  await callAs(admin.page, createLabel, { params: admin.ids, body: { labelName: 'Opening hours', color: 'blue' } })
  const answers = ['view', 'create', 'edit', 'delete']
  const { page, at } = await colleagueWith(stage, admin, { inbox: ['view'], dm: answers, comment: answers })
  const { user } = await callAs(page, home)
  await callAs(admin.page, assignConversation, {
    params: { ...admin.ids, conversationId },
    body: { userId: user.userId },
  })
  const nothingIsRefused = watch(page)
  const openDashboard = async () => {
    await page.goto(at('dashboard'))
    await page.getByRole('region', { name: 'Inbox', exact: true }).getByText('1 received').waitFor()
    await page.getByRole('region', { name: 'Connected Accounts' }).getByText('Northlight Roastery').waitFor()
    await nothingIsRefused('on the dashboard')
  }
  /** The links of the bell, and then of the page behind it. */
  const withBell = async () => {
    const links = await linksOf(page)
    await page.getByRole('button', { name: /^Notifications/ }).click()
    const bell = page.getByRole('dialog', { name: 'Notifications' })
    await bell.getByText('Ada Lovelace assigned a conversation to you').waitFor()
    await axe(page)
    const more = await linksOf(page)
    await page.keyboard.press('Escape')
    return [...new Set([...links, ...more])]
  }
  const follow = async (links: readonly string[]) => {
    for (const link of links) {
      await page.goto(link)
      await nothingIsRefused(`at ${link}`)
    }
  }
  /** The choices that lead somewhere. */
  const openPalette = async (open: () => Promise<void>) => {
    await open()
    const palette = page.getByRole('dialog', { name: 'Search or jump to' })
    await palette.getByRole('option', { name: /^Inbox/ }).waitFor()
    const empty = await palette
      .locator('[cmdk-group]')
      .evaluateAll((groups) =>
        groups.filter((group) => !group.querySelector('[role=option]')).map((group) => group.textContent),
      )
    expect(empty).toEqual([])
    await expect(palette.getByText(/^Create|in the calendar$/)).toHaveCount(0)
    await axe(page)
    const choices = await palette
      .getByRole('option')
      .evaluateAll((options) => options.map((option) => option.textContent))
    return { palette, choices: choices.filter((name) => !/^Theme|^Keyboard|^Log out/.test(name)) }
  }
  const followPalette = async (open: () => Promise<void>) => {
    await openDashboard()
    const { choices } = await openPalette(open)
    for (const [place, name] of choices.entries()) {
      await openDashboard()
      const { palette } = await openPalette(open)
      await palette.getByRole('option').nth(place).click()
      await palette.waitFor({ state: 'hidden' })
      await nothingIsRefused(`at ${name} of the palette`)
    }
    return choices
  }

  await openDashboard()
  await axe(page)
  await expect(page.getByText('scheduled', { exact: false })).toHaveCount(0)
  expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()).toEqual([
    'Dashboard',
    expect.stringMatching(/^Inbox/),
    'Channels',
  ])
  const links = await withBell()
  expect(links).toEqual(expect.arrayContaining([at('notices'), at('inbox'), at(`inbox?c=${conversationId}`)]))
  await follow(links)
  await page.goto(at('notices'))
  await page.getByRole('group', { name: 'Topic' }).getByRole('button', { name: 'Low reviews' }).waitFor()
  for (const topic of ['Failed posts', 'Approvals', 'Notes', 'Discussions'])
    await expect(page.getByRole('group', { name: 'Topic' }).getByRole('button', { name: topic })).toHaveCount(0)
  const choices = await followPalette(() => page.keyboard.press('Control+k'))

  const desk = page.viewportSize()
  await page.setViewportSize(PHONE)
  await openDashboard()
  await axe(page)
  const onPhone = await withBell()
  const openMore = async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('dialog', { name: 'More' }).waitFor()
  }
  await openMore()
  await follow([...new Set([...onPhone, ...(await linksOf(page))])])
  expect(
    await followPalette(async () => {
      await openMore()
      await page.getByRole('button', { name: 'Search or jump to' }).filter({ visible: true }).click()
    }),
  ).toEqual(choices)

  if (desk) await page.setViewportSize(desk)
  await page.goto(at(`inbox?c=${conversationId}`))
  const conversation = page.getByRole('article', { name: /^Conversation with/ })
  await conversation.getByRole('region', { name: 'About this post' }).getByText('Our post', { exact: true }).waitFor()
  await nothingIsRefused('at a conversation about a post')
  await expect(page.getByRole('link', { name: 'Open post' })).toHaveCount(0)
  await page.keyboard.press('l')
  const labels = page.getByRole('dialog', { name: 'Labels' })
  await labels.getByRole('checkbox', { name: 'Opening hours' }).check()
  await expect(labels.getByRole('button', { name: 'Manage labels' })).toHaveCount(0)
  await axe(page)
  await page.keyboard.press('Escape')
  await conversation.getByRole('button', { name: /Opening hours/ }).waitFor()
  await page.keyboard.press('a')
  await page.getByRole('menuitem', { name: 'Ada Lovelace' }).click()
  await conversation.getByRole('button', { name: /^Assigned to .*Ada Lovelace/ }).waitFor()
  await nothingIsRefused('after labeling and assigning')
})

test("roles: who only views posts opens a draft beside its list, and channels have no menu of what isn't allowed", async ({
  stage,
}) => {
  const admin = await stage.newPerson({ upTo: 'channel' })
  const text = 'Something that is not finished'
  await callAs(admin.page, saveDraft, {
    params: { ...admin.ids, postId: randomUUIDv7() },
    body: {
      version: 0,
      draft: {
        text,
        media: [],
        channelIds: [],
        additionalDetails: {},
        schedule: { mode: 'once', date: '', time: '', timezone: 'Europe/Berlin' },
      },
    },
  })
  const { page, at } = await colleagueWith(stage, admin, { post: ['view'] })
  const nothingIsRefused = watch(page)
  for (const size of [page.viewportSize(), PHONE]) {
    if (size) await page.setViewportSize(size)
    await page.goto(at('posts/draft'))
    await page.getByRole('row').getByRole('button', { name: text, exact: true }).click()
    await page.waitForURL('**/posts/draft?**post=**')
    await page.getByRole('dialog', { name: 'Post' }).getByText(text).waitFor()
    await nothingIsRefused('at the draft')
    await axe(page)

    await page.goto(at('dashboard?show=draft'))
    await page.getByRole('list', { name: 'Drafts' }).getByText(text).click()
    await page.getByRole('dialog', { name: 'Post' }).getByText(text).waitFor()
    await nothingIsRefused('at the draft, on the dashboard')

    await page.goto(at('channels'))
    const channel = page.getByRole('row').filter({ hasText: 'rook.test' })
    await channel.waitFor()
    await nothingIsRefused('on the page of channels')
    await expect(channel.getByRole('button')).toHaveCount(0)
    await axe(page)
  }
})
