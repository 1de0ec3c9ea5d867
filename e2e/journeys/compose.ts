import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { z } from 'zod'
import { platformRules } from '#contract/platforms/registry.ts'
import { until } from '#server/testing/until.ts'
import { axe } from '../axe.ts'
import { allArrived, attach, PHONE, shot } from '../browser.ts'
import { addChannels } from '../channels.ts'
import { test, type Stage } from '../harness.ts'
import { changeReply, refuse } from '../replies.ts'
import { addAccount, type Person } from '../people.ts'
import { callInProject } from '../posts.ts'
import { newColleague } from '../team.ts'

const text = 'How we cup on Mondays, with @second.test: twelve bowls, four spoons. #winterroast'

/** Someone whose project publishes to a new account on the Bluesky server. */
async function publisher(stage: Pick<Stage, 'newPerson' | 'bluesky'>, name: string) {
  const person = await stage.newPerson()
  return { ...person, account: await addAccount(person, stage.bluesky, name) }
}

async function openComposer({ page, at }: Pick<Person, 'page' | 'at'>, search = ''): Promise<void> {
  await page.goto(`${at('compose')}${search}`)
  await page.getByRole('textbox', { name: 'Text', exact: true }).waitFor()
}

const words = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
const saved = (page: Page) => page.locator('[data-save-state=saved]').waitFor()
/** Writes the text and waits until the server has it: the indicator of an earlier save may still be there. */
const saves = async (page: Page, written: string) => {
  const stored = page.waitForResponse(
    (reply) =>
      reply.ok() &&
      reply.request().method() === 'POST' &&
      reply.url().includes('/post/draft/') &&
      (reply.request().postData() ?? '').includes(written),
  )
  await words(page).fill(written)
  await stored
}
const picture = async (format: 'jpeg' | 'webp' | 'png', hue: string, side = 640) => ({
  name: `${hue}.${format}`,
  mimeType: `image/${format}`,
  buffer: await sharp({ create: { width: side, height: Math.round(side * 0.7), channels: 3, background: hue } })
    .toFormat(format)
    .toBuffer(),
})

const BlueskyPost = z.object({
  text: z.string(),
  facets: z.array(z.object({ features: z.array(z.looseObject({ $type: z.string() })) })).optional(),
  embed: z
    .object({ $type: z.literal('app.bsky.embed.images'), images: z.array(z.object({ alt: z.string() })) })
    .optional(),
})

test('compose: write, attach, preview, publish, watch it become live, and change its text', async ({ stage }) => {
  const { bluesky } = stage
  await bluesky.createAccount('second')
  const person = await publisher(stage, 'composer')
  const { page, account } = person
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.request().method()} ${response.url()}`)
  })
  await openComposer(person)
  // without a model no help is offered
  await page.getByRole('button', { name: 'Add an emoji' }).waitFor()
  await page.getByRole('button', { name: 'AI help' }).waitFor({ state: 'detached' })
  await axe(page)
  // without a channel there is no limit to count against
  await page.getByRole('checkbox', { name: /composer/ }).uncheck()
  await page.getByText('/ 300').waitFor({ state: 'detached' })
  await page.getByRole('checkbox', { name: /composer/ }).check()
  await page.getByText('0 / 300').waitFor()
  await words(page).fill(text)
  // leave the text field by keyboard: outside it, single keys are commands
  await words(page).press('Escape')
  await page.keyboard.press('s')
  await page.getByRole('group', { name: 'When' }).getByRole('button', { name: 'Schedule', pressed: true }).waitFor()
  await page.keyboard.press('n')
  await page.getByText(`${text.length} / 300`).waitFor()
  await saved(page)
  // the draft has its own URL as soon as it has text
  await page.waitForURL(/draft=/)

  await attach(page, [await picture('jpeg', 'chocolate'), await picture('png', 'teal'), await picture('webp', 'olive')])
  const pictures = page.getByRole('list', { name: 'Images' })
  // what the platform doesn't accept as it is gets a copy, without a question
  await pictures.getByText('Bluesky gets a JPEG or PNG.').waitFor()
  await shot(page, 'compose-picture')
  await attach(page, [
    {
      name: 'noise.png',
      mimeType: 'image/png',
      buffer: await sharp({
        create: {
          width: 1600,
          height: 1200,
          channels: 3,
          background: 'white',
          noise: { type: 'gaussian', mean: 128, sigma: 60 },
        },
      })
        .png()
        .toBuffer(),
    },
  ])
  await pictures.getByText('Bluesky gets a smaller copy.').waitFor()
  await pictures.getByRole('button', { name: 'Remove image 4' }).click()
  await pictures.getByRole('button', { name: 'Remove image 2' }).click()
  await pictures.getByRole('button', { name: 'Move image 2 up' }).click()
  await pictures.getByRole('textbox').first().fill('A green table')
  await saved(page)
  await axe(page)
  await shot(page, 'compose')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'compose-phone')
  await page.setViewportSize({ width: 1440, height: 900 })

  // keys alone publish nothing: there is a question first
  await words(page).press('Control+Enter')
  const question = page.getByRole('dialog', { name: 'Publish now?' })
  await question.getByText(`${account.handle.slice(1)} (Bluesky)`).waitFor()
  await axe(page)
  await shot(page, 'compose-publish-now')
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  // also at the moment at which its last problem was solved, before the page shows that
  const good = await words(page).inputValue()
  await words(page).fill('x'.repeat(301))
  await page.getByRole('button', { name: '1 channel has a problem' }).waitFor()
  await words(page).evaluate(async (box, text) => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(box, text)
    box.dispatchEvent(new Event('input', { bubbles: true }))
    await Promise.resolve()
    box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }))
  }, good)
  await question.waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Post sent for processing').waitFor()
  // what was sent shows on its day, marked; it opens when someone wants it
  await page.waitForURL(/\/calendar\?date=/)
  await page.locator('[data-post][data-flash]').waitFor()
  if ((await page.getByRole('dialog', { name: 'Post' }).count()) > 0) throw new Error('the post opened by itself')
  await page.getByRole('button', { name: 'View', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Post' })
  // no reload: the live stream brings it
  await sheet.getByText('Published', { exact: true }).waitFor()
  await sheet.getByRole('link', { name: /^Bluesky/ }).waitFor()
  for (const entry of [/^Created by Ada Lovelace/, /^Scheduled by/, 'Sent to Bluesky', 'Confirmed by Bluesky'])
    await sheet.getByRole('list', { name: 'What happened' }).getByText(entry).waitFor()
  await sheet.getByRole('link', { name: 'View on Bluesky' }).waitFor()
  await sheet.getByRole('link', { name: 'Duplicate' }).waitFor()
  // browsers log each of them as an error in the console
  if (refused.length > 0) throw new Error(`calls were refused:\n${refused.join('\n')}`)
  await axe(page)
  await shot(page, 'post-published')

  const [record] = await until(
    async () => ((await bluesky.posts(account)).length > 0 ? await bluesky.posts(account) : undefined),
    { what: 'the post on the server' },
  )
  const live = BlueskyPost.parse(record?.value)
  if (live.text !== text) throw new Error(`Another text was published: ${live.text}`)
  const kinds = live.facets?.flatMap((facet) => facet.features.map((feature) => feature.$type)) ?? []
  if (!kinds.includes('app.bsky.richtext.facet#tag') || !kinds.includes('app.bsky.richtext.facet#mention'))
    throw new Error(`Facets are missing: ${kinds.join(', ')}`)
  if (live.embed?.images.length !== 2 || live.embed.images[0]?.alt !== 'A green table')
    throw new Error(`Pictures were published as ${JSON.stringify(live.embed)}`)
  // editing it changes only its text, where its platform allows that
  const published = new URL(page.url()).searchParams.get('post') ?? ''
  // if the platform doesn't allow edits, none are offered
  if ((await sheet.getByRole('link', { name: 'Edit', exact: true }).count()) > 0)
    throw new Error('a change is offered that the platform refuses')

  await changeReply(page, `**/api/**/post/${published}`, (reply) => ({
    ...z.looseObject({}).parse(reply),
    changesThere: true,
  }))
  await page.goto(person.at(`post/${published}`))
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByText('This post is live on Bluesky. Saving changes it there.').waitFor()
  if ((await page.getByRole('heading', { name: 'When' }).count()) > 0)
    throw new Error('a time is offered for what is published')
  await axe(page)
  await shot(page, 'composer-published')
  await words(page).fill('Open on Sunday')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith(`/post/${published}`),
  )
  await page.getByRole('button', { name: 'Save on Bluesky' }).click()
  const body = z
    .looseObject({ contents: z.array(z.looseObject({ text: z.string() })) })
    .parse((await sent).postDataJSON())
  if (body['schedule'] !== undefined || body.contents[0]?.text !== 'Open on Sunday')
    throw new Error(`sent as ${JSON.stringify(body)}`)
  // the server decides
  await page.getByText("This post is published. You can't change it here anymore.").waitFor()
  // the draft is used up
  await page.goto(person.at('posts/draft'))
  await page.getByText('No drafts').waitFor()
})

test('compose: a tab that is closed mid-draft loses nothing', async ({ stage }) => {
  const person = await stage.newPerson({ upTo: 'channel', account: 'drafter' })
  const { page } = person
  await openComposer(person)
  await words(page).fill('Opening hours this week')
  await saved(page)
  const address = page.url()

  // the server is down while the last words are written, and the tab is closed
  await page.context().setOffline(true)
  await words(page).fill('Opening hours this week: Friday until midnight')
  await page.getByText(/Saved in this browser/).waitFor()
  await page.close()
  const second = await page.context().newPage()
  await second.context().setOffline(false)
  await second.goto(address)
  await second.getByText('We restored your unsaved changes.').waitFor()
  if ((await words(second).inputValue()) !== 'Opening hours this week: Friday until midnight')
    throw new Error('the last words are gone')
  await saved(second)

  // two tabs write the same draft: nothing is discarded without asking
  const third = await page.context().newPage()
  await third.goto(address)
  await saves(third, 'Opening hours: closed on Sunday')
  await words(second).fill('Opening hours: open on Sunday')
  const dialog = second.getByRole('dialog', { name: 'This post was changed elsewhere' })
  await dialog.getByText('Opening hours: closed on Sunday').waitFor()
  await axe(second)
  await shot(second, 'compose-conflict')
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await saved(second)
  await words(third).fill('Opening hours: closed on Sunday and Monday')
  await third.getByRole('dialog').getByText('Opening hours: open on Sunday').waitFor()
  await third.getByRole('dialog').getByRole('button', { name: 'Use the other version' }).click()
  await until(async () => ((await words(third).inputValue()) === 'Opening hours: open on Sunday' ? true : undefined), {
    what: "the other tab's text",
  })

  // and the next post starts empty
  await second.bringToFront()
  await second.getByRole('heading', { name: 'Create post', level: 1 }).click()
  await second.keyboard.press('c')
  await until(async () => ((await words(second).inputValue()) === '' ? true : undefined), { what: 'an empty page' })

  // deleted there: there is no other version to choose, the text can be copied, and writing continues
  await saves(second, 'Begun once more')
  await second.waitForURL(/draft=/)
  await third.goto(second.url())
  await saves(third, 'Changed once more')
  await refuse(
    second,
    new RegExp(`/project/[^/]+/post/${new URL(second.url()).searchParams.get('draft') ?? ''}$`),
    'NOT_FOUND',
  )
  await words(second).fill('Begun once more, changed here')
  const gone = second.getByRole('dialog', { name: 'This post was deleted elsewhere' })
  await gone.getByRole('textbox', { name: 'My version' }).waitFor()
  await axe(second)
  await gone.getByRole('link', { name: 'Start a new post' }).click()
  await gone.waitFor({ state: 'detached' })
  await until(async () => ((await words(second).inputValue()) === '' ? true : undefined), { what: 'a new post' })
})

test('compose: an interrupted upload continues where it stopped, and nothing is lost on the way', async ({ stage }) => {
  const person = await stage.newPerson({ upTo: 'bluesky', account: 'unlucky' })
  const { page } = person
  await openComposer(person)
  await page.getByRole('checkbox', { name: /unlucky/ }).check()
  await page.route('**/api/upload/**', (route) => route.abort('connectionrefused'))
  await page.evaluate(() => {
    const read = globalThis.createImageBitmap
    const held = new Promise<void>((resolve) => addEventListener('readOn', () => resolve(), { once: true }))
    globalThis.createImageBitmap = async (image: ImageBitmapSource) => {
      await held
      return await read(image)
    }
  })
  await words(page).fill('With a picture')
  await attach(page, [await picture('jpeg', 'purple')])
  const pictures = page.getByRole('list', { name: 'Images' })
  // a post never leaves without a file that the browser is still reading
  await pictures.getByRole('progressbar', { name: 'Reading 1 file' }).waitFor()
  await page.getByRole('button', { name: 'Publish now', exact: true }).last().click()
  await page.getByText('Your files are still uploading.', { exact: false }).waitFor()
  await words(page).press('Control+Enter')
  if ((await page.getByRole('dialog').count()) > 0) throw new Error('it asks whether to publish what it refuses')
  await axe(page)
  await page.evaluate(() => dispatchEvent(new Event('readOn')))
  await pictures.getByRole('progressbar', { name: 'Uploading' }).waitFor()
  await pictures.getByRole('button', { name: 'Pause the upload of image 1' }).click()
  await pictures.getByText('Paused').waitFor()
  // the tooltip of the button disappears with the pointer
  await page.mouse.move(700, 5)
  await page.getByRole('tooltip').waitFor({ state: 'hidden' })
  await axe(page)
  await shot(page, 'compose-upload-paused')
  // nothing half uploaded can be published, and nobody leaves by accident
  await page.getByRole('button', { name: 'Publish now', exact: true }).last().click()
  await page.getByText('Your files are still uploading.', { exact: false }).waitFor()
  await page.getByRole('link', { name: 'Calendar', exact: true }).click()
  const leaving = page.getByRole('dialog', { name: 'Leave while files are uploading?' })
  await leaving.waitFor()
  await axe(page)
  await leaving.getByRole('button', { name: 'Cancel' }).click()
  await page.unroute('**/api/upload/**')
  await pictures.getByRole('button', { name: 'Resume the upload of image 1' }).click()
  await allArrived(page)
  await page.getByText("Your post wasn't submitted yet", { exact: false }).waitFor()
  await saved(page)

  // a full disk is reported in the specification's words
  await page.route('**/api/upload/**', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({
          status: 507,
          contentType: 'application/problem+json',
          body: JSON.stringify({
            type: 'about:blank',
            title: 'x',
            status: 507,
            code: 'UPLOAD_FAILED',
            detail: 'Error uploading file',
            requestId: 'r',
          }),
        })
      : route.fallback(),
  )
  await attach(page, [await picture('jpeg', 'navy')])
  await pictures.getByText('Error uploading file').waitFor()
  await page.unroute('**/api/upload/**')
  await pictures.getByRole('button', { name: 'Try again' }).click()
  await pictures.getByText('Error uploading file').waitFor({ state: 'detached' })
  await allArrived(page)

  // a lost connection is shown at the first failed attempt, long before the upload gives up
  await page.route('**/api/upload/**', (route) => route.abort('internetdisconnected'))
  await attach(page, [await picture('jpeg', 'maroon')])
  await pictures.getByText('the upload continues when you’re back online', { exact: false }).waitFor()
  await axe(page)
  await shot(page, 'media-offline')
  await page.unroute('**/api/upload/**')
  await page.evaluate(() => globalThis.dispatchEvent(new Event('online')))
  await pictures.getByRole('button', { name: 'Remove image 3' }).waitFor()
  await allArrived(page)
  await pictures.getByText('The connection was lost.', { exact: false }).waitFor({ state: 'detached' })
})

test('compose: one post for two channels, with other words for one of them', async ({ stage }) => {
  const { bluesky } = stage
  const person = await publisher(stage, 'roastery')
  const { page } = person
  const other = await addAccount(person, bluesky, 'second-voice')
  await openComposer(person)
  for (const name of [/roastery/, /second-voice/]) await page.getByRole('checkbox', { name }).check()
  await words(page).fill('We open on Monday')
  await page.getByRole('tab', { name: /second-voice/ }).click()
  await page.getByText(/^Same as all channels/).waitFor()
  await words(page).fill('Come by on Monday')
  await page.getByText(/^Custom text/).waitFor()
  // back to the shared text, and back again
  await page.getByRole('button', { name: 'Use shared text' }).click()
  await until(async () => ((await words(page).inputValue()) === 'We open on Monday' ? true : undefined), {
    what: 'the shared words',
  })
  await page.getByRole('button', { name: 'Undo' }).click()
  await until(async () => ((await words(page).inputValue()) === 'Come by on Monday' ? true : undefined), {
    what: 'its own words',
  })
  await page.getByRole('tab', { name: 'All channels' }).click()
  await words(page).fill('We open on Monday at nine')

  // a label is created where it is needed
  await page.getByRole('button', { name: 'Labels', exact: true }).click()
  await page.getByRole('textbox', { name: 'Find labels' }).fill('Openings')
  await page.getByRole('radio', { name: 'Green' }).check()
  await axe(page)
  await shot(page, 'compose-label')
  await page.getByRole('button', { name: 'Create label Openings' }).click()
  await page.getByRole('checkbox', { name: 'Openings' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Labels: Openings' }).waitFor()

  await page.getByRole('button', { name: 'Add hashtags' }).click()
  const dialog = page.getByRole('dialog', { name: 'Hashtag groups' })
  await dialog.getByRole('button', { name: 'New group' }).click()
  await dialog.getByLabel('Name').fill('Shop')
  await dialog.getByLabel('Hashtags').fill(Array.from({ length: 31 }, (_, i) => `tag${i}`).join(', '))
  await dialog.getByText('Cannot add more than 30 hashtags').waitFor()
  await dialog.getByLabel('Hashtags').fill('#coffee, roastery, Coffee')
  await axe(page)
  await shot(page, 'compose-hashtags')
  await dialog.getByRole('button', { name: 'Create group' }).click()
  await dialog.getByRole('button', { name: 'Insert Shop' }).click()
  await until(
    async () => ((await words(page).inputValue()) === 'We open on Monday at nine #coffee #roastery' ? true : undefined),
    { what: 'the hashtags in the text' },
  )
  await saved(page)
  // the version for one channel is restored with the draft
  await page.reload()
  await page.getByRole('tab', { name: /second-voice.*has its own version/ }).click()
  if ((await words(page).inputValue()) !== 'Come by on Monday') throw new Error('its own words were not saved')
  await axe(page)
  await shot(page, 'compose-versions')

  await words(page).press('Control+Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click()
  await page.getByText('Post sent for processing').waitFor()
  const textOf = (account: typeof other) =>
    until(async () => (await bluesky.posts(account))[0], { what: `the post of ${account.handle}` }).then(
      (record) => z.object({ text: z.string() }).parse(record.value).text,
    )
  if ((await textOf(person.account)) !== 'We open on Monday at nine #coffee #roastery')
    throw new Error(`The first channel says ${await textOf(person.account)}`)
  if ((await textOf(other)) !== 'Come by on Monday') throw new Error(`The other channel says ${await textOf(other)}`)
  // the status of each is visible from either, with a link from one to the other
  await page.getByRole('button', { name: 'View', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Post' })
  const together = sheet.getByRole('region', { name: 'Together' })
  await together.getByText('On 2 channels').waitFor()
  await together.getByRole('img', { name: 'Published' }).nth(1).waitFor()
  await axe(page)
  await shot(page, 'compose-together')
  await together.getByRole('link', { name: /second-voice/ }).click()
  await sheet.getByText('Come by on Monday').waitFor()
})

test('compose: every time of a series is shown before it is made', async ({ stage }) => {
  const person = await stage.newPerson({ upTo: 'channel', account: 'weekly' })
  const { page } = person
  await openComposer(person)
  await page.getByRole('checkbox', { name: /weekly/ }).check()
  await words(page).fill('Cupping today')
  await page.getByRole('button', { name: 'Schedule', exact: true }).first().click()
  await page.getByRole('switch', { name: 'Repeat' }).check()
  await page.getByRole('button', { name: 'WEEKLY' }).waitFor()
  const days = page.getByRole('group', { name: 'Days of the week' })
  for (const day of ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']) {
    const button = days.getByRole('button', { name: day })
    if ((await button.textContent()) !== day.slice(0, 3))
      throw new Error(`${day} is called ${await button.textContent()}`)
    if ((await button.getAttribute('aria-pressed')) === 'true') await button.click()
  }
  await page.getByText('Choose at least one day').waitFor()
  for (const day of ['Monday', 'Wednesday', 'Friday']) await days.getByRole('button', { name: day }).click()
  const times = page.getByRole('list', { name: 'Times' })
  await times.getByRole('listitem').nth(2).waitFor()
  await axe(page)
  await shot(page, 'compose-series')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'compose-series-phone')
  await page.setViewportSize({ width: 1440, height: 900 })
  const made = await times.getByRole('listitem').count()
  await page.getByRole('button', { name: `Schedule ${made} times` }).click()
  await page.getByText('Post Scheduled').waitFor()

  // a month allows two days; single days allow any
  await openComposer(person, '?date=2027-01-04&time=09:00')
  await page.getByRole('checkbox', { name: /weekly/ }).check()
  await words(page).fill('Monthly news')
  await page.getByRole('switch', { name: 'Repeat' }).check()
  await page.getByRole('button', { name: 'MONTHLY' }).click()
  await page.getByLabel('Day of the month').selectOption('31')
  await page.getByText('In shorter months, the last day is used.').waitFor()
  await times.getByRole('listitem').first().waitFor()
  await page.getByRole('button', { name: 'SPECIFIC DAYS' }).click()
  // the trial takes ten of a channel: more are refused before they are sent
  for (let i = 0; i < 8; i += 1) await page.getByRole('button', { name: 'Add a day' }).click()
  await page.getByText(/can take \d+ more scheduled posts\. Choose fewer times\./).waitFor()
  await axe(page)
  const room = 10 - made
  for (let i = 9; i > room; i -= 1) await page.getByRole('button', { name: `Remove day ${i}` }).click()
  await page.getByRole('button', { name: `Schedule ${room} times` }).click()
  await page.getByText('Post Scheduled').waitFor()

  // for a full channel, its name replaces the scheduler
  await openComposer(person)
  await page.getByRole('checkbox', { name: /weekly/ }).check()
  await page.getByRole('button', { name: 'Schedule', exact: true }).first().click()
  await page
    .getByText(
      "You've reached the limit of 10 scheduled posts for the following accounts. Upgrade your plan to schedule more posts",
    )
    .waitFor()
  await page.getByRole('link', { name: 'Upgrade plan' }).waitFor()
  await axe(page)
  await shot(page, 'compose-cap')
})

test('compose: each platform asks for what it needs, and nothing else', async ({ stage }) => {
  const person = await stage.newPerson({ upTo: 'channel', account: 'everywhere' })
  const { page } = person
  const platforms = [
    'mastodon',
    'x',
    'googlemybusiness',
    'youtube',
    'linkedin',
    'instagram',
    'pinterest',
    'tiktok',
    'threads',
    'facebook',
  ] as const
  await addChannels(
    stage,
    person,
    platforms.map((platform) => ({ platform, name: platform })),
  )
  await openComposer(person)
  for (const name of [/everywhere/, /Northlight mastodon/, /Northlight x/, /Northlight googlemybusiness/])
    await page.getByRole('checkbox', { name }).check()
  await words(page).fill('Open day on Saturday, with cake')
  await page.getByRole('region', { name: 'Options for Mastodon' }).getByLabel('Content warning').fill('Cake')
  const business = page.getByRole('region', { name: 'Options for Google Business Profile' })
  await business.getByRole('button', { name: 'Event' }).click()
  await business.getByRole('button', { name: 'Set start and end' }).click()
  await page.getByLabel('Title').fill('Open day')
  await page.getByRole('button', { name: 'Add post below' }).click()
  await page.getByRole('textbox', { name: 'Text of post 2' }).fill('And coffee')
  await page.getByText('threads are not supported').first().waitFor()
  await page.getByRole('button', { name: 'Add a first comment' }).click()
  await page.getByLabel('First comment').fill('See you there')
  await saved(page)
  await axe(page)
  await shot(page, 'compose-platforms')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'compose-platforms-phone')
  await page.setViewportSize({ width: 1440, height: 900 })

  // one channel's version: no thread there, and its own preview
  await page.getByRole('tab', { name: /googlemybusiness/ }).click()
  await page.getByRole('button', { name: 'Remove post 2' }).click()
  await page.getByText(/^Custom number of posts/).waitFor()
  for (const name of platforms) {
    const box = page.getByRole('checkbox', { name: new RegExp(`Northlight ${name}`) })
    if (!(await box.isChecked())) await box.check()
    await page
      .getByRole('combobox', { name: 'Preview for' })
      .selectOption({ label: `${platformRules[name].label}: Northlight ${name}` })
    await page.getByRole('article', { name: new RegExp(`^Preview for Northlight ${name} on`) }).scrollIntoViewIfNeeded()
    await shot(page, `compose-preview-${name}`)
  }
  await axe(page)
  // a response still being replaced when the page closes would fail the run
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('compose: what would be refused is said at once and comes into view; a version is copied to other channels', async ({
  stage,
}) => {
  const person = await stage.newPerson({ upTo: 'channel', account: 'fixable' })
  const { page } = person
  await openComposer(person)
  // the only channel is already chosen
  await page.getByRole('checkbox', { name: /fixable/, checked: true }).uncheck()
  await page.getByRole('button', { name: 'Publish now', exact: true }).last().click()
  await page.getByText('Choose at least one channel.').waitFor()
  await page.getByRole('checkbox', { name: /fixable/ }).check()
  await page.getByText('write something or attach an image').waitFor()
  await words(page).fill('a'.repeat(312))
  await page.getByText('the text is 12 characters over the limit of 300').waitFor()
  await axe(page)
  await shot(page, 'compose-too-long')

  await attach(page, [{ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('not a picture at all') }])
  await page.getByText('notes.png: documents are not supported').waitFor()
  await attach(
    page,
    await Promise.all(['red', 'green', 'blue', 'gold', 'gray'].map((hue) => picture('jpeg', hue, 200))),
  )
  await page.getByText('gray.jpeg: maximum 4 image(s) allowed').waitFor()

  // a skipped hour is pointed out; a passed time is refused at its field
  await page.getByRole('button', { name: 'Schedule', exact: true }).first().click()
  await page.getByRole('group', { name: 'Quick time zones' }).getByRole('button', { name: 'PST' }).click()
  await page.getByRole('button', { name: /^Time zone, America\/Los_Angeles/ }).waitFor()
  await axe(page)
  await shot(page, 'compose-schedule')

  // the night when the clocks go forward
  await openComposer(person, '?date=2027-03-28&time=02:30')
  await page
    .getByText("Clocks move forward that day, so 02:30 AM doesn't exist. It will be published at 03:30 AM.")
    .waitFor()

  await changeReply(page, '**/social/all', (reply) => {
    const { channels } = z.object({ channels: z.array(z.looseObject({})) }).parse(reply)
    return {
      channels: [
        ...channels,
        ...['bluesky', 'bluesky', 'youtube'].map((platformName, i) => ({
          ...channels[0],
          platformName,
          channelName: `Northlight ${i + 1}`,
          handle: `@northlight.${i + 1}`,
          channelId: `019a0000-0000-7000-8000-00000000090${i}`,
          simulated: true,
        })),
      ],
    }
  })
  await openComposer(person, '?date=2027-01-04&time=09:00')
  // nothing is shown about a channel that nobody chose
  await page.getByText('Choose a channel to preview the post.').waitFor()
  await words(page).fill('Open day')
  const send = page.getByRole('button', { name: 'Schedule', exact: true }).last()
  await send.click()
  await page.getByText('Choose at least one channel.').waitFor()
  await until(
    async () =>
      (await page.getByRole('checkbox', { name: /fixable/ }).evaluate((box) => box === document.activeElement))
        ? true
        : undefined,
    { what: 'the focus at the channels' },
  )
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await send.click()
  await page.getByRole('button', { name: '1 channel has a problem' }).waitFor()
  await until(
    async () =>
      (await page.getByLabel('Title').evaluate((field) => field === document.activeElement)) ? true : undefined,
    { what: 'the focus at the title' },
  )
  await page.getByText('Shown on YouTube.').waitFor()
  await words(page).fill('Open day, '.repeat(40))
  // three accounts break the same rule: it is shown once, with a link to each
  const problems = page.getByRole('list', { name: 'Fix these problems' })
  await problems.getByText('Bluesky, 3 channels').waitFor()
  await axe(page)
  await shot(page, 'compose-problems')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'compose-problems-phone')
  await page.setViewportSize({ width: 1440, height: 900 })
  await problems.getByRole('button', { name: 'Customize for Northlight 1 on Bluesky' }).click()
  await page.getByText(/^Same as all channels/).waitFor()
  // the button is gone: keyboard users continue in the text
  await until(
    async () => ((await words(page).evaluate((field) => field === document.activeElement)) ? true : undefined),
    { what: 'the focus in the text' },
  )
  await words(page).fill('Open day in short')
  await page.getByRole('button', { name: 'Use on all 3 Bluesky channels' }).click()
  await page.getByText('3 Bluesky channels have the same text now').waitFor()
  await page.getByRole('tab', { name: /Northlight 2.*has its own version/ }).click()
  await until(async () => ((await words(page).inputValue()) === 'Open day in short' ? true : undefined), {
    what: 'the shared version',
  })
  // the one that is open has no problems: the link leads to the one that has
  await page.getByRole('button', { name: 'Schedule', exact: true }).last().click()
  await page.getByRole('tab', { name: 'All channels', selected: true }).waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('compose: someone who may not publish sends for approval; two people at one draft see each other', async ({
  stage,
}) => {
  const admin = await stage.newPerson({ upTo: 'channel', account: 'approved' })
  const writer = await newColleague(stage, admin, { role: 'user' })
  const { page } = writer
  await openComposer(writer)
  await page.getByRole('checkbox', { name: /approved/ }).check()
  await words(page).fill('Please look at this')
  // with only one workflow nobody has to choose
  await page.getByText('any Admin', { exact: true }).waitFor()
  await saved(page)
  const steps = [
    { needs: 'any', approvers: [{ kind: 'external', email: `client-${writer.email}`, name: 'Linus Client' }] },
  ]
  await callInProject(admin, 'post', '/workflow', { name: 'Second look', steps })
  await page.reload()
  await page.getByLabel('Workflow').getByRole('option', { name: 'Second look' }).waitFor({ state: 'attached' })
  // with several it's the project's default one
  await page.getByText('any Admin', { exact: true }).waitFor()
  await axe(page)
  await shot(page, 'compose-approval')

  await admin.page.goto(page.url())
  await admin.page.getByText('Grace Hopper is editing too').waitFor()
  await page.getByText('Ada Lovelace is editing too').waitFor()
  await admin.page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await page.getByText('Ada Lovelace is editing too').waitFor({ state: 'detached' })

  await page.getByLabel('Workflow').selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Send for approval', exact: true }).click()
  await page.getByText('Post sent for approval').waitFor()
  // it has no time yet, so the calendar wouldn't show it
  await page.waitForURL(/\/posts\/sent-for-approvals$/)
  await page.locator('[data-post][data-flash]').waitFor()

  // people who can publish put it into the queue, which says if there are no slots
  await openComposer(admin)
  await admin.page.getByRole('checkbox', { name: /approved/ }).check()
  await words(admin.page).fill('From the queue')
  await admin.page.getByRole('button', { name: 'Queue', exact: true }).click()
  await admin.page.getByRole('button', { name: 'Front of the queue' }).click()
  await admin.page.getByText(/is paused or has no free slot/).waitFor()
  await admin.page.getByRole('link', { name: 'Queue settings' }).waitFor()
  await axe(admin.page)
  await shot(admin.page, 'compose-queue')
  await admin.page.getByRole('button', { name: 'Add to queue' }).click()
  await admin.page.getByText('Post Queued').waitFor()
})
