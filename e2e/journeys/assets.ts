import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { until } from '#server/testing/until.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import { callInProject, channelIdsOf, schedulePosts } from '../posts.ts'
import { refuseOnce } from '../replies.ts'

/** An image with a shape in it, so that tiles can be told apart. */
async function picture(name: string, hue: string, shape: string, width = 900, height = 600) {
  const art = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><circle cx="${width / 2}" cy="${height * 0.55}" r="${height * 0.28}" fill="${shape}"/></svg>`,
  )
  const buffer = await sharp({ create: { width, height, channels: 3, background: hue } })
    .composite([{ input: art }])
    .jpeg()
    .toBuffer()
  return { name, mimeType: 'image/jpeg', buffer }
}
const files = async () => [
  await picture('harbour.jpg', '#2d6a74', '#e8c468'),
  await picture('roastery.jpg', '#7a4b2c', '#f1e3d3'),
  await picture('cups.jpg', '#d8d2c8', '#3c2f2a', 700, 900),
  await picture('autumn-blend.jpg', '#b5562b', '#f6d9a8'),
  await picture('team.jpg', '#4a5a8a', '#dbe4ff', 1200, 600),
]
const upload = async (page: Page, chosen: { name: string; mimeType: string; buffer: Buffer }[]) =>
  await page.locator('[data-pick-files]').setInputFiles(chosen)
const tile = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Files' }).getByRole('button', { name: new RegExp(`^(\\d+:\\d+ )?${name}`) })
const toast = (page: Page, words: string) => page.locator('[data-sonner-toast]').filter({ hasText: words })

test("assets: upload, open a file and write its alt text, see where it's used, search, list, put it into a post", async ({
  newPerson,
}) => {
  const person = await newPerson({ upTo: 'channel', account: 'librarian' })
  const { page } = person
  await page.goto(person.at('assets'))
  await page.getByText('No files yet').waitFor()
  await axe(page)
  await shot(page, 'assets-empty')

  // one that isn't an image is refused with the reason, the others are uploaded; the reason is shown only for a moment
  const added = page.getByText('5 files added').waitFor()
  await upload(page, [
    ...(await files()),
    { name: 'notes.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a picture at all') },
  ])
  await tile(page, 'team.jpg').waitFor()
  await page.getByRole('list', { name: 'Uploads' }).getByRole('alert').waitFor()
  await axe(page)
  await shot(page, 'assets-refused')
  await page.getByRole('button', { name: 'Dismiss notes.jpg' }).click()
  await added
  // tiles load small copies, not the files
  await until(
    () =>
      page
        .getByRole('list', { name: 'Files' })
        .locator('img')
        .first()
        .evaluate((image: HTMLImageElement) => image.naturalWidth > 0 && image.currentSrc.endsWith('/preview')),
    { what: 'a preview in the tile' },
  )

  await tile(page, 'harbour.jpg').click()
  await page.waitForURL(/file=/)
  const sheet = page.getByRole('dialog', { name: 'harbour.jpg' })
  await sheet.getByText('Not used in any post.').waitFor()
  await sheet.getByLabel('Alt text').fill('A yellow sun over the harbour')
  await sheet.getByLabel('File name').fill('harbour at dawn')
  await sheet.getByRole('button', { name: 'Save' }).click()
  await sheet.getByText('Use only the letters A to Z').waitFor()
  await sheet.getByLabel('File name').fill('harbour-at-dawn')
  await sheet.getByRole('button', { name: 'Save' }).click()
  await page.getByText('File updated successfully').waitFor()
  await tile(page, 'harbour-at-dawn.jpg').waitFor()
  await axe(page)
  // what is undone is what the server has
  const saved = page.getByRole('dialog', { name: 'harbour-at-dawn.jpg' })
  await saved.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
  await saved.getByLabel('Alt text').fill('Something else')
  await saved.getByRole('button', { name: 'Discard changes' }).click()
  await saved.getByRole('button', { name: 'Discard changes' }).waitFor({ state: 'detached' })
  if ((await saved.getByLabel('Alt text').inputValue()) !== 'A yellow sun over the harbour')
    throw new Error('the words that were given up stand there still')

  // a post uses it elsewhere: the open sheet shows that
  const assetId = new URL(page.url()).searchParams.get('file') ?? ''
  const [channelId] = await channelIdsOf(person)
  const schedule = {
    type: 'ONCE',
    details: { utc: new Date(Date.now() + 86_400_000).toISOString(), timezone: 'Europe/Berlin' },
  }
  await callInProject(person, 'post', '/post', {
    intent: 'SCHEDULE',
    channels: [{ channelId, postType: 'post', contents: [{ text: 'Open from seven', media: [{ assetId }] }] }],
    schedule,
  })
  const opened = page.getByRole('dialog', { name: 'harbour-at-dawn.jpg' })
  await opened.getByRole('link', { name: /Open from seven/ }).waitFor()
  await shot(page, 'asset')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'asset-phone')
  await page.setViewportSize(DESKTOP)
  await opened.getByRole('link', { name: /Open from seven/ }).click()
  await page.getByRole('dialog', { name: 'Post' }).getByText('Open from seven').first().waitFor()
  await page.goBack()
  await opened.waitFor()
  await page.keyboard.press('Escape')
  await opened.waitFor({ state: 'hidden' })

  // found by its description, and all of it is in the URL
  await page.getByRole('searchbox', { name: 'Search files' }).fill('yellow sun')
  await tile(page, 'team.jpg').waitFor({ state: 'detached' })
  await tile(page, 'harbour-at-dawn.jpg').waitFor()
  await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'List' }).click()
  await page.waitForURL(/search=yellow/)
  await page.reload()
  const table = page.getByRole('table', { name: 'Files' })
  await table.getByText('1 post').waitFor()
  await page.getByRole('button', { name: 'Clear the search' }).click()
  await table.getByRole('button', { name: 'team.jpg', exact: true }).waitFor()
  await page.getByRole('group', { name: 'Kind' }).getByRole('button', { name: 'Videos' }).click()
  await page.getByText('No matching files').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  await table.getByRole('button', { name: 'team.jpg', exact: true }).waitFor()
  await axe(page)
  await shot(page, 'assets-list')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'assets-list-phone', { fullPage: true })

  // a post takes files from the library
  await page.setViewportSize(DESKTOP)
  await page.goto(person.at('compose'))
  await page.getByRole('button', { name: 'Add from the library' }).click()
  const picker = page.getByRole('dialog', { name: 'Add from the library' })
  await picker.getByRole('button', { name: /^cups\.jpg/ }).click()
  await picker.getByRole('button', { name: /^team\.jpg/ }).click()
  await axe(page)
  await shot(page, 'library-picker')
  await picker.getByRole('button', { name: 'Add 2 files' }).click()
  await picker.waitFor({ state: 'hidden' })
  await page.getByText('cups.jpg').first().waitFor()
  await page.getByText('team.jpg').first().waitFor()

  // posts show their picture, and are found by their text
  await schedulePosts(person, [{ text: 'A heron on the roof', inDays: 2 }])
  await page.goto(person.at('posts/posts'))
  const posts = page.getByRole('table', { name: 'Posts' })
  const cover = posts.getByRole('row').filter({ hasText: 'Open from seven' }).locator('img[src*="/cover"]')
  await until(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth > 0), {
    what: 'the cover of a post with a picture',
  })
  await page.getByRole('searchbox', { name: 'Search posts' }).fill('hero')
  await posts.getByText('Open from seven').waitFor({ state: 'detached' })
  await posts.getByText('A heron on the roof').waitFor()
  await page.waitForURL(/q=hero/)
  await axe(page)
  await shot(page, 'posts-search')
  await page.reload()
  await posts.getByText('A heron on the roof').waitFor()
})

test('assets: choose several by keyboard, nested folders, move, delete, undo, a lost connection', async ({
  newPerson,
}) => {
  const person = await newPerson()
  const { page } = person
  await page.goto(person.at('assets'))
  await page.getByText('No files yet').waitFor()
  await upload(page, await files())
  await page.getByText('5 files added').waitFor()

  // arrows move, Space and Shift choose
  await tile(page, 'team.jpg').waitFor()
  const grid = page.getByRole('list', { name: 'Files' })
  await grid.getByRole('button', { expanded: false }).first().focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowRight')
  const bar = page.getByRole('region', { name: 'Selected files' })
  await bar.getByText('2 selected').waitFor()
  await axe(page)
  await shot(page, 'assets-chosen')
  await page.keyboard.press('Escape')
  await bar.waitFor({ state: 'detached' })
  await page.keyboard.press('ControlOrMeta+a')
  await bar.getByText('5 selected').waitFor()

  await page.getByRole('button', { name: 'New folder' }).first().click()
  const naming = page.getByRole('dialog', { name: 'New folder' })
  await naming.getByRole('button', { name: 'Create folder' }).click()
  await naming.getByText('A name is required').waitFor()
  await naming.getByLabel('Name').fill('Campaigns')
  await axe(page)
  await naming.getByRole('button', { name: 'Create folder' }).click()
  await page.getByText('No files here').waitFor()
  const tree = page.getByRole('navigation', { name: 'Folders' })
  await tree.getByRole('button', { name: 'Actions for the folder Campaigns' }).click()
  await page.getByRole('menuitem', { name: 'New folder inside' }).waitFor()
  await axe(page)
  await page.getByRole('menuitem', { name: 'New folder inside' }).click()
  await naming.getByLabel('Name').fill('Autumn')
  await naming.getByLabel('Name').press('Enter')
  await tree.getByRole('link', { name: 'Autumn' }).waitFor()

  // selected files are moved into the inner folder, and back
  await tree.getByRole('link', { name: 'All files' }).click()
  await tile(page, 'cups.jpg').waitFor()
  await page.getByLabel('Select cups.jpg').check()
  await page.getByLabel('Select autumn-blend.jpg').check()
  await bar.getByRole('button', { name: 'Move' }).click()
  const moving = page.getByRole('dialog', { name: 'Move 2 files' })
  await moving.getByLabel('Folder').selectOption({ label: '\u2003Autumn' })
  await axe(page)
  await moving.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByText('2 files moved to Autumn').waitFor()
  await tree.getByRole('link', { name: 'Autumn 2' }).click()
  await tile(page, 'cups.jpg').waitFor()
  await tile(page, 'team.jpg').waitFor({ state: 'detached' })
  await axe(page)
  await shot(page, 'assets-folder')

  // dropped onto a folder
  await tile(page, 'cups.jpg').dragTo(tree.getByRole('link', { name: 'Campaigns' }))
  await page.getByText('cups.jpg moved to Campaigns').waitFor()
  await tree.getByRole('link', { name: 'Campaigns 1' }).waitFor()
  await toast(page, 'cups.jpg moved to Campaigns').getByRole('button', { name: 'Undo' }).click()
  await tree.getByRole('link', { name: 'Autumn 2' }).waitFor()

  // a folder is moved with its contents, and leaves them behind when it is deleted
  await tree.getByRole('button', { name: 'Actions for the folder Autumn' }).click()
  await page.getByRole('menuitem', { name: 'Move' }).click()
  const placing = page.getByRole('dialog', { name: 'Move the folder Autumn' })
  await placing.getByLabel('Folder').selectOption('Not in any folder')
  await placing.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByText('Autumn moved out of the folder').waitFor()
  await tree.getByRole('button', { name: 'Actions for the folder Autumn' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByText("Its 2 files aren't deleted: they move out of it.").waitFor()
  await axe(page)
  await page.getByRole('button', { name: 'Delete folder' }).click()
  await tree.getByRole('link', { name: 'Autumn' }).waitFor({ state: 'detached' })

  // deleted at once, and can be restored for ten seconds
  await tile(page, 'team.jpg').waitFor()
  await page.getByRole('button', { name: 'Actions for team.jpg' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
  await axe(page)
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await tile(page, 'team.jpg').waitFor({ state: 'detached' })
  await toast(page, 'team.jpg deleted.').getByRole('button', { name: 'Undo' }).click()
  await tile(page, 'team.jpg').waitFor()
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'assets-phone')

  // a lost connection pauses an upload; a completed file is asked about again
  await page.clock.install()
  const uploads = page.getByRole('list', { name: 'Uploads' })
  const lost = uploads.getByText('The connection was lost.', { exact: false })
  await page.route('**/api/upload/**', (route) => route.abort('internetdisconnected'))
  // a request on its way would time out as the clock moves
  const announced = page.waitForResponse('**/upload/signed-url')
  await upload(page, [await picture('pier.jpg', '#2d6a74', '#e8c468')])
  await announced
  await uploads.getByRole('progressbar', { name: 'Uploading' }).waitFor()
  // every wait between its tries
  await until(
    async () => {
      await page.clock.runFor(31_000)
      return await uploads.getByRole('progressbar', { name: 'Paused' }).isVisible()
    },
    { what: 'the end of its patience' },
  )
  await lost.waitFor()
  await axe(page)
  await page.unroute('**/api/upload/**')
  // the file arrives but the response is lost: it isn't sent a second time
  const sent: string[] = []
  page.on(
    'request',
    (request) =>
      request.method() === 'POST' && request.url().endsWith('/upload/signed-url') && sent.push(request.url()),
  )
  await refuseOnce(page, /\/asset\/[0-9a-f-]{36}$/, 'RATE_LIMITED')
  await page.evaluate(() => globalThis.dispatchEvent(new Event('online')))
  await uploads.getByRole('button', { name: 'Try again' }).click()
  await tile(page, 'pier.jpg').waitFor()
  if (sent.length > 0) throw new Error('a file that had arrived was sent again')
})
