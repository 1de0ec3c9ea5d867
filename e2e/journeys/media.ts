import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { z } from 'zod'
import { listAssets } from '#contract/library.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { makeDocument } from '#server/testing/film.ts'
import type { TestPds } from '#server/testing/pds/startPds.ts'
import { until } from '#server/testing/until.ts'
import { callAs } from '../api.ts'
import { axe } from '../axe.ts'
import { allArrived, attach, DESKTOP, PHONE, shot } from '../browser.ts'
import { film } from '../film.ts'
import { test } from '../harness.ts'
import type { Person } from '../people.ts'
import { changeReply, refuse } from '../replies.ts'

type File = { name: string; mimeType: string; buffer: Buffer }
const words = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
const files = (page: Page, name = 'Files') => page.getByRole('list', { name })
const picture = async (name: string, width: number, height: number): Promise<File> => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .png()
    .toBuffer(),
})

async function openComposer({ page, at }: Pick<Person, 'page' | 'at'>): Promise<void> {
  await page.goto(at('compose'))
  await words(page).waitFor()
}
/** Makes the page take the channels for those of another platform. */
const seeAs = (page: Page, platformName: PlatformKey) =>
  changeReply(page, '**/social/all', (reply) => {
    const { channels } = z.object({ channels: z.array(z.looseObject({})) }).parse(reply)
    return { channels: channels.map((channel) => ({ ...channel, platformName })) }
  })
const arrived = async (page: Page, name?: string) => {
  await files(page, name).getByRole('listitem').first().waitFor()
  await allArrived(page)
}

test('media: a video is probed, sent, given a thumbnail, played in the preview and published', async ({ stage }) => {
  const person = await stage.newPerson({ upTo: 'bluesky', account: 'filmer' })
  const { page } = person
  await openComposer(person)
  const buffer = await film(page, { seconds: 4 })
  await attach(page, [{ name: 'roast.mp4', mimeType: 'video/mp4', buffer }])
  await files(page).getByText('320 × 180 · 0:04').waitFor()
  await arrived(page)

  await attach(page, [{ name: 'menu.pdf', mimeType: 'application/pdf', buffer: await makeDocument(2) }])
  await page.getByText('menu.pdf: documents are not supported').waitFor()
  // nothing else fits next to a video
  await attach(page, [await picture('cup.png', 40, 30)])
  await page.getByText('cup.png: You can only upload one video or not both images and videos').waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).first().click()

  // the channel's preview plays it, seeking as players do
  await page.getByRole('checkbox', { name: /filmer/ }).check()
  const player = page.getByRole('article', { name: /^Preview/ }).locator('video')
  await until(
    async () => await player.evaluate((video: HTMLVideoElement) => video.readyState >= 2 && video.videoWidth),
    { what: 'the first frame' },
  )

  await files(page).getByRole('textbox').fill('Beans turn in the drum')
  await words(page).fill('Second crack')
  await page.locator('[data-save-state=saved]').waitFor()
  await axe(page)
  await shot(page, 'media-video')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'media-video-phone')
  await page.setViewportSize({ width: 1440, height: 900 })

  // a reopened draft still has it, now from the server
  await page.reload()
  await files(page).getByText('320 × 180 · 0:04').waitFor()
  const again = page.getByRole('article', { name: /^Preview/ }).locator('video')
  const src = (await again.getAttribute('src')) ?? ''
  if (!src.startsWith('/api/')) throw new Error(`the video comes from ${src}`)
  await until(async () => await again.evaluate((video: HTMLVideoElement) => video.readyState >= 2), {
    what: 'the first frame from the server',
  })
  const part = await page.evaluate(async (address) => {
    const answer = await fetch(address.split('#')[0] ?? '', { headers: { range: 'bytes=0-9' } })
    return [answer.status, (await answer.arrayBuffer()).byteLength]
  }, src)
  if (part[0] !== 206 || part[1] !== 10) throw new Error(`a range was answered with ${part.join(', ')}`)

  await words(page).press('Control+Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click()
  await page.getByRole('button', { name: 'View', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Post' })
  await sheet.getByText('Published', { exact: true }).waitFor()
  await sheet.locator('video').waitFor()
  await shot(page, 'media-video-published')
})

test('media: a thumbnail is a frame or a picture; a broken rule is shown at the file', async ({ stage }) => {
  const person = await stage.newPerson({ upTo: 'channel', account: 'pinner' })
  const { page } = person
  // a platform that requires a thumbnail for every video
  await seeAs(page, 'tiktok')
  await openComposer(person)
  await page.getByRole('checkbox', { name: /pinner/ }).check()
  await attach(page, [{ name: 'short.mp4', mimeType: 'video/mp4', buffer: await film(page, { seconds: 2 }) }])
  await page.getByText('short.mp4: video must be at least 3 seconds long').waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).first().click()
  await attach(page, [
    { name: 'roast.mp4', mimeType: 'video/mp4', buffer: await film(page, { seconds: 4, width: 400, height: 640 }) },
  ])
  await files(page).getByText('choose a thumbnail for the video').waitFor()
  await files(page).getByRole('button', { name: 'Choose thumbnail' }).click()
  const dialog = page.getByRole('dialog', { name: 'Choose thumbnail' })
  await dialog.getByRole('slider', { name: 'Frame' }).fill('3')
  await until(
    async () =>
      await dialog
        .locator('video')
        .evaluate((video: HTMLVideoElement) => !video.seeking && Math.abs(video.currentTime - 3) < 0.3),
    { what: 'the frame' },
  )
  await axe(page)
  await shot(page, 'media-thumbnail')
  await dialog.getByRole('button', { name: 'Use this frame' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await files(page).getByText('choose a thumbnail for the video').waitFor({ state: 'detached' })
  const shown = files(page).locator('img')
  await until(async () => (await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)) === 400, {
    what: 'the frame as a picture',
  })
  // the second half is orange
  const [red = 0, , blue = 0] = await colorOf(page, (await shown.getAttribute('src')) ?? '')
  if (red < 120 || blue > 110) throw new Error(`the frame has the color ${red}, ${blue}`)

  // the text covers the controls of an upright preview: a button plays it
  const preview = page.getByRole('article', { name: /^Preview/ })
  const isPaused = () => preview.locator('video').evaluate((video: HTMLVideoElement) => video.paused)
  await preview.getByRole('button', { name: 'Play the video' }).click()
  await until(async () => !(await isPaused()), { what: 'the film to run' })
  await preview.getByRole('button', { name: 'Pause the video' }).click()
  await until(isPaused, { what: 'the film to stand' })

  await files(page).getByRole('button', { name: 'Change thumbnail' }).click()
  await page.locator('[data-pick-thumbnail]').setInputFiles([await picture('own.png', 300, 500)])
  await until(async () => (await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)) === 300, {
    what: 'the own picture',
  })
  await dialog.waitFor({ state: 'hidden' })
  await files(page).getByRole('button', { name: 'Change thumbnail' }).click()
  await dialog.getByRole('button', { name: 'Remove thumbnail' }).click()
  await files(page).getByText('choose a thumbnail for the video').waitFor()
})

test('media: a picture is cropped and turned, files are put in order by keys and dragging or come from an address', async ({
  stage,
}) => {
  const person = await stage.newPerson({ upTo: 'channel', account: 'cropper' })
  const { page } = person
  await seeAs(page, 'linkedin')
  await openComposer(person)
  await attach(page, [await picture('table.png', 800, 500)])
  const pictures = files(page, 'Images')
  await pictures.getByRole('button', { name: 'Crop or rotate image 1' }).click()
  const dialog = page.getByRole('dialog', { name: 'Crop or rotate' })
  await dialog.getByLabel('Aspect ratio').selectOption('Square 1:1')
  if ((await dialog.getByLabel('Width').inputValue()) !== '500') throw new Error('a square of 800 by 500 is 500 wide')
  // with the pointer: to the left edge, and smaller from its corner
  const part = await dialog.locator('[data-crop]').boundingBox()
  if (!part) throw new Error('there is nothing to drag')
  await page.mouse.move(part.x + part.width / 2, part.y + part.height / 2)
  await page.mouse.down()
  await page.mouse.move(part.x - 400, part.y + 40, { steps: 4 })
  await page.mouse.up()
  if ((await dialog.getByLabel('From left').inputValue()) !== '0')
    throw new Error('the part did not follow the pointer')
  await axe(page)
  await shot(page, 'media-crop')
  await dialog.getByRole('button', { name: 'Rotate right' }).click()
  await dialog.getByLabel('Width').fill('320')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'media-crop-phone')
  await page.setViewportSize({ width: 1440, height: 900 })
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await pictures.getByText('320 × 320').waitFor()

  await pictures.getByRole('button', { name: 'Remove image 1' }).click()
  await attach(page, [{ name: 'menu.pdf', mimeType: 'application/pdf', buffer: await makeDocument(12) }])
  await files(page).getByText('12 pages').first().waitFor()
  // the button's tooltip disappears with the pointer
  await page.mouse.move(700, 5)
  await page.getByRole('tooltip').waitFor({ state: 'hidden' })
  await axe(page)
  await shot(page, 'media-document')

  await files(page)
    .getByRole('button', { name: /^Remove/ })
    .click()
  await attach(page, [
    await picture('one.png', 40, 30),
    await picture('two.png', 50, 30),
    await picture('three.png', 60, 30),
  ])
  const rows = pictures.getByRole('listitem')
  const inOrder = async (...names: string[]) =>
    await until(
      async () =>
        (await rows.allInnerTexts()).every((text, i) => text.includes(`${names[i]}.png`)) &&
        (await rows.count()) === names.length,
      { what: names.join(', ') },
    )
  await inOrder('one', 'two', 'three')
  await allArrived(page)

  await rows.nth(2).getByRole('textbox').focus()
  await page.keyboard.press('Alt+ArrowUp')
  await inOrder('one', 'three', 'two')
  await page.getByText('Moved to file 2 of 3').waitFor({ state: 'attached' })
  // the focus moves with the file
  if (!(await rows.nth(1).evaluate((row) => row.contains(document.activeElement))))
    throw new Error('the focus stayed behind')
  await rows.nth(0).getByRole('button', { name: 'Move image 1 down' }).click()
  await inOrder('three', 'one', 'two')

  const grip = async (i: number) => {
    await rows.nth(i).scrollIntoViewIfNeeded()
    const box = await rows.nth(i).locator('[data-grip]').boundingBox()
    if (!box) throw new Error('there is nothing to grab')
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }
  const from = await grip(2)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  const to = await grip(0)
  await page.mouse.move(to.x, to.y + 10, { steps: 6 })
  await shot(page, 'media-order')
  await page.mouse.up()
  await inOrder('two', 'three', 'one')
  // the draft follows
  await page.locator('[data-save-state=saved]').waitFor()
  await page.reload()
  await inOrder('two', 'three', 'one')

  // a picture on another server
  const elsewhere = await blobAt(stage.bluesky, await picture('elsewhere.png', 70, 30))
  await page.getByRole('button', { name: 'Add from a link' }).click()
  const adding = page.getByRole('dialog', { name: 'Add from a link' })
  await adding.getByLabel('Address').fill('http://127.0.0.1:1/inside.png')
  await adding.getByRole('button', { name: 'Add file' }).click()
  await adding.getByRole('alert').waitFor()
  await axe(page)
  await shot(page, 'media-address')
  await adding.getByLabel('Address').fill(elsewhere)
  await adding.getByRole('button', { name: 'Add file' }).click()
  await adding.waitFor({ state: 'hidden' })
  await pictures.getByText('70 × 30').waitFor()
  await page.mouse.move(700, 5)
  await page.getByRole('tooltip').waitFor({ state: 'hidden' })
  await axe(page)
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'media-order-phone')
})

test('media: a draft that was left during an upload says which file is missing, unread or deleted', async ({
  stage,
}) => {
  const person = await stage.newPerson({ upTo: 'channel', account: 'leaver' })
  const { page } = person
  await openComposer(person)
  // its upload never gets a response
  await page.route('**/api/upload/**', () => undefined)
  const file = await picture('table.png', 800, 500)
  // a tab in the background may be too slow to announce it
  const announced = page.waitForResponse('**/upload/signed-url')
  await attach(page, [file])
  await announced
  await page.locator('[data-save-state=saved]').waitFor()
  const again = await page.context().newPage()
  await again.goto(page.url())
  await again.getByText('A file wasn’t uploaded.').waitFor()
  await again.getByText(/table\.png \(\d+(\.\d)? k?B\)/).waitFor()
  await axe(again)
  await shot(again, 'media-unfinished')
  await again.setViewportSize(PHONE)
  await axe(again)
  await shot(again, 'media-unfinished-phone')
  await attach(again, [file])
  await arrived(again, 'Images')
  await again.getByText('A file wasn’t uploaded.').waitFor({ state: 'detached' })
  await again.locator('[data-save-state=saved]').waitFor()

  // a file that can't be read this time stays with the draft, and one that was deleted is reported
  const { assets } = await callAs(again, listAssets, { params: person.ids })
  const missing = new RegExp(`/asset/${assets[0]?.assetId}$`)
  await refuse(again, missing, 'RATE_LIMITED')
  await again.reload()
  await again.getByText("We couldn't load this").waitFor()
  await again.unroute(missing)
  await again.getByRole('button', { name: 'Try again' }).click()
  await arrived(again, 'Images')
  await refuse(again, missing, 'NOT_FOUND')
  await again.reload()
  await again.getByText('A file in this post was deleted.').waitFor()
  await axe(again)
  await shot(again, 'compose-again-file')
  await again.unroute(missing)

  // the upload of the first tab keeps its place until someone removes it
  await again.goto(`${again.url().split('/compose')[0]}/assets`)
  const note = again.getByText('You have 1 unfinished upload.')
  await note.waitFor()
  await again.getByRole('button', { name: 'Unfinished uploads' }).click()
  const left = again.getByRole('dialog', { name: 'Unfinished uploads' })
  const removal = left.getByRole('button', { name: 'Remove table.png' })
  await removal.waitFor()
  await axe(again)
  await shot(again, 'media-unfinished-list-phone')
  await again.setViewportSize(DESKTOP)
  await axe(again)
  await shot(again, 'media-unfinished-list')
  await removal.press('Enter')
  await left.getByText('No unfinished uploads.').waitFor()
  await again.keyboard.press('Escape')
  await left.waitFor({ state: 'hidden' })
  await note.waitFor({ state: 'detached' })
})

/** Puts a file into a post on the Bluesky server and returns its URL there. */
async function blobAt(bluesky: TestPds, { buffer, mimeType }: File): Promise<string> {
  const { did, accessJwt } = await bluesky.createAccount()
  const at = `http://${bluesky.host}/xrpc`
  const ask = async (method: string, contentType: string, body: Uint8Array<ArrayBuffer> | string) => {
    const answer = await fetch(`${at}/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessJwt}`, 'content-type': contentType },
      body,
    })
    if (!answer.ok) throw new Error(`${method}: ${await answer.text()}`)
    return (await answer.json()) as unknown
  }
  const { blob } = z
    .object({ blob: z.looseObject({ ref: z.object({ $link: z.string() }) }) })
    .parse(await ask('com.atproto.repo.uploadBlob', mimeType, new Uint8Array(buffer)))
  const record = {
    text: 'A picture',
    createdAt: new Date().toISOString(),
    embed: { $type: 'app.bsky.embed.images', images: [{ alt: '', image: blob }] },
  }
  // a file is only available once a post refers to it
  await ask(
    'com.atproto.repo.createRecord',
    'application/json',
    JSON.stringify({ repo: did, collection: 'app.bsky.feed.post', record }),
  )
  return `${at}/com.atproto.sync.getBlob?did=${did}&cid=${blob.ref.$link}`
}

/** The color in the center of a picture from this origin. */
async function colorOf(page: Page, address: string): Promise<number[]> {
  return await page.evaluate(async (url) => {
    const bitmap = await createImageBitmap(await (await fetch(url)).blob())
    const canvas = new OffscreenCanvas(1, 1)
    const pen = canvas.getContext('2d')
    pen?.drawImage(bitmap, 5, 5, 1, 1, 0, 0, 1, 1)
    return [...(pen?.getImageData(0, 0, 1, 1).data ?? [])]
  }, address)
}
