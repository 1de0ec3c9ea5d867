import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import { addInboxChannel, ago, write } from '../inbox.ts'
import { schedulePosts } from '../posts.ts'

test('discussions: start one about a post or a conversation, talk, resolve and reopen it', async ({ stage }) => {
  const person = await stage.newPerson({ upTo: 'channel', account: 'debater' })
  const { page } = person
  await schedulePosts(person, [{ text: 'Alpha post', inDays: 2 }])
  await page.goto(person.at('discussions'))
  await page.getByText('No discussions yet').waitFor()
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
  await thread.getByLabel('Message', { exact: true }).fill('Then we move it.')
  await page.keyboard.press('Control+Enter')
  await thread.getByRole('list', { name: 'Messages' }).getByText('Then we move it.').waitFor()
  await page.getByRole('list', { name: 'Discussions' }).getByText('2 messages').waitFor()
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

  // about a conversation, from its head, without leaving it until the discussion is there
  const channelId = await addInboxChannel(stage, person, 'facebook', 'Northlight Roastery')
  const { conversationId } = await write(stage, person, {
    channelId,
    from: 'jonas',
    text: 'Can you cater for ninety people?',
    at: ago({ minutes: 5 }),
  })
  await page.goto(person.at(`inbox?c=${conversationId}`))
  const conversation = page.getByRole('article', { name: 'Conversation with Jonas' })
  const entry = conversation.getByRole('button', { name: 'Start a discussion' })
  await entry.press('Enter')
  await dialog.waitFor()
  await axe(page)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await entry.and(page.locator(':focus')).waitFor()
  await entry.press('Enter')
  await dialog.getByLabel('Title').fill('Catering for ninety')
  await dialog.getByLabel('Message').fill('Do we take this on?')
  await shot(page, 'discussion-from-conversation')
  await dialog.getByRole('button', { name: 'Start discussion' }).click()
  // the conversation stays, and so does the way to the discussion
  await page.getByRole('button', { name: 'Open', exact: true }).waitFor()
  await conversation.getByRole('link', { name: '1 discussion' }).waitFor()
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await thread.getByRole('heading', { name: 'Catering for ninety' }).waitFor()
  await page.goBack()
  await conversation.getByRole('link', { name: '1 discussion' }).waitFor()
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'discussion-conversation-phone')
  await conversation.getByRole('link', { name: '1 discussion' }).click()
  await page.getByRole('list', { name: 'Discussions' }).getByText('Catering for ninety').click()
  await thread.getByRole('link', { name: /^Conversation: / }).waitFor()
})
