import { axe, DESKTOP, PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import { schedulePosts } from '../posts.ts'

test('discussions: start one about a post, talk, resolve and reopen it', async ({ newPerson }) => {
  const person = await newPerson({ upTo: 'channel', account: 'debater' })
  const { page } = person
  await schedulePosts(person, [{ text: 'Alpha post', inDays: 2 }])
  await page.goto(person.at('discussions'))
  await page.getByText('No discussions here').waitFor()
  await axe(page)

  // about a post, from its notes
  await page.goto(person.at('posts/scheduled'))
  await page.getByRole('button', { name: 'Alpha post', exact: true }).click()
  await page.getByRole('tab', { name: 'Notes' }).click()
  await page.getByRole('link', { name: 'Start a discussion' }).click()
  const dialog = page.getByRole('dialog', { name: 'Start a discussion' })
  await dialog.getByRole('button', { name: 'Start discussion' }).click()
  await dialog.getByText('Enter a title').waitFor()
  await dialog.getByLabel('Title').fill('Is the date right?')
  await dialog.getByLabel('Message').fill('The market is on Sunday.')
  await axe(page)
  await shot(page, 'discussion-new')
  await dialog.getByRole('button', { name: 'Start discussion' }).click()
  const thread = page.getByRole('region', { name: 'Discussion', exact: true })
  await thread.getByRole('heading', { name: 'Is the date right?' }).waitFor()
  await thread.getByText('The market is on Sunday.').waitFor()
  await thread.getByRole('link', { name: 'Post: Alpha post' }).waitFor()

  // it goes on
  await thread.getByLabel('Note', { exact: true }).fill('Then we move it.')
  await page.keyboard.press('Control+Enter')
  await thread.getByRole('list', { name: 'Notes' }).getByText('Then we move it.').waitFor()
  await page.getByRole('list', { name: 'Discussions' }).getByText('2 notes').waitFor()
  await axe(page)
  await shot(page, 'discussion')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'discussion-phone')
  await page.getByRole('button', { name: 'Discussions', exact: true }).click()
  await page.getByRole('list', { name: 'Discussions' }).getByText('Is the date right?').click()
  await page.setViewportSize(DESKTOP)

  // resolved, and open again
  await thread.getByRole('button', { name: 'Resolve' }).click()
  await thread.getByText(/^Resolved by/).waitFor()
  await page.getByRole('button', { name: 'Resolved', exact: true }).click()
  await page.getByRole('list', { name: 'Discussions' }).getByText('Is the date right?').waitFor()
  await thread.getByRole('button', { name: 'Reopen' }).click()
  await thread.getByText(/^Resolved by/).waitFor({ state: 'detached' })
})
