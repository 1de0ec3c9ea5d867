import { expect, type Locator } from '@playwright/test'
import sharp from 'sharp'
import { createCannedResponse } from '#contract/inbox/cannedResponses.ts'
import { createLabel } from '#contract/labels.ts'
import { writeReview } from '#server/simulators/googleReviews.ts'
import { callAs } from '../api.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot, undo } from '../browser.ts'
import { inDatabase } from '../database.ts'
import { test, type Stage } from '../harness.ts'
import { addInboxChannel, ago, takeBack, write, writeMany } from '../inbox.ts'
import type { Person } from '../people.ts'
import { connect, onSimulators, type Simulated } from '../simulated.ts'
import { newColleague } from '../team.ts'

/** What a coffee roaster finds in the morning. */
async function fillInbox(stage: Stage, person: Person) {
  const instagram = await addInboxChannel(stage, person, 'instagram', 'Northlight Coffee')
  const google = await addInboxChannel(stage, person, 'googlemybusiness', 'Northlight, Harbor Street')
  const facebook = await addInboxChannel(stage, person, 'facebook', 'Northlight Roastery')
  await addInboxChannel(stage, person, 'tiktok', 'northlight')
  const thread = { channelId: instagram, conversation: 'message' as const, from: 'maya' }
  const first = await write(stage, person, {
    ...thread,
    text: 'Hi! Do you still have the winter roast? I only see the espresso in your shop.',
    at: ago({ days: 1, hours: 2 }),
    url: 'https://social.example/m/1',
  })
  await write(stage, person, {
    ...thread,
    threadKey: first.threadKey,
    isOurs: true,
    text: "Yes, it's back from Friday on. Should we keep two bags for you?",
    at: ago({ days: 1, hours: 1 }),
  })
  const edited = await write(stage, person, {
    ...thread,
    threadKey: first.threadKey,
    text: 'Yes please! Two bags of the winter roast, ground for a moka pot.',
    at: ago({ hours: 3 }),
    editedAt: ago({ hours: 2 }),
    version: 1,
    media: [{ kind: 'image', url: null, name: 'moka-pot.jpg', altText: 'A moka pot on a gas stove' }],
  })
  const comment = await write(stage, person, {
    channelId: facebook,
    from: 'jonas',
    text: 'Best cortado in town. When do you open on Sundays?',
    at: ago({ minutes: 25 }),
    subject: {
      remoteId: 'winter-roast',
      text: 'The winter roast is back: cocoa, dried fig, a little smoke. In the shop from Friday, online from eight.',
      at: ago({ days: 2 }),
      url: 'https://social.example/p/winter-roast',
      isOurs: true,
      person: null,
    },
    url: 'https://social.example/c/1',
  })
  await write(stage, person, {
    channelId: google,
    conversation: 'review',
    from: 'ruth',
    rating: 2,
    text: 'Great coffee, but we waited twenty minutes for two flat whites and nobody said a word.',
    at: ago({ hours: 6 }),
  })
  await write(stage, person, {
    channelId: google,
    conversation: 'review',
    from: 'tomás',
    rating: 5,
    text: 'The kindest people and the best cake on Harbor Street.',
    at: ago({ days: 3 }),
  })
  return { instagram, facebook, first, edited, comment }
}

test('inbox: read, assign, label, close and undo, in three panes and on a phone', async ({ stage }) => {
  const person = await stage.newPerson()
  const { page } = person
  await fillInbox(stage, person)
  await callAs(page, createLabel, { params: person.ids, body: { labelName: 'Orders', color: 'green' } })
  await callAs(page, createLabel, { params: person.ids, body: { labelName: 'Opening hours', color: 'blue' } })

  await page.goto(person.at('dashboard'))
  await page.getByRole('link', { name: /^Inbox ?4 unread/ }).click()
  const list = page.getByRole('list', { name: 'Conversations' })
  await list.getByRole('link', { name: 'Unread: Jonas' }).waitFor()
  await page.getByText('No conversation selected').waitFor()
  await page.getByText("TikTok doesn't let tools read comments").waitFor()
  await axe(page)
  await shot(page, 'inbox')

  await list.getByRole('link', { name: 'Unread: Maya' }).click()
  const open = page.getByRole('article', { name: 'Conversation with Maya' })
  await open.getByText('ground for a moka pot').waitFor()
  await open.getByText('edited').waitFor()
  await list.getByRole('link', { name: 'Maya', exact: true }).waitFor()
  await page.getByRole('link', { name: /^Inbox ?3 unread/ }).waitFor()

  await open.getByRole('button', { name: 'Assign', exact: true }).click()
  await page.getByRole('menu').waitFor()
  await axe(page)
  await page.getByRole('menuitem', { name: 'Ada Lovelace (you)' }).click()
  await open.getByRole('button', { name: 'Assigned to Ada Lovelace' }).waitFor()
  await open.getByRole('button', { name: 'Label', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Orders' }).check()
  await open.getByRole('button', { name: 'Labels: Orders' }).waitFor()
  await axe(page)
  await page.keyboard.press('Escape')
  await open.getByRole('button', { name: /^Sentiment: / }).click()
  await page.getByRole('menuitem', { name: 'Positive' }).waitFor()
  await axe(page)
  await page.getByRole('menuitem', { name: 'Positive' }).click()
  await open.getByRole('button', { name: 'Sentiment: Positive' }).waitFor()
  await axe(page)
  await shot(page, 'inbox-message')

  await list.getByRole('link', { name: 'Unread: Jonas' }).click()
  const other = page.getByRole('article', { name: 'Conversation with Jonas' })
  await other.getByRole('region', { name: 'About this post' }).getByText('The winter roast is back').waitFor()
  await other.getByRole('link', { name: /^(Reply|Open) on Facebook/ }).waitFor()
  await axe(page)
  await shot(page, 'inbox-comment')

  // closing goes on to the next one, and Undo brings it back
  await other.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByText('Conversation closed').waitFor()
  await page.getByRole('article', { name: 'Conversation with Maya' }).waitFor()
  await list.getByRole('link', { name: 'Jonas' }).waitFor({ state: 'hidden' })
  await undo(page, /Conversation closed/)
  await list.getByRole('link', { name: 'Jonas' }).waitFor()

  // filters are in the address, and Back leads to what was open before
  await page.getByRole('navigation', { name: 'Inbox views' }).getByRole('link', { name: 'Assigned to you' }).click()
  await page.waitForURL(/view=mine/)
  await list.getByRole('link', { name: 'Maya' }).waitFor()
  await page.goBack()
  await page.getByRole('article', { name: 'Conversation with Maya' }).waitFor()
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('kombucha')
  await page.getByText('No conversations match these filters').waitFor()
  await axe(page)
  await shot(page, 'inbox-no-results')
  await page.getByRole('button', { name: 'Reset filters' }).click()
  await list.getByRole('link', { name: 'Jonas' }).waitFor()

  await page.getByRole('button', { name: 'Inbox settings' }).click()
  const settings = page.getByRole('dialog', { name: 'Inbox settings' })
  await settings.getByRole('checkbox', { name: 'Remind us when someone waits too long for a reply' }).check()
  await settings.getByLabel('Business hours until a reply is due').fill('4')
  await settings.getByRole('combobox', { name: 'Friday, to' }).selectOption('900')
  await axe(page)
  await shot(page, 'inbox-settings')
  await settings.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Inbox settings saved').waitFor()

  await page.getByRole('button', { name: 'Reply times' }).press('Enter')
  const times = page.getByRole('dialog', { name: 'Reply times' })
  await times.getByText('1 reply to someone who was waiting.').waitFor()
  await times.getByText('Only business hours count: Mon–Thu 09:00 AM–05:00 PM, Fri 09:00 AM–03:00 PM').waitFor()
  await axe(page)
  await shot(page, 'inbox-reply-times')
  await times.getByRole('button', { name: '30 days' }).click()
  await times.getByRole('link', { name: 'Open conversation' }).click()
  await page.getByRole('article', { name: 'Conversation with Maya' }).waitFor()
  await times.waitFor({ state: 'hidden' })

  await page.setViewportSize({ width: 1000, height: 800 })
  await page.getByRole('button', { name: 'Open 4' }).waitFor()
  await axe(page)
  await shot(page, 'inbox-two-panes')

  await page.setViewportSize(PHONE)
  await page.goto(person.at('inbox'))
  await list.getByRole('link', { name: 'Jonas' }).waitFor()
  await axe(page)
  await shot(page, 'inbox-phone')
  await page.getByRole('button', { name: 'Reply times' }).click()
  await times.getByText('Slowest').waitFor()
  await axe(page)
  await shot(page, 'inbox-reply-times-phone')
  await page.keyboard.press('Escape')
  await list.getByRole('link', { name: 'Jonas' }).click()
  await other.getByText('Best cortado in town').waitFor()
  await other.getByRole('textbox', { name: 'Reply to Jonas' }).fill('We open at nine on Sundays, and there is cake.')
  await axe(page)
  await shot(page, 'inbox-phone-comment')
  await page.getByRole('button', { name: 'Back to the inbox' }).click()
  await list.getByRole('link', { name: 'Maya' }).click()
  await page.getByRole('article', { name: 'Conversation with Maya' }).getByText('ground for a moka pot').waitFor()
  const box = page.getByRole('textbox', { name: 'Reply to Maya' })
  await box.fill('They are under the counter.')
  // what was said has half of the screen, and Send stands beside the other buttons
  const heightOf = async (what: Locator) => (await what.boundingBox())?.height ?? 0
  expect(await heightOf(page.getByRole('region', { name: 'Conversation', exact: true }))).toBeGreaterThanOrEqual(422)
  const [send, close] = [
    await page.getByRole('button', { name: 'Send', exact: true }).boundingBox(),
    await page.getByRole('button', { name: 'Send and close' }).boundingBox(),
  ]
  expect(send?.y).toBe(close?.y)
  await axe(page)
  await shot(page, 'inbox-phone-message')
  await box.fill('')
  await page.getByRole('button', { name: 'Back to the inbox' }).click()
  await page.waitForURL((url) => !url.searchParams.has('c'))
  await list.getByRole('link', { name: 'Jonas' }).waitFor()
})

test('inbox: worked through by keys alone', async ({ stage }) => {
  const person = await stage.newPerson()
  const { page } = person
  await fillInbox(stage, person)
  await page.goto(person.at('inbox'))
  const list = page.getByRole('list', { name: 'Conversations' })
  const opened = (name: string) => page.getByRole('article', { name: `Conversation with ${name}` }).waitFor()
  await list.getByRole('link', { name: /Jonas/ }).waitFor()
  await page.keyboard.press('j')
  await opened('Jonas')
  await page.keyboard.press('j')
  await opened('Maya')
  await page.keyboard.press('k')
  await opened('Jonas')
  // closed, on to the next one, and back again
  await page.keyboard.press('e')
  await opened('Maya')
  await list.getByRole('link', { name: /Maya/ }).and(page.locator(':focus')).waitFor()
  await page.getByText('Conversation closed').waitFor()
  await page.keyboard.press('z')
  await page.getByText('Conversation opened').waitFor()
  await list.getByRole('link', { name: /Jonas/ }).waitFor()
  await page.keyboard.press('a')
  await page.getByRole('menuitem', { name: 'Ada Lovelace (you)' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Assigned to Ada Lovelace' }).waitFor()
  await page.keyboard.press('f')
  await page.getByRole('menuitem', { name: /Tomorrow/ }).waitFor()
  await page.keyboard.press('Enter')
  // put off, and on to the next one
  await page.getByText('Follow-up scheduled').waitFor()
  await opened('Ruth')
  await page.keyboard.press('l')
  await page.getByText('No labels yet').waitFor()
  // keys go where the focus is, and it moves a moment after the text appears
  await page.locator('[role=dialog]:focus-within').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('No labels yet').waitFor({ state: 'hidden' })
  // closing gives the focus back to the button, and would take it from what opens meanwhile
  await page.locator('button:focus').waitFor()
  await page.keyboard.press('n')
  await page.locator('textarea:focus').waitFor()
  await page.keyboard.type('Two bags are under the counter.')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Note Added').waitFor()
  await page.getByRole('list', { name: 'Notes' }).getByText('Two bags are under the counter.').waitFor()
  await axe(page)
  await shot(page, 'inbox-notes')
  await page.getByRole('button', { name: /^1 note/ }).waitFor()
  await list.getByRole('listitem').filter({ hasText: 'Ruth' }).getByText('Notes: 1').waitFor()
  // out of the note, and keys work: the next conversation has no notes, and none are open
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await opened('Tomás')
  await page.getByRole('button', { name: /^Notes/, expanded: false }).waitFor()
  await page.keyboard.press('k')
  await opened('Ruth')
  await page.getByRole('button', { name: /^1 note/, expanded: false }).waitFor()
  await page.keyboard.press('x')
  await page.getByRole('region', { name: 'Selected conversations' }).getByText('1 selected').waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog').getByText('Mark the conversation as unread').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('u')
  await page.getByText('No conversation selected').waitFor()
})

test('inbox: many at once with undo, an endless list, a saved view', async ({ stage }) => {
  const person = await stage.newPerson()
  const { page } = person
  const channelId = await addInboxChannel(stage, person, 'mastodon', 'Northlight')
  const people = Array.from({ length: 700 }, (_, n) => `guest${n + 1}`)
  await writeMany(stage, person, channelId, people, 'Do you ship to Norway?')
  let lists = 0
  page.on('request', (request) => {
    if (/\/inbox\?/.test(request.url()) && request.url().includes('/api/')) lists += 1
  })
  await page.goto(person.at('inbox?view=all'))
  const list = page.getByRole('list', { name: 'Conversations' })
  await list.getByRole('link', { name: /Guest1$/ }).waitFor()

  // the last one is reached by scrolling, few rows are drawn, and a call reads many
  await list.getByRole('link', { name: /Guest1$/ }).hover()
  let drawn = 0
  while (!(await list.getByRole('link', { name: /Guest700$/ }).isVisible())) {
    await page.mouse.wheel(0, 4000)
    drawn = Math.max(drawn, await list.getByRole('listitem').count())
  }
  expect(drawn).toBeLessThan(60)
  // 8 pages, and what a change of the channel meanwhile reads again
  expect(lists).toBeLessThan(24)

  // back at the top, a change is read for what is seen, and not for all that was
  while (!(await list.getByRole('link', { name: /Guest1$/ }).isVisible())) await page.mouse.wheel(0, -4000)
  const rows = async () => await list.evaluate((held) => Math.round(held.getBoundingClientRect().height / (5.5 * 16)))
  lists = 0
  await callAs(page, createLabel, { params: person.ids, body: { labelName: 'Norway', color: 'green' } })
  await expect.poll(rows).toBeLessThan(300)
  expect(lists).toBeLessThan(8)

  await page.goto(person.at('inbox?view=all'))
  await page.getByRole('checkbox', { name: 'Select the conversation with Guest1', exact: true }).check({ force: true })
  await page
    .getByRole('checkbox', { name: 'Select the conversation with Guest4', exact: true })
    .click({ modifiers: ['Shift'], force: true })
  const bar = page.getByRole('region', { name: 'Selected conversations' })
  await bar.getByText('4 selected').waitFor()
  await axe(page)
  await shot(page, 'inbox-selected')
  await bar.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByText('4 conversations updated').waitFor()
  await undo(page, /4 conversations updated/)
  await page.getByRole('button', { name: 'Status', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Open', exact: true }).check()
  await page.keyboard.press('Escape')
  await list.getByRole('link', { name: /Guest4$/ }).waitFor()

  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await page.getByRole('button', { name: 'Save this view' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Open questions')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('button', { name: 'View: Open questions' }).waitFor()
})

test('inbox: what people write and colleagues do appears by itself', async ({ stage }) => {
  const person = await stage.newPerson()
  const { page } = person
  const { facebook, comment } = await fillInbox(stage, person)
  const colleague = await newColleague(stage, person)
  await page.goto(person.at(`inbox?c=${comment.conversationId}`))
  const open = page.getByRole('article', { name: 'Conversation with Jonas' })
  const list = page.getByRole('list', { name: 'Conversations' })
  await open.getByText('Best cortado in town').waitFor()

  const answer = { channelId: facebook, threadKey: comment.threadKey, parentRemoteId: comment.remoteId }
  const more = await write(stage, person, { ...answer, type: 'REPLY', from: 'jonas', text: 'And on holidays?' })
  await open.getByText('And on holidays?').waitFor()
  await takeBack(stage, person, facebook, more.remoteId)
  await open.getByText('This was deleted on the platform.').waitFor()
  await write(stage, person, { channelId: facebook, from: 'zoë', text: 'Is there oat milk?' })
  await list.getByRole('link', { name: 'Unread: Zoë' }).waitFor()

  await colleague.page.goto(person.at(`inbox?c=${comment.conversationId}`))
  const theirs = colleague.page.getByRole('article', { name: 'Conversation with Jonas' })
  await theirs.getByRole('button', { name: 'Assign', exact: true }).click()
  await colleague.page.getByRole('menuitem', { name: 'Grace Hopper (you)' }).click()
  await open.getByRole('button', { name: 'Assigned to Grace Hopper' }).waitFor()
  // who goes to the platform to answer is seen by the others
  await colleague.page.context().route('https://social.example/**', (route) => route.fulfill({ body: 'Facebook' }))
  await theirs
    .getByRole('link', { name: /on Facebook \(opens/ })
    .last()
    .click()
  await open.getByText('Grace Hopper is replying').waitFor()
  await shot(page, 'inbox-answering')
  // written and sent at once, which asks before the server has answered
  await page.route('**/presence', (route) =>
    route.request().postData()?.includes('true') ? undefined : route.fallback(),
  )
  await open.getByRole('textbox', { name: 'Reply to Jonas' }).fill('From nine on')
  await page.keyboard.press('Control+Enter')
  const question = page.getByRole('dialog', { name: 'Grace Hopper is replying, too' })
  await question.waitFor()
  await axe(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await open.getByRole('textbox', { name: 'Reply to Jonas' }).and(page.getByText('From nine on')).waitFor()
})

test('inbox: what keeps it empty is said, with the way out', async ({ stage }) => {
  const person = await stage.newPerson()
  const { page } = person
  await page.goto(person.at('inbox'))
  await page.getByText('No channels yet').waitFor()
  await axe(page)
  await shot(page, 'inbox-no-channels')
  await addInboxChannel(stage, person, 'tiktok', 'northlight')
  await page.reload()
  await page.getByText('Nothing to read here').waitFor()
  await shot(page, 'inbox-unreadable')
  await addInboxChannel(stage, person, 'bluesky', 'Northlight', {
    comment: 'reconnect',
    message: 'reconnect',
    mention: 'reconnect',
  })
  await page.reload()
  await page.getByRole('button', { name: /^We can't read all of Northlight/ }).waitFor()
  await axe(page)
  await shot(page, 'inbox-reconnect')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.reload()
  await page.getByText("Your inbox isn't connected yet").waitFor()
  await page.getByRole('button', { name: /^We can't read all of Northlight/ }).waitFor({ state: 'hidden' })
  await page.goto(person.at('inbox?view=waiting'))
  await page.setViewportSize(PHONE)
  await page.getByRole('button', { name: 'Waiting', exact: true }).waitFor()
  await axe(page)
})

test('inbox: answered by keys, by mouse and on a phone; refused, rewritten, and unconfirmed', async ({ stage }) => {
  const { person, dataDir, ...simulated } = await onSimulators(stage)
  const { page } = person
  await connect(person, 'googlemybusiness')
  const place = { dataDir }
  const { channelId, location } = await inDatabase(place, async ({ system }) => {
    const { rows } = await system.query<{ id: string; remote_id: string }>(
      "select id, remote_id from channel where project_id = $1 and platform = 'googlemybusiness'",
      [person.ids.projectId],
    )
    return { channelId: rows[0]?.id ?? '', location: rows[0]?.remote_id.split('/').at(-1) ?? '' }
  })
  const { state, faults } = simulated.platforms.platform('googlemybusiness')
  const review = async (from: string, stars: number, text: string) => {
    // the inbox reads it from there, too: by the same name
    const id = writeReview(state, { location, reviewer: from, stars, text }, Date.now())
    await write(place, person, {
      channelId,
      conversation: 'review',
      remoteId: id,
      threadKey: id,
      from: from.toLowerCase(),
      rating: stars,
      text,
    })
  }
  await review('Ruth', 2, 'We waited twenty minutes for two flat whites.')
  await review('Tomás', 5, 'The best cake on Harbor Street.')
  await review('Maya', 4, 'Lovely place, a little loud.')
  await callAs(page, createCannedResponse, {
    params: person.ids,
    body: { name: 'Thanks', text: 'Thank you for your review, {{name}}!' },
  })

  await page.goto(person.at('inbox'))
  const list = page.getByRole('list', { name: 'Conversations' })
  await list.getByRole('link', { name: /Ruth/ }).click()
  const ruth = page.getByRole('article', { name: 'Conversation with Ruth' })
  await ruth.getByText('two flat whites').waitFor()
  // by keys: a canned response, found by its name
  await page.keyboard.press('r')
  const box = ruth.getByRole('textbox', { name: 'Reply to Ruth' })
  await box.and(page.locator(':focus')).waitFor()
  // the sign that the button writes goes with its list
  await page.keyboard.type('Good point.')
  await ruth.getByRole('button', { name: 'Canned responses' }).click()
  await page.getByRole('option', { name: /^Thanks/ }).waitFor()
  await expect(box).toHaveValue('Good point. /')
  await page.keyboard.press('Escape')
  await expect(box).toHaveValue('Good point.')
  await box.fill('')
  await page.keyboard.type('/tha')
  await page.getByRole('option', { name: /^Thanks/ }).waitFor()
  await axe(page)
  await shot(page, 'inbox-canned')
  await page.keyboard.press('Enter')
  await box.and(page.getByText('Thank you for your review, Ruth!')).waitFor()
  await axe(page)
  await shot(page, 'inbox-reply')
  await page.keyboard.press('Control+Enter')
  const said = ruth.getByRole('region', { name: 'Conversation', exact: true })
  await said.getByText('Thank you for your review, Ruth!').waitFor()
  await said.getByText('Sending').waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
  await shot(page, 'inbox-replied')

  // what was written stays with its conversation until it's sent
  await list.getByRole('link', { name: /Tomás/ }).click()
  const tomas = page.getByRole('article', { name: 'Conversation with Tomás' })
  const answer = tomas.getByRole('textbox', { name: 'Reply to Tomás' })
  await answer.fill('Come back soon')
  await list.getByRole('link', { name: /Maya/ }).click()
  await page.reload()
  await list.getByRole('link', { name: /Tomás/ }).click()
  await answer.and(page.getByText('Come back soon')).waitFor()

  // refused, rewritten, and sent
  faults.add({
    on: 'PUT mybusiness*',
    answer: { status: 400, json: { error: { code: 400, message: 'Invalid comment', status: 'INVALID_ARGUMENT' } } },
  })
  await tomas.getByRole('button', { name: 'Send', exact: true }).click()
  await tomas.getByText('Not sent').waitFor()
  await tomas.getByText('Change the text and send it again.').waitFor()
  await axe(page)
  await shot(page, 'inbox-reply-failed')
  await tomas.getByRole('button', { name: 'Edit', exact: true }).click()
  await answer.and(page.getByText('Come back soon')).waitFor()
  await answer.fill('Come back soon, there is more cake!')
  await tomas.getByRole('button', { name: 'Send', exact: true }).click()
  await tomas.getByRole('region', { name: 'Conversation', exact: true }).getByText('there is more cake!').waitFor()
  await tomas.getByText('Sending').waitFor({ state: 'hidden' })
  await tomas.getByText('Not sent').waitFor({ state: 'hidden' })

  // nobody knows whether it arrived: a person says so
  await inDatabase(place, ({ system }) =>
    system.query("update reply set state = 'UNCONFIRMED', remote_id = null where text like '%more cake!'"),
  )
  await page.reload()
  await tomas.getByText("We couldn't confirm that Google Business Profile published this reply").waitFor()
  await axe(page)
  await shot(page, 'inbox-reply-unconfirmed')
  await tomas.getByRole('button', { name: 'It was sent' }).click()
  await page.getByText('Reply marked as sent').waitFor()
  await tomas.getByText('Unconfirmed').waitFor({ state: 'hidden' })

  // refused after its author went on to the next conversation
  const maya = page.getByRole('article', { name: 'Conversation with Maya' })
  await list.getByRole('link', { name: /Maya/ }).click()
  await maya.getByRole('textbox', { name: 'Reply to Maya' }).fill('Come early, it is quiet until ten.')
  faults.add({
    on: 'PUT mybusiness*',
    answer: { status: 404, json: { error: { code: 404, message: 'Not found', status: 'NOT_FOUND' } } },
  })
  await maya.getByRole('button', { name: 'Send and close' }).click()
  await page.getByText(/^Your reply to Maya wasn't sent: /).waitFor()
  const notSent = list.getByRole('listitem').filter({ hasText: 'Maya' }).getByText('Not sent')
  await notSent.waitFor()
  await axe(page)
  await shot(page, 'inbox-not-sent')
  await page.getByRole('button', { name: /^Notifications, \d+ unread/ }).click()
  await page.getByRole('dialog', { name: 'Notifications' }).getByText("Your reply wasn't sent").waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await maya.getByText("The message you're replying to is no longer on").waitFor()
  await page
    .getByRole('navigation', { name: 'Inbox views' })
    .getByRole('link', { name: /^Not sent/ })
    .click()
  await list.getByRole('link', { name: /Tomás/ }).waitFor({ state: 'hidden' })
  await notSent.waitFor()
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'inbox-not-sent-phone')
  await page.setViewportSize(DESKTOP)
  await list.getByRole('link', { name: /Maya/ }).click()
  await maya.getByRole('button', { name: 'Discard' }).click()
  await notSent.waitFor({ state: 'hidden' })

  // with a finger, and done
  await page.setViewportSize(PHONE)
  await page.goto(person.at('inbox'))
  await list.getByRole('link', { name: /Maya/ }).click()
  await maya.getByRole('textbox', { name: 'Reply to Maya' }).fill('Thank you! We put up curtains against the noise.')
  await axe(page)
  await shot(page, 'inbox-phone-reply')
  await maya.getByRole('button', { name: 'Send and close' }).click()
  await list.getByRole('link', { name: /Ruth/ }).waitFor()
  await list.getByRole('link', { name: /Maya/ }).waitFor({ state: 'hidden' })
  await page.setViewportSize(DESKTOP)
  await likeHideAndEdit(person, place, simulated)
  await approve(person, place, simulated)
})

const channelOn = (place: { dataDir: string }, person: Person, platform: string) =>
  inDatabase(place, async ({ system }) => {
    const { rows } = await system.query<{ id: string; remote_id: string }>(
      'select id, remote_id from channel where project_id = $1 and platform = $2',
      [person.ids.projectId, platform],
    )
    return { channelId: rows[0]?.id ?? '', remoteId: rows[0]?.remote_id ?? '' }
  })

/** A comment on Facebook is liked and hidden, a reply with a picture is sent and edited: all of it there, too. */
async function likeHideAndEdit(person: Person, place: { dataDir: string }, simulated: Simulated) {
  const { page } = person
  await connect(person, 'facebook')
  const { channelId, remoteId } = await channelOn(place, person, 'facebook')
  const { state } = simulated.platforms.platform('facebook')
  const [nora] = state.accounts
  const post = state.publish(
    { id: `${remoteId}_${state.nextId()}`, account: remoteId, kind: 'post', text: 'Open on Sunday' },
    Date.now(),
  )
  const text = 'Is that the new oven?'
  const question = state.publish({ account: nora?.id ?? '', kind: 'comment', text, parent: post.id }, Date.now())
  await write(place, person, {
    channelId,
    remoteId: question.id,
    threadKey: question.id,
    from: 'nora',
    text,
    aboutPost: post.id,
  })
  await page.goto(person.at('assets'))
  const picture = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#a4572a' } })
    .png()
    .toBuffer()
  await page.locator('[data-pick-files]').setInputFiles([{ name: 'oven.png', mimeType: 'image/png', buffer: picture }])
  await page.getByRole('button', { name: /^oven\.png/ }).waitFor()

  await page.goto(person.at('inbox'))
  await page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name: /Nora/ }).click()
  const open = page.getByRole('article', { name: /^Conversation with Nora/ })
  await open.getByRole('button', { name: /^Like what Nora/ }).click()
  await open.getByText('You liked this').waitFor()
  const actions = open.getByRole('button', { name: /^Actions for what Nora/ })
  await actions.click()
  await page.getByRole('menu').waitFor()
  await axe(page)
  await page.getByRole('menuitem', { name: 'Hide on Facebook' }).click()
  await open.getByText('Hidden on Facebook').waitFor()
  await page.getByText('Hidden', { exact: true }).waitFor()
  await shot(page, 'inbox-hidden')
  await actions.click()
  await page.getByRole('menuitem', { name: 'Show on Facebook' }).click()
  await page.getByText('Shown again', { exact: true }).waitFor()
  await open.getByText('Hidden on Facebook').waitFor({ state: 'hidden' })
  expect(question.more).toMatchObject({ liked: true, hidden: false })

  await open.getByRole('textbox', { name: /^Reply to Nora/ }).fill('It is!')
  await open.getByRole('button', { name: 'Add from the library' }).click()
  const picker = page.getByRole('dialog', { name: 'Add from the library' })
  await picker.getByRole('button', { name: /^oven\.png/ }).click()
  await picker.getByRole('button', { name: 'Add 1 file' }).click()
  const pictures = open.getByRole('list', { name: 'Images' })
  await pictures.getByRole('img', { name: 'image 1, oven.png' }).waitFor()
  await pictures.getByRole('textbox', { name: /^Alt text/ }).fill('A brick oven')
  await axe(page)
  await shot(page, 'inbox-reply-picture')
  await open.getByRole('button', { name: 'Send', exact: true }).click()
  await pictures.waitFor({ state: 'hidden' })
  const said = open.getByRole('region', { name: 'Conversation', exact: true })
  const edit = open.getByRole('button', { name: 'Actions for what Ada Lovelace wrote' })
  await edit.click()
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit reply' })
  await dialog.getByLabel('Text').fill('It is! Come and see it on Sunday.')
  await axe(page)
  await shot(page, 'inbox-reply-edit')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await said.getByText('Come and see it on Sunday.').waitFor()
  await dialog.waitFor({ state: 'hidden' })
  const [answer] = state.live(({ parent }) => parent === question.id)
  expect(answer).toMatchObject({ account: remoteId, text: 'It is! Come and see it on Sunday.' })

  // hidden among many at once, and shown again
  await page
    .getByRole('list', { name: 'Conversations' })
    .getByRole('checkbox', { name: /^Select the conversation with Nora/ })
    .check()
  const bar = page.getByRole('region', { name: 'Selected conversations' })
  await bar.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Hide on their platforms' }).waitFor()
  await axe(page)
  await page.getByRole('menuitem', { name: 'Hide on their platforms' }).click()
  await open.getByText('Hidden on Facebook').waitFor()
  expect(question.more).toMatchObject({ hidden: true })
  await undo(page, /1 conversation hidden/)
  await open.getByText('Hidden on Facebook').waitFor({ state: 'hidden' })
  expect(question.more).toMatchObject({ hidden: false })
  await page.getByRole('button', { name: 'Check for new conversations' }).click()
  await page.getByText(/^(?:Reading \d+ channels?|Everything that can be read was read a moment ago)$/).waitFor()
}

/** A comment that YouTube holds for review is marked in the list, and published from here. */
async function approve(person: Person, place: { dataDir: string }, simulated: Simulated) {
  const { page } = person
  await connect(person, 'youtube')
  const { channelId, remoteId } = await channelOn(place, person, 'youtube')
  const { state } = simulated.platforms.platform('youtube')
  const otis = state.accounts.find(({ id }) => id !== remoteId)
  const video = state.publish(
    {
      account: remoteId,
      kind: 'video',
      text: '',
      more: { snippet: { title: 'How to bake rye' }, status: { privacyStatus: 'public' } },
    },
    Date.now(),
  )
  const text = 'Recipe here: https://example.com/rye'
  const comment = state.publish(
    {
      id: `Ug${state.nextId()}`,
      account: otis?.id ?? '',
      kind: 'comment',
      text,
      parent: video.id,
      more: { status: 'heldForReview' },
    },
    Date.now(),
  )
  await write(place, person, {
    channelId,
    remoteId: comment.id,
    threadKey: comment.id,
    from: 'otis',
    text,
    hidden: true,
    held: true,
  })
  await page.goto(person.at('inbox'))
  const list = page.getByRole('list', { name: 'Conversations' })
  const row = list.getByRole('listitem').filter({ hasText: 'Recipe here' })
  await row.getByText('Held for review: 1').waitFor()
  await row.getByRole('link').click()
  const open = page.getByRole('article', { name: /^Conversation with/ })
  await open.getByText("Nobody sees it on YouTube until it's approved.").waitFor()
  await axe(page)
  await shot(page, 'inbox-held')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'inbox-held-phone')
  await page.setViewportSize(DESKTOP)
  await open.getByRole('button', { name: /^Approve what/ }).press('Enter')
  await page.getByText('Approved', { exact: true }).waitFor()
  await open.getByText('Held for review').waitFor({ state: 'hidden' })
  await row.getByText('Held for review').waitFor({ state: 'hidden' })
  expect(comment.more).toMatchObject({ status: 'published' })
}

test('inbox: canned responses are written, edited and deleted', async ({ stage }) => {
  const person = await stage.newPerson()
  const { page } = person
  await page.goto(person.at('canned-responses'))
  await page.getByText('No canned responses yet').waitFor()
  await page.getByRole('button', { name: 'Create canned response' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('Opening hours')
  await dialog.getByLabel('Text', { exact: true }).fill('Hi {{nick}}, we open at nine.')
  await dialog.getByRole('button', { name: 'Create canned response' }).click()
  await dialog.getByText('Unknown variable: {{nick}}').waitFor()
  await dialog.getByLabel('Text', { exact: true }).fill('Hi ')
  await dialog.getByRole('button', { name: 'Their name' }).click()
  await dialog.getByRole('region', { name: 'Example' }).getByText('Hi Maya').waitFor()
  await dialog.getByLabel('Text', { exact: true }).press('End')
  await dialog.getByLabel('Text', { exact: true }).pressSequentially(', we open at nine.')
  await dialog.getByRole('region', { name: 'Example' }).getByText('Hi Maya, we open at nine.').waitFor()
  await axe(page)
  await shot(page, 'canned-response')
  await dialog.getByRole('button', { name: 'Create canned response' }).click()
  const table = page.getByRole('table', { name: 'Canned responses' })
  await table.getByText('Hi {{name}}, we open at nine.').waitFor()
  await axe(page)
  await shot(page, 'canned-responses')
  await table.getByRole('button', { name: 'Actions for Opening hours' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill('Hours')
  await axe(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await table.getByText('Hours', { exact: true }).waitFor()
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'canned-responses-phone')
  await table.getByRole('button', { name: 'Actions for Hours' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
  await axe(page)
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete canned response' }).waitFor()
  await axe(page)
  await page.getByRole('button', { name: 'Delete canned response' }).click()
  await page.getByText('No canned responses yet').waitFor()
})
