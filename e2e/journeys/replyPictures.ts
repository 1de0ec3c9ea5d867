import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import { addInboxChannel, write } from '../inbox.ts'

const drawn = (color: string, type: 'png' | 'webp' = 'png') =>
  sharp({ create: { width: 640, height: 480, channels: 3, background: color } })
    .toFormat(type)
    .toBuffer()

/** What a system hands over for files that are pasted into the field, or dropped on what was said. */
async function handOver(
  page: Page,
  how: 'paste' | 'drop',
  on: string,
  files: readonly { name: string; type: string; buffer: Buffer }[],
): Promise<void> {
  const sent = files.map(({ name, type, buffer }) => ({ name, type, base64: buffer.toString('base64') }))
  await page.locator(on).evaluate(
    (element, [kind, all]) => {
      const data = new DataTransfer()
      for (const { name, type, base64 } of all)
        data.items.add(
          new File([Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0)], name, { type }),
        )
      const more = { bubbles: true, cancelable: true }
      if (kind === 'paste') element.dispatchEvent(new ClipboardEvent('paste', { ...more, clipboardData: data }))
      else
        for (const step of ['dragenter', 'dragover', 'drop'])
          element.dispatchEvent(new DragEvent(step, { ...more, dataTransfer: data }))
    },
    [how, sent] as const,
  )
}

test('inbox: pictures are chosen, pasted and dropped into a reply, on every plan', async ({ stage }) => {
  const person = await stage.newPerson()
  const { page } = person
  const mastodon = await addInboxChannel(stage, person, 'mastodon', 'Northlight')
  const instagram = await addInboxChannel(stage, person, 'instagram', 'Northlight Coffee')
  await write(stage, person, { channelId: mastodon, from: 'maya', text: 'Where do I find the order number?' })
  await write(stage, person, { channelId: instagram, conversation: 'message', from: 'jonas', text: 'Any cake left?' })
  await page.goto(person.at('inbox'))
  const list = page.getByRole('list', { name: 'Conversations' })
  await list.getByRole('link', { name: /Maya/ }).click()
  const open = page.getByRole('article', { name: 'Conversation with Maya' })
  const box = open.getByRole('textbox', { name: 'Reply to Maya' })
  const files = open.getByRole('list', { name: 'Images' })
  const arrived = (count: number) => expect(files.getByRole('button', { name: /^Crop or rotate/ })).toHaveCount(count)

  // a screenshot from the clipboard, and another one dropped on what was said
  await box.fill('You find it here:')
  const screenshot = { name: 'image.png', type: 'image/png', buffer: await drawn('#2f6f6a') }
  await handOver(page, 'paste', 'article textarea[aria-label="Reply to Maya"]', [screenshot])
  await arrived(1)
  await handOver(page, 'drop', 'article [role=region][aria-label=Conversation]', [
    { name: 'dropped.png', type: 'image/png', buffer: await drawn('#a4572a') },
  ])
  await arrived(2)
  await open.getByText('2 of 4, JPEG, PNG, GIF, or WEBP up to 8.0 MB').waitFor()
  await files
    .getByRole('textbox', { name: /^Alt text/ })
    .first()
    .fill('The order number, below the total')
  await axe(page)
  await shot(page, 'inbox-reply-pictures')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'inbox-reply-pictures-phone')
  await page.setViewportSize(DESKTOP)

  // more than the platform takes, and what it doesn't take at all
  const chooser = open.locator('[data-pick-files]')
  await chooser.setInputFiles(
    await Promise.all(
      ['one', 'two', 'three'].map(async (name) => ({
        name: `${name}.png`,
        mimeType: 'image/png',
        buffer: await drawn('#888888'),
      })),
    ),
  )
  await page.getByText(/^Not attached: three\.png: maximum 4 image/).waitFor()
  await arrived(4)
  await files.getByRole('button', { name: 'Remove image 4' }).click()
  await chooser.setInputFiles([{ name: 'menu.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 ') }])
  await page.getByText(/^Not attached: menu\.pdf: /).waitFor()
  await arrived(3)

  // an emoji at the caret, and all of it is there after a reload
  await box.press('Home')
  await open.getByRole('button', { name: 'Add an emoji' }).click()
  await page.getByRole('button', { name: 'thumbs up yes like' }).click()
  await expect(box).toHaveValue('👍You find it here:')
  await box.and(page.locator(':focus')).waitFor()
  await page.reload()
  await arrived(3)
  await expect(box).toHaveValue('👍You find it here:')
  await expect(files.getByRole('textbox', { name: /^Alt text/ }).first()).toHaveValue(
    'The order number, below the total',
  )

  // an upload that fails says why, and holds back the reply
  await page.route('**/upload/signed-url', (route) => route.abort(), { times: 1 })
  await chooser.setInputFiles([{ name: 'lost.png', mimeType: 'image/png', buffer: screenshot.buffer }])
  await files.getByRole('alert').waitFor()
  await box.press('Control+Enter')
  await open.getByText("A picture wasn't uploaded. Remove it or try again.").waitFor()
  await axe(page)
  await shot(page, 'inbox-reply-picture-failed')
  await files.getByRole('button', { name: 'Try again' }).click()
  await arrived(4)
  await open.getByText("A picture wasn't uploaded. Remove it or try again.").waitFor({ state: 'hidden' })

  // one that is still on its way when someone goes on is named
  await files.getByRole('button', { name: 'Remove image 4' }).click()
  await page.route('**/upload/signed-url', () => undefined, { times: 1 })
  await chooser.setInputFiles([{ name: 'slow.png', mimeType: 'image/png', buffer: screenshot.buffer }])
  await files.getByRole('progressbar').waitFor()

  // where a reply has text only
  await list.getByRole('link', { name: /Jonas/ }).click()
  await page.getByRole('textbox', { name: 'Reply to Jonas' }).waitFor()
  await page.getByText('Not attached, because you left before it was uploaded: slow.png').waitFor()
  await expect(page.getByRole('button', { name: 'Add a picture' })).toHaveCount(0)
  await handOver(page, 'paste', 'article textarea[aria-label="Reply to Jonas"]', [screenshot])
  await page.getByText("Pictures can't be sent from here in this conversation.").waitFor()
})
