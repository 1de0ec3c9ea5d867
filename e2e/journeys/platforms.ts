import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { platformRules } from '#contract/platforms/registry.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import { axe } from '../axe.ts'
import { allArrived, attach, DESKTOP, PHONE, shot } from '../browser.ts'
import { film } from '../film.ts'
import { test } from '../harness.ts'
import type { Person } from '../people.ts'
import { onSimulators } from '../simulated.ts'

const nameOf = (platform: PlatformKey) => platformRules[platform].label

/** Bluesky has its own simulator. */
const played = platformKeys.filter((platform) => platform !== 'bluesky')

/** Connects an account of each platform with one click, in the dialog that lists them all. */
async function connectSimulated(page: Page, platforms: readonly PlatformKey[]): Promise<void> {
  await page.getByRole('button', { name: 'Add Channel' }).first().click()
  const list = page.getByRole('list', { name: 'Platforms to connect' })
  for (const name of platforms.map(nameOf)) {
    await list.getByRole('button', { name: `Simulated account, ${name}`, exact: true }).click()
    await list
      .getByRole('listitem')
      .filter({ hasText: `Connect ${name}` })
      .getByText('1 account connected')
      .waitFor()
  }
}

/** The text in the list of failed posts. */
async function reasons({ page, at }: Person): Promise<string> {
  await page.goto(at('posts/failed'))
  return await page.getByRole('table', { name: 'Failed' }).innerText()
}

/** The name of the location in the list of previews. */
async function previewed(page: Page): Promise<string> {
  const labels = await page.getByRole('combobox', { name: 'Preview for' }).getByRole('option').allInnerTexts()
  return (
    labels
      .find((label) => label.startsWith(`${nameOf('googlemybusiness')}: `))
      ?.replace(`${nameOf('googlemybusiness')}: `, '') ?? ''
  )
}

test('platforms: in development one click connects an account of each, marked as such, and one post goes to all', async ({
  stage,
}) => {
  const { person, ...simulated } = await onSimulators(stage)
  const { page } = person
  // whatever they are sent is ready at once
  for (const platform of played) simulated.platforms.platform(platform).state.looks = 0
  await page.goto(person.at('channels'))
  await connectSimulated(page, platformKeys)
  await axe(page)
  await shot(page, 'platforms-simulated')
  await page.keyboard.press('Escape')
  const rows = page.getByRole('table', { name: 'Channels' }).getByRole('row')
  await rows.nth(platformKeys.length).waitFor()
  if ((await rows.filter({ hasText: 'Simulated' }).count()) !== platformKeys.length)
    throw new Error('a simulated channel is not marked')

  await page.goto(person.at('compose'))
  const text = page.getByRole('textbox', { name: 'Text', exact: true })
  await text.waitFor()
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await text.fill('Rooks fly home at dusk')
  await page.getByLabel('Title').fill('Rooks at dusk')
  await attach(page, [
    {
      name: 'rooks.jpg',
      mimeType: 'image/jpeg',
      buffer: await sharp({
        create: {
          width: 1080,
          height: 1080,
          channels: 3,
          background: 'teal',
          noise: { type: 'gaussian', mean: 128, sigma: 40 },
        },
      })
        .jpeg()
        .toBuffer(),
    },
  ])
  await allArrived(page)

  await page.getByRole('region', { name: 'Options for Pinterest' }).getByRole('combobox', { name: 'Board' }).click()
  await page.getByRole('option', { name: 'The shop' }).click()
  await page.getByRole('region', { name: 'Options for TikTok' }).getByLabel('Who can see it').selectOption({ index: 1 })
  await page.getByRole('region', { name: 'Options for YouTube' }).getByLabel('Made for kids').selectOption('no')
  // the one that accepts only videos gets its own
  await page.getByRole('tab', { name: /YouTube/ }).click()
  await page.getByRole('button', { name: 'Remove image 1' }).click()
  await attach(page, [
    {
      name: 'rooks.mp4',
      mimeType: 'video/mp4',
      buffer: await film(page, { seconds: 4, width: 400, height: 640 }),
    },
  ])
  await allArrived(page)
  await page.getByRole('tab', { name: 'All channels' }).click()
  await page.getByRole('list', { name: 'Fix these problems' }).waitFor({ state: 'detached' })
  await axe(page)
  await shot(page, 'platforms-compose', { fullPage: true })

  await text.press('Control+Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Publish now' }).click()
  await page.getByText(/sent for processing/).waitFor()
  await page.goto(person.at('posts/published'))
  const table = page.getByRole('table', { name: 'Published' })
  // the slowest is checked 15 seconds after it was sent; the list grows by itself
  await table
    .getByRole('row')
    .nth(platformKeys.length)
    .waitFor({ timeout: 60_000 })
    .catch(async () => {
      throw new Error(await reasons(person))
    })
  await axe(page)
  await shot(page, 'platforms-published')
  for (let i = 1; i <= platformKeys.length; i += 1)
    await table.getByRole('row').nth(i).getByText('Published', { exact: true }).waitFor()
  for (const platform of played) {
    const { state, violations } = simulated.platforms.platform(platform)
    // an image of a post may be a separate object there, without the text
    const posts = state.live(({ text: words }) => words.includes('Rooks fly home at dusk')).length
    if (posts !== 1) throw new Error(`${platform} holds ${posts} posts`)
    if (violations.length > 0) throw new Error(violations.join('\n'))
  }
})

test("platforms: in development, details of single platforms: a place, an offer, TikTok's options and consent", async ({
  stage,
}) => {
  const { page, at } = (await onSimulators(stage)).person
  await page.goto(at('channels'))
  await connectSimulated(page, ['facebook', 'tiktok', 'googlemybusiness'])
  await page.goto(at('compose'))
  const text = page.getByRole('textbox', { name: 'Text', exact: true })
  await text.waitFor()
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await text.fill('Ten percent off all rooks')

  const tiktok = page.getByRole('region', { name: 'Options for TikTok' })
  await tiktok.getByRole('checkbox', { name: 'Duet' }).check()
  // the account has turned it off
  await tiktok.getByText('Options in gray are turned off in the account settings.').waitFor()
  if (await tiktok.getByRole('checkbox', { name: 'Stitch' }).isEnabled()) throw new Error('Stitch is offered')
  await attach(page, [
    {
      name: 'rooks.jpg',
      mimeType: 'image/jpeg',
      buffer: await sharp({
        create: {
          width: 1080,
          height: 1080,
          channels: 3,
          background: 'teal',
          noise: { type: 'gaussian', mean: 128, sigma: 40 },
        },
      })
        .jpeg()
        .toBuffer(),
    },
  ])
  await allArrived(page)
  await tiktok.getByRole('checkbox', { name: 'Duet' }).waitFor({ state: 'detached' })
  await tiktok.getByRole('checkbox', { name: 'Comment' }).check()

  const facebook = page.getByRole('region', { name: 'Options for Facebook' })
  await facebook.getByText('Enter the name of a place.').waitFor()
  await facebook.getByRole('combobox', { name: 'Place' }).fill('harbour')
  await page.getByRole('option', { name: /Harbour Market/ }).click()
  await facebook.getByRole('button', { name: 'Change Place: Harbour Market' }).waitFor()

  const google = page.getByRole('region', { name: 'Options for Google Business Profile' })
  await google
    .getByRole('radio', { name: 'Offer' })
    .or(google.getByRole('button', { name: 'Offer' }))
    .first()
    .click()
  await google.getByLabel('Coupon code').fill('ROOK10')
  await google.getByLabel('Redeem link').fill('https://rooks.example/shop')
  await google.getByLabel('Terms').fill('Once for each nest.')
  await page
    .getByRole('combobox', { name: 'Preview for' })
    .selectOption({ label: `${nameOf('googlemybusiness')}: ${await previewed(page)}` })
  await page.getByRole('article').getByText('ROOK10').waitFor()
  await axe(page)
  await shot(page, 'platforms-details', { fullPage: true })

  // what TikTok requires of everyone who posts through others: the account, what it promotes, and its consent
  await tiktok.getByText(/^Posting as \w+/).waitFor()
  await tiktok.getByText("By posting, you agree to TikTok's").waitFor()
  await tiktok.getByRole('link', { name: 'Music Usage Confirmation' }).waitFor()
  if (await tiktok.getByRole('link', { name: 'Branded Content Policy' }).isVisible())
    throw new Error('a policy is agreed to that has nothing to do with the post')
  const disclose = tiktok.getByRole('switch', { name: 'Disclose commercial content' })
  if (await disclose.isChecked()) throw new Error('commercial content is disclosed for the person')
  const viewers = tiktok.getByLabel('Who can see it')
  await viewers.selectOption('SELF_ONLY')

  // by keyboard, like everything
  await disclose.focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await tiktok.getByText('Your photo/video will be labeled as "Promotional content".').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await tiktok.getByText('Your photo/video will be labeled as "Paid partnership".').waitFor()
  await tiktok.getByRole('link', { name: 'Branded Content Policy' }).waitFor()
  await tiktok.getByRole('link', { name: 'Music Usage Confirmation' }).waitFor()
  await tiktok.getByText('Branded content visibility cannot be set to private.').first().waitFor()
  if (!(await viewers.getByRole('option', { name: 'Only me' }).isDisabled()))
    throw new Error('branded content can be set to private')
  await axe(page)
  await shot(page, 'tiktok-options')
  await page.setViewportSize(PHONE)
  await tiktok.scrollIntoViewIfNeeded()
  await axe(page)
  await shot(page, 'tiktok-options-phone', { fullPage: true })
  await page.setViewportSize(DESKTOP)

  // continuing without saying what it promotes isn't an answer
  await tiktok.getByRole('checkbox', { name: 'Your brand' }).uncheck()
  await tiktok.getByRole('checkbox', { name: 'Branded content' }).uncheck()
  await page
    .getByRole('button', { name: /^(Publish now|Publish|Schedule)$/ })
    .first()
    .click()
  await tiktok.getByText('You need to indicate if your content promotes yourself, a third party, or both.').waitFor()
})
