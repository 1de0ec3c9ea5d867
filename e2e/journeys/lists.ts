import { adviceFor, because, sentenceOf } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import { until } from '#server/testing/until.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot, undo } from '../browser.ts'
import { test } from '../harness.ts'
import { callInProject, schedulePosts, submitPosts } from '../posts.ts'
import { changeReply } from '../replies.ts'

const body = (post: unknown) => z.looseObject({}).parse(post)

test('lists: labels, many posts at once with undo, a saved view', async ({ newPerson }) => {
  const person = await newPerson({ upTo: 'channel', account: 'sorter' })
  const { page } = person
  await schedulePosts(person, [
    { text: 'Alpha post', inDays: 2 },
    { text: 'Beta post', inDays: 3 },
    { text: 'Gamma post', inDays: 4 },
  ])
  // an address that names no list
  await page.goto(person.at('posts/nonsense'))
  await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
  await page.goto(person.at('posts/scheduled'))
  const table = page.getByRole('table', { name: 'Scheduled' })
  await table.getByRole('button', { name: 'Gamma post', exact: true }).waitFor()

  // a label, its color by name
  await page.getByRole('button', { name: 'Label', exact: true }).click()
  await page.getByRole('button', { name: 'Manage labels' }).click()
  await page.getByText('No labels yet').waitFor()
  await page.getByRole('button', { name: 'Create label' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Launch')
  await page.getByRole('radio', { name: 'Orange' }).check()
  await axe(page)
  await shot(page, 'label-create')
  await page.getByRole('button', { name: 'Create label' }).click()
  await page.getByText('Label created successfully').waitFor()
  const labels = page.getByRole('dialog', { name: 'Labels' })
  await labels.getByText('Orange, on no posts').waitFor()
  await axe(page)
  await shot(page, 'labels')
  await page.keyboard.press('Escape')
  await labels.waitFor({ state: 'hidden' })

  // shift takes everything in between
  await page.getByRole('checkbox', { name: 'Select Alpha post' }).check()
  await page.getByRole('checkbox', { name: 'Select Gamma post' }).click({ modifiers: ['Shift'] })
  const bar = page.getByRole('region', { name: 'Selected posts' })
  await bar.getByText('3 selected').waitFor()
  await axe(page)
  await shot(page, 'posts-chosen')
  await page.getByRole('checkbox', { name: 'Select Beta post' }).uncheck()
  await bar.getByRole('button', { name: 'Label', exact: true }).click()
  const giving = page.getByRole('dialog', { name: 'Labels for 2 posts' })
  await giving.getByRole('checkbox', { name: 'Launch' }).check()
  await axe(page)
  await giving.getByRole('button', { name: 'Save labels' }).click()
  await giving.waitFor({ state: 'hidden' })
  await table.getByRole('row').filter({ hasText: 'Alpha post' }).getByText('Launch').waitFor()

  // filtered by it, and saved as a view
  await page.getByRole('button', { name: 'Label', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Launch' }).check()
  await page.waitForURL(/labels=/)
  await page.keyboard.press('Escape')
  await table.getByRole('button', { name: 'Beta post', exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('button', { name: 'Save this view' }).click()
  await page.getByRole('dialog', { name: 'Save this view' }).getByLabel('Name').fill('Launch posts')
  await axe(page)
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByText('View saved').waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await table.getByRole('button', { name: 'Beta post', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('dialog', { name: 'Saved views' }).waitFor()
  await axe(page)
  await page.getByRole('button', { name: 'Launch posts', exact: true }).click()
  await page.waitForURL(/labels=/)
  await page.getByRole('button', { name: 'View: Launch posts' }).waitFor()
  await shot(page, 'posts-view')
  await page.getByRole('button', { name: 'Clear' }).click()

  // deletes many, and undoes it
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await bar.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Nothing scheduled').waitFor()
  await undo(page, /deleted/)
  await table.getByRole('button', { name: 'Beta post', exact: true }).waitFor()
  await page.setViewportSize(PHONE)
  await page.getByRole('checkbox', { name: 'Select Beta post' }).check()
  await axe(page)
  await shot(page, 'posts-chosen-phone')
})

test('lists: notes on a post with a mention, a reply, an edit, and its activity', async ({ newPerson }) => {
  const person = await newPerson({ upTo: 'channel', account: 'noter', firstName: 'Ada', lastName: 'Lovelace' })
  const { page } = person
  const [postId = ''] = await schedulePosts(person, [{ text: 'Talk about me', inDays: 2 }])
  await page.goto(`${person.at('posts/scheduled')}?post=${postId}`)
  const sheet = page.getByRole('dialog', { name: 'Post' })
  await sheet.getByRole('tab', { name: 'Notes' }).click()
  await page.waitForURL(/panel=notes/)
  await sheet.getByText('No notes yet').waitFor()
  await sheet.getByRole('textbox', { name: 'Note' }).pressSequentially('Is the date right, @ad')
  await sheet.getByRole('option', { name: 'Ada Lovelace' }).waitFor()
  await axe(page)
  await shot(page, 'notes-mention')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Note Added').waitFor()
  const notes = sheet.getByRole('list', { name: 'Notes' })
  await notes.getByText('@Ada Lovelace', { exact: true }).waitFor()
  await sheet.getByRole('button', { name: 'Reply to Ada Lovelace' }).click()
  await page.keyboard.type('Yes, it is')
  await sheet.getByRole('button', { name: 'Reply', exact: true }).click()
  await sheet.getByRole('list', { name: 'Replies' }).getByText('Yes, it is').waitFor()
  await sheet.getByRole('button', { name: 'Edit note' }).click()
  await sheet.getByRole('textbox', { name: 'Edit note' }).fill('Is the day right?')
  await sheet.getByRole('button', { name: 'Save', exact: true }).click()
  await notes.getByText('Is the day right?').waitFor()
  await axe(page)
  await shot(page, 'notes')
  await sheet.getByRole('button', { name: 'Delete note' }).click()
  await page.getByRole('dialog', { name: 'Delete this note?' }).waitFor()
  await axe(page)
  await page.getByRole('dialog', { name: 'Delete this note?' }).getByRole('button', { name: 'Delete note' }).click()
  await sheet.getByText('No notes yet').waitFor()
  await sheet.getByRole('tab', { name: 'Activity' }).click()
  await sheet
    .getByRole('list', { name: 'Activity' })
    .getByText(/^Scheduled by Ada Lovelace/)
    .waitFor()
  await axe(page)
  await shot(page, 'activity')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'activity-phone')
})

test('lists: a series is edited, moved and deleted as one', async ({ newPerson }) => {
  const person = await newPerson({ upTo: 'channel', account: 'repeater' })
  const { page } = person
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const [first = '', second = ''] = await submitPosts(person, ['Every day'], {
    type: 'RECURRING_CUSTOM',
    details: { timezone: 'Europe/Berlin', utc: [day(2), day(3), day(4)] },
  })
  // one of them was edited separately: it's only included if the person says so
  const edit = { version: 1, contents: [{ text: 'Every day, once differently', media: [] }] }
  await callInProject(person, 'post', `/post/${second}`, edit)
  await page.goto(person.at(`compose?edit=${first}`))
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Every week')
  await page.getByLabel('Posts in the series').selectOption('all')
  await page.getByRole('checkbox', { name: 'Include posts that were edited separately', checked: false }).check()
  await axe(page)
  await shot(page, 'composer-series-scope')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText(/^Post updated successfully/).waitFor()
  await page.goto(person.at('posts/scheduled'))
  const rows = page.getByRole('table', { name: 'Scheduled' }).getByRole('row').filter({ hasText: 'Every week' })
  await rows.nth(2).waitFor()
  await rows.nth(1).getByText('2 of 3').waitFor()
  await rows
    .nth(1)
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Reschedule' }).click()
  const moving = page.getByRole('dialog', { name: 'Reschedule' })
  await moving.getByRole('radio', { name: 'This and later posts' }).check()
  await axe(page)
  await shot(page, 'series-move')
  await moving.getByLabel('Time, minute').selectOption('7')
  await moving.getByRole('button', { name: 'Move posts' }).click()
  await page.getByText(/^Post Rescheduled: .*, and 1 other of its series/).waitFor()
  await rows
    .nth(1)
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const deleting = page.getByRole('dialog', { name: 'Delete this post?' })
  await deleting.getByRole('radio', { name: 'All posts in the series' }).check()
  await deleting.getByRole('button', { name: 'Delete posts' }).click()
  await page.getByText('Nothing scheduled').waitFor()
  await undo(page, /deleted/)
  await rows.nth(2).waitFor()
})

test('lists: retry, and the choices of an unconfirmed post', async ({ newPerson }) => {
  const person = await newPerson({ upTo: 'channel', account: 'leafer' })
  const { page } = person
  const [postId = ''] = await schedulePosts(person, [{ text: 'Trouble', inDays: 2 }])
  const address = `**/post/${postId}`
  const failure = {
    class: 'retry',
    action: 'retry',
    ...because('no-answer', { platform: 'Bluesky' }),
  }
  await changeReply(page, address, (post) => ({ ...body(post), status: 'FAILED', failure }))
  const said: unknown[] = []
  const answered =
    (message: string) =>
    async (route: { request: () => { postDataJSON: () => unknown }; fulfill: (reply: object) => Promise<void> }) => {
      said.push(route.request().postDataJSON())
      await route.fulfill({ json: { message } })
    }
  await page.route(`**/post/retry/${postId}`, answered('Post sent for processing'))
  await page.route(`**/post/settle/${postId}`, answered('Post updated successfully'))
  await page.goto(`${person.at('posts/posts')}?post=${postId}`)
  const sheet = page.getByRole('dialog', { name: 'Post' })
  await sheet.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('Post sent for processing').waitFor()
  await page.unroute(address)
  const goesOn = {
    firstComment: 'What follows it',
    contents: [
      { text: 'Trouble', media: [] },
      { text: 'The rest of the thread', media: [] },
    ],
  }
  const givenUp = {
    class: 'unknown',
    action: 'none',
    ...because('unresolved', { platform: 'Bluesky' }),
  }
  await changeReply(page, address, (post) => ({ ...body(post), ...goesOn, status: 'UNCONFIRMED', failure: givenUp }))
  await page.reload()
  // the engine's reason, not that it's still checking
  await sheet.getByText(sentenceOf(givenUp)).waitFor()
  await sheet.getByText(adviceFor(givenUp)).first().waitFor()
  // the whole text is shown, not only its beginning
  await sheet.getByText('The rest of the thread').waitFor()
  await sheet.getByText('What follows it').waitFor()
  await axe(page)
  await shot(page, 'post-unconfirmed')
  await sheet.getByRole('button', { name: 'It was published' }).click()
  // it says what won't be sent
  const asked = page.getByRole('dialog', { name: 'Was everything published?' })
  await asked.getByText('1 more post of its thread and a first comment').waitFor()
  await axe(page)
  await asked.getByRole('button', { name: 'It was published' }).click()
  await page.getByText('Post updated successfully').waitFor()
  const last = () => z.object({ outcome: z.string() }).parse(said.at(-1)).outcome
  if (last() !== 'published') throw new Error(`it said ${last()}`)
  // the same from the list, whose row has to read the post first
  await changeReply(page, /\/post\?.*status=/, (reply) => {
    const list = z.looseObject({ posts: z.array(z.looseObject({ postId: z.string() })) }).parse(reply)
    return {
      ...list,
      posts: list.posts.map((post) =>
        post.postId === postId ? { ...post, status: 'UNCONFIRMED', failure: givenUp } : post,
      ),
    }
  })
  await page.goto(person.at('posts/posts'))
  const row = page.getByRole('row').filter({ has: page.locator(`[data-post="${postId}"]`) })
  await row.getByRole('button', { name: 'It was published' }).waitFor()
  await axe(page)
  await shot(page, 'posts-unconfirmed')
  await page.setViewportSize(PHONE)
  await shot(page, 'posts-unconfirmed-phone')
  await page.setViewportSize(DESKTOP)
  await row.getByRole('button', { name: 'It was published' }).click()
  await asked.getByText('1 more post of its thread and a first comment').waitFor()
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await row.getByRole('button', { name: "It wasn't published" }).click()
  await until(() => (last() === 'failed' ? true : undefined))
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})
