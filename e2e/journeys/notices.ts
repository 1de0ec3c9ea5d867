import type { NotificationFacts } from '#contract/notifications/catalog.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { asSystem } from '#server/db/system.ts'
import { createNotification } from '#server/notifications/create.ts'
import { axe } from '../axe.ts'
import { PHONE, shot } from '../browser.ts'
import { inDatabase } from '../database.ts'
import { test } from '../harness.ts'
import { addInboxChannel, writeAndNotify } from '../inbox.ts'
import type { Person } from '../people.ts'
import { refuseOnce } from '../replies.ts'

type Created = NotificationFacts & { dedupeKey: string; daysAgo?: number }

/** Creates notifications as the server would, in the app's own database. */
async function create(stage: { dataDir: string }, { ids }: Person, created: readonly Created[]): Promise<void> {
  await inDatabase(stage, async ({ system }) => {
    for (const { daysAgo = 0, ...facts } of created) {
      const now = new Date(Date.now() - daysAgo * 86_400_000)
      await asSystem(system, (tx) =>
        createNotification(tx, { ...facts, ...ids, people: 'project-editors', channelIds: null }, now),
      )
    }
  })
}

/** Skips the minutes in which a notification can still be read, and runs the job that sends emails. */
async function mailNow(stage: { dataDir: string }, { ids }: Person): Promise<void> {
  await inDatabase(stage, async ({ system, jobs }) => {
    await system.query('update notice set mail_due_at = $2 where org_id = $1 and mail_due_at is not null', [
      ids.orgId,
      new Date(),
    ])
    await jobs.query("select graphile_worker.add_job('notices.mail', '{}'::json)")
  })
}

const failed = (postId: string, more: { platform?: PlatformKey; daysAgo?: number } = {}): Created => ({
  dedupeKey: `post:${postId}:FAILED`,
  kind: 'post-failed',
  params: {
    postId,
    platform: more.platform ?? 'bluesky',
    excerpt: 'Rye is back',
    failure: {
      class: 'permanent',
      action: 'edit',
      code: 'other',
      params: {
        sentence: 'The image is larger than 1 MB.',
        advice: 'Choose a smaller one, then send the post again.',
      },
    },
  },
  daysAgo: more.daysAgo ?? 0,
})
const signedOut = (handle = '@northlight.example'): Created => ({
  dedupeKey: `channel:${handle}:reconnect`,
  kind: 'channel-signed-out',
  params: {
    handle,
    platform: 'bluesky',
    reason: {
      code: 'other',
      params: { sentence: 'The app password was withdrawn.', advice: 'Reconnect the channel.' },
    },
    latenessMinutes: 60,
  },
})

test('notices: the bell tells at once, the center keeps them page by page, another window agrees', async ({
  stage,
}) => {
  const person = await stage.newPerson({ opens: 'dashboard' })
  const { page } = person
  const second = await page.context().newPage()
  await second.goto(person.at('notices'))
  await second.getByText('No notifications').waitFor()
  await axe(second)
  await create(stage, person, [failed('old', { daysAgo: 3, platform: 'threads' }), failed('1', { daysAgo: 1 })])
  await second.getByText("A post on Threads wasn't published").waitFor()
  await second.getByRole('heading', { name: 'Yesterday' }).waitFor()

  // while someone works, a failed post is announced once; a signed-out channel waits under the bell
  await page.bringToFront()
  await page.getByRole('button', { name: 'Notifications, 2 unread' }).waitFor()
  await create(stage, person, [signedOut(), failed('2', { platform: 'mastodon' })])
  const toast = page.getByRole('listitem').filter({ hasText: "A post on Mastodon wasn't published" })
  await toast.waitFor()
  await shot(page, 'notices-toast')
  const bell = page.getByRole('button', { name: 'Notifications, 4 unread' })
  await bell.waitFor()

  await bell.focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: 'Notifications' })
  await panel.getByRole('link', { name: /signed out of Bluesky/ }).waitFor()
  await axe(page)
  await shot(page, 'notices-bell')
  await panel.getByRole('button', { name: "Mark as read: A post on Mastodon wasn't published" }).click()
  await page.getByRole('button', { name: 'Notifications, 3 unread' }).waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'hidden' })
  await page.waitForFunction(
    () => document.activeElement?.getAttribute('aria-label')?.startsWith('Notifications') === true,
  )

  await page.keyboard.press('Enter')
  await panel.getByRole('link', { name: 'See all' }).click()
  await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
  await page.getByRole('heading', { name: 'Today' }).waitFor()
  await axe(page)
  await shot(page, 'notices')

  // by topic and unread, in the URL
  await page.getByRole('button', { name: 'Channels', exact: true }).click()
  await page.waitForURL(/topic=channels/)
  await page.getByText("A post on Threads wasn't published").waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('link', { name: /signed out of Bluesky/ }).click()
  await page.getByRole('heading', { name: 'Platform Settings' }).waitFor()
  await page.getByRole('button', { name: 'Notifications, 2 unread' }).waitFor()
  await page.goto(person.at('notices?unread=true'))
  await page.getByText("A post on Threads wasn't published").waitFor()
  if ((await page.getByText('signed out of Bluesky').count()) > 0)
    throw new Error('what was read stands among the unread')
  await page.getByRole('button', { name: 'Approvals', exact: true }).click()
  await page.getByText('All caught up').waitFor()
  await page.getByRole('button', { name: 'Show all notifications' }).click()
  await page.getByText('signed out of Bluesky').waitFor()

  // another window marks all of them
  await second.bringToFront()
  await second.getByRole('button', { name: 'Mark all as read' }).click()
  await second.getByRole('button', { name: 'Mark all as read' }).waitFor({ state: 'detached' })
  await page.bringToFront()
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()

  // page by page, on a phone, and when they can't be read
  await create(
    stage,
    person,
    Array.from({ length: 23 }, (_, n) => signedOut(`@rook${n + 1}`)),
  )
  await page.goto(person.at('notices'))
  await page.getByText('@rook23 is signed out').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.waitForURL(/page=2/)
  await page.getByText('@rook3 is signed out').waitFor()
  await page.getByText('Page 2 of 2').waitFor()
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByText('@rook23 is signed out').waitFor()
  await page.goto(person.at('notices?page=9'))
  await page.getByText("This page doesn't exist").waitFor()
  await page.getByRole('button', { name: 'Go to the first page' }).click()
  await page.getByText('@rook23 is signed out').waitFor()

  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'notices-phone')
  await page.getByRole('button', { name: /^Notifications, 23 unread/ }).click()
  await page.getByRole('dialog', { name: 'Notifications' }).getByText('@rook23 is signed out').waitFor()
  await axe(page)
  await shot(page, 'notices-bell-phone')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('dialog', { name: 'More' }).waitFor()
  await axe(page)
  await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor()
  await page.keyboard.press('Escape')

  // twice, because a failed call is repeated once automatically
  for (let time = 0; time < 2; time++) await refuseOnce(page, /\/notices\?page=1/, 'UNAVAILABLE')
  await page.goto(person.at('notices'))
  await page.getByText("We couldn't load this").waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('@rook23 is signed out').waitFor()
  // a refused change is undone, with a message
  await refuseOnce(page, '**/notices/*/read', 'UNAVAILABLE')
  await page.getByRole('button', { name: 'Mark as read: @rook22 is signed out of Bluesky' }).click()
  await page.getByText('Rookery is starting, or its database is unavailable.').waitFor()
  await page.getByRole('button', { name: 'Mark as read: @rook22 is signed out of Bluesky' }).waitFor()
})

test('notices: a message rings the bell and counts in the title, until it is read', async ({ stage }) => {
  const person = await stage.newPerson({ opens: 'dashboard' })
  const { page } = person
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  const channelId = await addInboxChannel(stage, person, 'facebook', 'Northlight Coffee')
  const titleStarts = (start: string) => page.waitForFunction((begin) => document.title.startsWith(begin), start)
  await titleStarts('Dashboard · ')
  const thread = { channelId, conversation: 'message' as const, from: 'maya', threadKey: 'maya' }
  await writeAndNotify(stage, person, { ...thread, text: 'Do you still have the winter roast?' })
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor()
  await titleStarts('(1) Dashboard · ')
  await writeAndNotify(stage, person, { ...thread, text: 'I only see the espresso.' })
  const review = { channelId, conversation: 'review' as const, rating: 1, from: 'jonas', text: 'Closed at noon.' }
  await writeAndNotify(stage, person, review)
  await page.getByRole('button', { name: 'Notifications, 2 unread' }).click()
  const panel = page.getByRole('dialog', { name: 'Notifications' })
  await panel.getByRole('link', { name: /A review with 1 star for @northlight\.coffee on Facebook/ }).waitFor()
  await panel.getByText('2 times so far').waitFor()
  await axe(page)
  await shot(page, 'notices-incoming')
  await panel.getByRole('link', { name: /New direct message for @northlight\.coffee on Facebook/ }).click()
  await page.getByText('I only see the espresso.').last().waitFor()
  // what is read is no news anymore
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor()
  await titleStarts('(1) Inbox · ')
})

test('notices: mailed once, opening the very thing, stopped by one click; preferences are saved at once', async ({
  stage,
}) => {
  const person = await stage.newPerson()
  const { page } = person
  await create(stage, person, [signedOut(), failed('1')])
  await mailNow(stage, person)
  const mail = unfolded(await stage.mailTo(person.email, (text) => unfolded(text).includes('is signed out of Bluesky')))
  const before = (await stage.mailsTo(person.email)).length
  for (const part of [
    "Subject: A post on Bluesky wasn't published (and 1 more)",
    'Hello Ada,',
    `${stage.base}${person.at('post/1')}`,
    `${stage.base}${person.at('channels')}`,
    'Here are 2 updates from Northlight Coffee:',
    `${stage.base}/profile#notices`,
  ])
    if (!mail.includes(part)) throw new Error(`The mail lacks "${part}":\n${mail}`)

  const link = /^List-Unsubscribe: <([^>]+)>/m.exec(mail)?.[1]
  if (!link) throw new Error(`The mail cannot be unsubscribed from:\n${mail}`)
  const stranger = await stage.openPage()
  await stranger.goto(link)
  await stranger.getByRole('heading', { name: 'Unsubscribe from these emails?' }).waitFor()
  await axe(stranger)
  await shot(stranger, 'unsubscribe')
  await stranger.getByRole('button', { name: 'Unsubscribe' }).click()
  await stranger.getByRole('heading', { name: "You're unsubscribed" }).waitFor()
  await stranger.getByText("You won't get any more emails about failed posts, channels.").waitFor()
  await axe(stranger)
  await stranger.goto('/unsubscribe?token=forged')
  await stranger.getByRole('button', { name: 'Unsubscribe' }).click()
  await stranger.getByText("We couldn't unsubscribe you").waitFor()

  await page.goto(`${person.at('profile')}#notices`)
  const way = (name: string) => page.getByRole('switch', { name })
  await way('Failed posts, by email').waitFor()
  if (await way('Failed posts, by email').isChecked()) throw new Error('the mails go on')
  if (!(await way('Invitations, by email').isDisabled())) throw new Error('invitations could be kept from coming')
  await axe(page)
  await page.getByRole('table', { name: 'Notification settings' }).scrollIntoViewIfNeeded()
  await shot(page, 'notice-preferences')
  await refuseOnce(page, '**/api/user/notice-preferences', 'UNAVAILABLE')
  await way('Plan, in the app').focus()
  await page.keyboard.press('Space')
  await page.getByText('Rookery is starting, or its database is unavailable.').waitFor()
  if (!(await way('Plan, in the app').isChecked())) throw new Error('a refused choice stays')
  await Promise.all([
    page.waitForResponse(
      (reply) => reply.url().endsWith('/notice-preferences') && reply.request().method() === 'PUT' && reply.ok(),
    ),
    way('Failed posts, in the app').click(),
  ])
  await page.reload()
  await way('Failed posts, in the app').waitFor()
  if (await way('Failed posts, in the app').isChecked()) throw new Error('the choice was forgotten')

  // neither way is left: nothing is created, and no more emails are sent
  await create(stage, person, [failed('2'), signedOut()])
  await mailNow(stage, person)
  await page.goto(person.at('notices'))
  await page.getByText('2 times so far').waitFor()
  if ((await page.getByText("wasn't published").count()) !== 1) throw new Error('an unwanted notification was created')
  if ((await stage.mailsTo(person.email)).length !== before) throw new Error('a second mail was sent')
  await page.setViewportSize(PHONE)
  await page.goto(`${person.at('profile')}#notices`)
  await way('Failed posts, in the app').scrollIntoViewIfNeeded()
  await axe(page)
  await shot(page, 'notice-preferences-phone')
})

/** An email as it reads, with wrapped lines and headers joined (quoted-printable). */
function unfolded(mail: string): string {
  return mail
    .replace(/=\n/g, '')
    .replace(/=3D/g, '=')
    .replace(/\n[ \t]+/g, ' ')
}
