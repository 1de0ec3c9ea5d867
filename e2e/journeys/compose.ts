import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { z } from 'zod'
import { until } from '#server/testing/until.ts'
import { axe, PHONE, shot } from '../browser.ts'
import { journey, type Stage } from '../harness.ts'
import { connectBluesky, type Person } from '../people.ts'

const text = 'How we cup on Mondays, with @second.test: twelve bowls, four spoons. #winterroast'

/** Somebody whose project publishes to a fresh account of the Bluesky server. */
async function publisher(stage: Pick<Stage, 'newPerson' | 'bluesky'>, name: string) {
  const person = await stage.newPerson()
  await person.page.goto(person.at('channels'))
  await person.page.getByRole('button', { name: 'Add Channel' }).click()
  const account = await connectBluesky(person.page, stage.bluesky, name)
  await person.page.getByRole('table', { name: 'Channels' }).getByText(account.handle, { exact: true }).waitFor()
  return { ...person, account }
}

async function openComposer({ page, at }: Pick<Person, 'page' | 'at'>, search = ''): Promise<void> {
  await page.goto(`${at('compose')}${search}`)
  await page.getByRole('textbox', { name: 'Text', exact: true }).waitFor()
}

const words = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
const saved = (page: Page) => page.locator('[data-save-state=saved]').waitFor()
const attach = (page: Page, files: { name: string; mimeType: string; buffer: Buffer }[]) => page.locator('[data-pick-files]').setInputFiles(files)
const picture = async (format: 'jpeg' | 'webp' | 'png', hue: string, side = 640) => ({ name: `${hue}.${format}`, mimeType: `image/${format}`, buffer: await sharp({ create: { width: side, height: Math.round(side * 0.7), channels: 3, background: hue } }).toFormat(format).toBuffer() })

const BlueskyPost = z.object({
  text: z.string(),
  facets: z.array(z.object({ features: z.array(z.looseObject({ $type: z.string() })) })).optional(),
  embed: z.object({ $type: z.literal('app.bsky.embed.images'), images: z.array(z.object({ alt: z.string() })) }).optional(),
})

export const journeys = [
  journey('compose: write, attach, preview, publish, and watch it become live', async (stage) => {
    const { bluesky } = stage
    await bluesky.createAccount('second')
    const person = await publisher(stage, 'composer')
    const { page, account } = person
    await openComposer(person)
    await axe(page)
    await page.getByRole('checkbox', { name: /composer/ }).check()
    await words(page).fill(text)
    await page.getByText(`${text.length} / 300`).waitFor()
    await saved(page)
    // the draft has its own address from its first words on
    await page.waitForURL(/draft=/)

    await attach(page, [await picture('jpeg', 'chocolate'), await picture('png', 'teal'), await picture('webp', 'olive')])
    const pictures = page.getByRole('list', { name: 'Pictures' })
    await pictures.getByText('unsupported image type. Supported: jpeg, png').waitFor()
    await shot(page, 'compose-picture')
    await pictures.getByRole('button', { name: 'Convert and shrink to fit' }).click()
    await pictures.getByText('unsupported image type').waitFor({ state: 'detached' })
    // larger than the server takes at all: made smaller before it is sent
    await attach(page, [{ name: 'noise.png', mimeType: 'image/png', buffer: await sharp({ create: { width: 1600, height: 1200, channels: 3, background: 'white', noise: { type: 'gaussian', mean: 128, sigma: 60 } } }).png().toBuffer() }])
    await pictures.getByText('image size cannot exceed 5 MB').waitFor()
    await pictures.getByRole('button', { name: 'Convert and shrink to fit' }).click()
    await pictures.getByText('size cannot exceed').waitFor({ state: 'detached' })
    await pictures.getByRole('button', { name: 'Remove picture 4' }).click()
    await pictures.getByRole('button', { name: 'Remove picture 2' }).click()
    await pictures.getByRole('button', { name: 'Move picture 2 to the front' }).click()
    await pictures.getByRole('textbox').first().fill('A green table')
    await saved(page)
    await axe(page)
    await shot(page, 'compose')
    await page.setViewportSize(PHONE)
    await axe(page)
    await shot(page, 'compose-phone')
    await page.setViewportSize({ width: 1440, height: 900 })

    await words(page).press('Control+Enter')
    await page.getByText('Post sent for processing').waitFor()
    await page.waitForURL(/\/calendar\?.*post=/)
    const sheet = page.getByRole('dialog', { name: 'Post' })
    // nothing is reloaded: the live stream brings it
    await sheet.getByText('Published', { exact: true }).waitFor()
    await sheet.getByRole('link', { name: /^Bluesky/ }).waitFor()
    for (const entry of [/^Created by Ada Lovelace/, /^Scheduled by/, 'Sent to Bluesky', 'Read back from Bluesky']) await sheet.getByRole('list', { name: 'What happened' }).getByText(entry).waitFor()
    await axe(page)
    await shot(page, 'post-published')

    const [record] = await until(async () => ((await bluesky.posts(account)).length > 0 ? await bluesky.posts(account) : undefined), { what: 'the post on the server' })
    const live = BlueskyPost.parse(record?.value)
    if (live.text !== text) throw new Error(`Another text went out: ${live.text}`)
    const kinds = live.facets?.flatMap((facet) => facet.features.map((feature) => feature.$type)) ?? []
    if (!kinds.includes('app.bsky.richtext.facet#tag') || !kinds.includes('app.bsky.richtext.facet#mention')) throw new Error(`Facets are missing: ${kinds.join(', ')}`)
    if (live.embed?.images.length !== 2 || live.embed.images[0]?.alt !== 'A green table') throw new Error(`Pictures went out as ${JSON.stringify(live.embed)}`)
    // the draft is used up
    await page.goto(person.at('posts/draft'))
    await page.getByText('No drafts').waitFor()
  }),

  journey('compose: a tab that is closed mid-draft loses nothing', async (stage) => {
    const person = await publisher(stage, 'drafter')
    const { page } = person
    await openComposer(person)
    await words(page).fill('Opening hours this week')
    await saved(page)
    const address = page.url()

    // the server is away while the last words are written, and the tab closes
    await page.context().setOffline(true)
    await words(page).fill('Opening hours this week: Friday until midnight')
    await page.getByText(/Kept in this browser/).waitFor()
    await page.close()
    const second = await page.context().newPage()
    await second.context().setOffline(false)
    await second.goto(address)
    await second.getByText('Your last words were kept in this browser.').waitFor()
    if ((await words(second).inputValue()) !== 'Opening hours this week: Friday until midnight') throw new Error('the last words are gone')
    await saved(second)

    // two tabs write the same draft: nothing is thrown away without a word
    const third = await page.context().newPage()
    await third.goto(address)
    await words(third).fill('Opening hours: closed on Sunday')
    await saved(third)
    await words(second).fill('Opening hours: open on Sunday')
    const dialog = second.getByRole('dialog', { name: 'This was changed elsewhere' })
    await dialog.getByText('Opening hours: closed on Sunday').waitFor()
    await axe(second)
    await shot(second, 'compose-conflict')
    await dialog.getByRole('button', { name: 'Keep mine' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await saved(second)
    await words(third).fill('Opening hours: closed on Sunday and Monday')
    await third.getByRole('dialog').getByText('Opening hours: open on Sunday').waitFor()
    await third.getByRole('dialog').getByRole('button', { name: 'Take the other' }).click()
    await until(async () => ((await words(third).inputValue()) === 'Opening hours: open on Sunday' ? true : undefined), { what: "the other tab's text" })
  }),

  journey('compose: what would be refused is said at once', async (stage) => {
    const person = await publisher(stage, 'strict')
    const { page } = person
    await openComposer(person)
    await page.getByRole('button', { name: 'Publish now', exact: true }).last().click()
    await page.getByText('Choose at least one channel.').waitFor()
    await page.getByRole('checkbox', { name: /strict/ }).check()
    await page.getByText('write something or attach a picture').waitFor()
    await words(page).fill('a'.repeat(312))
    await page.getByText('the text is 12 characters over the limit of 300').waitFor()
    await axe(page)
    await shot(page, 'compose-too-long')

    await attach(page, [{ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('not a picture at all') }])
    await page.getByText('notes.png: documents are not supported').waitFor()
    await attach(page, await Promise.all(['red', 'green', 'blue', 'gold', 'gray'].map((hue) => picture('jpeg', hue, 200))))
    await page.getByText('gray.jpeg: maximum 4 image(s) allowed').waitFor()

    // a skipped hour is pointed out; a passed time is refused at its field
    await page.getByRole('button', { name: 'Schedule', exact: true }).first().click()
    await page.getByRole('group', { name: 'Quick time zones' }).getByRole('button', { name: 'PST' }).click()
    await page.getByRole('button', { name: /^Time zone, America\/Los_Angeles/ }).waitFor()
    await axe(page)
    await shot(page, 'compose-schedule')

    // the night in which clocks go forward
    await openComposer(person, '?date=2027-03-28&time=02:30')
    await page.getByText('Clocks go forward then: 02:30 AM does not exist that day. It goes out at 03:30 AM.').waitFor()
  }),

  journey('compose: an upload whose connection breaks goes on where it stood', async (stage) => {
    const person = await stage.newPerson({ upTo: 'channel', account: 'unlucky' })
    const { page } = person
    await openComposer(person)
    await page.getByRole('checkbox', { name: /unlucky/ }).check()
    await page.route('**/api/upload/**', (route) => route.abort('connectionrefused'))
    await attach(page, [await picture('jpeg', 'purple')])
    const pictures = page.getByRole('list', { name: 'Pictures' })
    await pictures.getByRole('progressbar', { name: 'Uploading' }).waitFor()
    await pictures.getByRole('button', { name: 'Pause the upload of picture 1' }).click()
    await pictures.getByText('Paused').waitFor()
    // the tooltip of the button goes with the pointer
    await page.mouse.move(700, 5)
    await page.getByRole('tooltip').waitFor({ state: 'hidden' })
    await axe(page)
    await shot(page, 'compose-upload-paused')
    // nothing half-sent can be published, and nobody leaves by accident
    await words(page).fill('With a picture')
    await page.getByRole('button', { name: 'Publish now', exact: true }).last().click()
    await page.getByText('The pictures are still being uploaded.', { exact: false }).waitFor()
    await page.getByRole('link', { name: 'Calendar', exact: true }).click()
    await page.getByRole('dialog', { name: 'Leave while pictures are uploading?' }).getByRole('button', { name: 'Cancel' }).click()
    await page.unroute('**/api/upload/**')
    await pictures.getByRole('button', { name: 'Resume the upload of picture 1' }).click()
    await pictures.getByRole('progressbar').waitFor({ state: 'detached' })
    await saved(page)

    // a disk that takes no more is told in the words of the specification
    await page.route('**/api/upload/**', (route) => (route.request().method() === 'PATCH' ? route.fulfill({ status: 507, contentType: 'application/problem+json', body: JSON.stringify({ type: 'about:blank', title: 'x', status: 507, code: 'UPLOAD_FAILED', detail: 'Error uploading file', requestId: 'r' }) }) : route.fallback()))
    await attach(page, [await picture('jpeg', 'navy')])
    await pictures.getByText('Error uploading file').waitFor()
    await page.unroute('**/api/upload/**')
    await pictures.getByRole('button', { name: 'Try again' }).click()
    await pictures.getByText('Error uploading file').waitFor({ state: 'detached' })
    await pictures.getByRole('progressbar').waitFor({ state: 'detached' })
  }),
]
