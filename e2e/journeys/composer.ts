import type { Locator, Page } from '@playwright/test'
import { Submit } from '#contract/submit.ts'
import { until } from '#server/testing/until.ts'
import { axe } from '../axe.ts'
import { PHONE, shot } from '../browser.ts'
import { addChannel, addChannels } from '../channels.ts'
import { test } from '../harness.ts'

const words = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
const saved = (page: Page) => page.locator('[data-save-state=saved]').waitFor()

/** Nothing is wider than a phone: a page that scrolls sideways has lost something. */
async function fitsPhone(page: Page): Promise<void> {
  const wide = await page.evaluate(() => {
    const most = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth <= most) return []
    return [...document.querySelectorAll('main *')]
      .filter((element) => element.getBoundingClientRect().right > most + 1)
      .slice(0, 12)
      .map((element) => `${element.tagName} ${element.className} ${Math.round(element.getBoundingClientRect().right)}`)
  })
  if (wide.length > 0) throw new Error(`wider than the phone:\n${wide.join('\n')}`)
}

test('composer: a channel is published at its own time, which can be cleared', async ({ stage }) => {
  const person = await stage.newPerson({ upTo: 'channel', account: 'early' })
  const { page } = person
  await addChannel(stage, person, 'evening')
  await page.goto(`${person.at('compose')}?date=2026-12-24&time=09:00`)
  for (const name of [/early/, /evening/]) await page.getByRole('checkbox', { name }).check()
  await words(page).fill('Open on the holidays')
  await page.getByText(/^Not enough results yet\. Best times need 30 posts with results/).waitFor()

  // from the list of all channels, by keyboard
  await page.getByRole('button', { name: 'Custom time' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: /evening/ }).waitFor()
  await axe(page)
  await page.getByRole('menuitem', { name: /evening/ }).press('Enter')
  await page.getByText(/evening\S* has a custom time\./).waitFor()
  await page.getByRole('group', { name: 'Quick time zones' }).getByRole('button', { name: 'PST' }).click()
  await axe(page)
  await shot(page, 'composer-own-time')
  await page.getByRole('tab', { name: 'All channels' }).click()
  const own = page.getByRole('list', { name: 'Custom times' })
  await own.getByText(/24 Dec.*GMT-8/).waitFor()
  await page.getByText('1 channel at a custom time').waitFor()
  await saved(page)
  await axe(page)
  await shot(page, 'composer-own-times')
  await page.setViewportSize(PHONE)
  await fitsPhone(page)
  await axe(page)
  await shot(page, 'composer-own-times-phone', { fullPage: true })
  await page.setViewportSize({ width: 1440, height: 900 })
  // it is restored with the draft
  await page.reload()
  await own.getByText(/24 Dec.*GMT-8/).waitFor()
  await own.getByRole('button', { name: /^Remove the custom time for evening/ }).click()
  await own.waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: /evening/ }).click()
  await page.getByText(/^Same time as all channels: Thu 24 Dec/).waitFor()
  await shot(page, 'composer-same-time')
  await page.getByRole('button', { name: 'Custom time', exact: true }).click()
  await page.getByRole('button', { name: 'Queue', exact: true }).click()
  await page.getByRole('tab', { name: 'All channels' }).click()
  await own.getByText('in the queue').waitFor()

  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/post'))
  await page.getByRole('button', { name: 'Schedule', exact: true }).last().click()
  const { channels, schedule } = Submit.parse((await sent).postDataJSON())
  if (schedule.type !== 'ONCE' || channels[0]?.schedule !== undefined || channels[1]?.schedule?.type !== 'QUEUE')
    throw new Error(`sent as ${JSON.stringify({ schedule, channels })}`)
  await page.getByText('Post Scheduled').waitFor()
})

test('composer: what belongs to an account is searched at its platform, or typed in where that has no list', async ({
  stage,
}) => {
  const person = await stage.newPerson({ upTo: 'channel', account: 'searching' })
  const { page } = person
  const platforms = ['pinterest', 'pinterest', 'youtube', 'instagram', 'x'] as const
  const others = await addChannels(
    stage,
    person,
    platforms.map((platform, i) => ({ platform, name: `${platform} ${i + 1}` })),
  )
  const item = (id: string, name: string, detail: string | null = null, insert: string | null = null) => ({
    id,
    name,
    detail,
    pictureUrl: null,
    insert,
  })
  const lists: Record<string, ReturnType<typeof item>[]> = {
    boards: [item('b1', 'Breads', '12 pins'), item('b2', 'Cakes')],
    categories: [item('26', 'Howto & Style')],
    people: [item('p1', 'Ada Lovelace', '@ada', '@ada'), item('p2', 'Adam Smith', '@adam', '@adam')],
    places: [item('f1', 'Old Mill, River Street')],
  }
  await page.route('**/lookup/**', (route) => {
    const url = new URL(route.request().url())
    const kind = url.pathname.split('/').at(-1) ?? ''
    const query = url.searchParams.get('query')?.toLowerCase() ?? ''
    const offers = kind in lists && (kind !== 'people' || others.some((id) => url.pathname.includes(id)))
    return route.fulfill({
      json: {
        items: (lists[kind] ?? []).filter(({ name }) => name.toLowerCase().includes(query)),
        offered: offers,
      },
    })
  })
  await page.goto(person.at('compose'))
  for (const name of [/pinterest 1/, /pinterest 2/, /youtube/, /instagram/])
    await page.getByRole('checkbox', { name }).check()
  await words(page).fill('Cake for everybody')

  // each account has its own boards
  const pins = page.getByRole('region', { name: 'Options for Pinterest' })
  const first = pins.getByRole('combobox', { name: 'Board, Northlight pinterest 1' })
  await first.focus()
  await page.keyboard.press('ArrowDown')
  await pins.getByRole('option', { name: /Breads/ }).waitFor()
  await axe(page)
  await shot(page, 'composer-lookup')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await pins.getByRole('button', { name: 'Change Board, Northlight pinterest 1: Cakes' }).waitFor()
  await until(
    async () =>
      (await pins.getByRole('button', { name: /Cakes$/ }).evaluate((button) => button === document.activeElement))
        ? true
        : undefined,
    { what: 'the focus at what was chosen' },
  )
  await pins.getByRole('combobox', { name: 'Board, Northlight pinterest 2' }).fill('bre')
  await pins.getByRole('option', { name: /Breads/ }).click()
  await pins.getByRole('button', { name: 'Change Board, Northlight pinterest 2: Breads' }).waitFor()
  // a platform without a list of playlists: a plain field, with a hint
  const video = page.getByRole('region', { name: 'Options for YouTube' })
  await video.getByLabel('Playlist ID').fill('PL123')
  await video.getByText("This platform doesn't offer a list. Enter the ID.").waitFor()
  await video.getByRole('combobox', { name: 'Category' }).fill('how')
  await video.getByRole('option', { name: /Howto/ }).click()
  await saved(page)
  await axe(page)
  await shot(page, 'composer-looked-up')
  await page.setViewportSize(PHONE)
  await fitsPhone(page)
  await axe(page)
  await shot(page, 'composer-looked-up-phone', { fullPage: true })
  await page.setViewportSize({ width: 1440, height: 900 })
  // the draft keeps what was chosen, and its name is found again
  await page.reload()
  await pins.getByRole('button', { name: 'Change Board, Northlight pinterest 1: Cakes' }).waitFor()

  // texts have the direction of their script, while they're written and in the preview
  const directionOf = async (shown: Locator) =>
    await shown.evaluate((element) => getComputedStyle(element).direction + getComputedStyle(element).unicodeBidi)
  for (const [text, direction] of [
    ['أهلا بالجميع\nGood morning', 'rtl'],
    ['שבת שלום', 'rtl'],
    ['Good morning\nأهلا', 'ltr'],
  ] as const) {
    await words(page).fill(text)
    const preview = page.locator('p[dir=auto]', { hasText: text.split('\n')[0] ?? '' })
    for (const shown of [words(page), preview.first()])
      if ((await directionOf(shown)) !== `${direction}plaintext`)
        throw new Error(`${text}: ${await directionOf(shown)}`)
  }

  // an @ offers people of the platforms that know some
  await words(page).fill('')
  await page.getByRole('checkbox', { name: /Northlight x/ }).check()
  await words(page).press('End')
  await words(page).pressSequentially('Thanks @ada')
  const list = page.getByRole('listbox', { name: 'People to mention' })
  await list
    .getByRole('option', { name: /Adam Smith/ })
    .first()
    .waitFor()
  await axe(page)
  await shot(page, 'composer-mention')
  await words(page).press('Escape')
  await list.waitFor({ state: 'detached' })
  await words(page).press('Backspace')
  await list
    .getByRole('option', { name: /Ada Lovelace/ })
    .first()
    .waitFor()
  // that Enter is the input method's, and Ctrl+Enter doesn't publish
  for (const more of [{}, { ctrlKey: true }])
    await words(page).dispatchEvent('keydown', { key: 'Enter', keyCode: 229, isComposing: true, ...more })
  if ((await words(page).inputValue()) !== 'Thanks @ad') throw new Error(await words(page).inputValue())
  await words(page).press('Enter')
  await until(async () => ((await words(page).inputValue()) === 'Thanks @ada ' ? true : undefined), {
    what: 'the mention in the text',
  })
  await words(page).pressSequentially('for the cake')
  await until(async () => ((await words(page).inputValue()) === 'Thanks @ada for the cake' ? true : undefined), {
    what: 'the words after the mention',
  })
  // the browser's own undo takes back what was typed, then the mention
  await until(
    async () => {
      await words(page).press('ControlOrMeta+z')
      return (await words(page).inputValue()) === 'Thanks @ad' ? true : undefined
    },
    { what: 'the mention taken back' },
  )
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})
