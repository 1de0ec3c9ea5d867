import type { Page } from '@playwright/test'
import { z } from 'zod'
import { until } from '#server/testing/until.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import { addAccount } from '../people.ts'

const Facet = z.object({ features: z.array(z.object({ uri: z.string() })) })
const Post = z.object({ text: z.string(), facets: z.array(Facet) })

/** Pictures of a page at both widths. */
async function pictures(page: Page, name: string): Promise<void> {
  await shot(page, name)
  await page.setViewportSize(PHONE)
  await shot(page, `${name}-phone`)
  await page.setViewportSize(DESKTOP)
}

test('links: tags and short links are set by keyboard, previewed in the composer, published, and lead on', async ({
  stage,
}) => {
  const person = await stage.newPerson()
  const account = await addAccount(person, stage.bluesky, 'linker')
  const { page } = person
  await page.goto(person.at('channels'))
  await page.getByRole('link', { name: 'UTM tags and short links' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor()
  await axe(page)

  // tags of all channels, with a preview as they're typed
  const all = page.getByRole('region', { name: 'All channels' })
  await all.getByRole('button', { name: 'Use the usual tags' }).focus()
  await page.keyboard.press('Enter')
  await all.getByText(/\?color=red&utm_source=bluesky&utm_medium=social&utm_campaign=autumn-sale$/).waitFor()
  const term = all.getByRole('textbox', { name: 'Term' })
  await term.focus()
  await page.keyboard.type('{nobody}')
  await page.keyboard.press('Enter')
  await all.getByText("{nobody} isn't a placeholder").waitFor()
  await axe(page)
  await term.fill('')
  await all.getByRole('checkbox', { name: 'Shorten links' }).focus()
  await page.keyboard.press('Space')
  await all.getByText('/s/… leads to').waitFor()
  await pictures(page, 'link-settings')
  await all.getByRole('button', { name: 'Save' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Link settings saved').first().waitFor()
  await page.reload()
  await all.getByRole('checkbox', { name: 'Shorten links', checked: true }).waitFor()

  // one channel differs, and follows again
  const choice = page.getByRole('combobox', { name: /^Links of .*linker/ })
  await choice.selectOption('Its own')
  const single = page.getByRole('form', { name: /linker/ })
  await single.getByRole('textbox', { name: 'Source' }).fill('here')
  await single.getByText(/utm_source=here/).waitFor()
  await axe(page)
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'link-settings-channel-phone')
  await page.setViewportSize(DESKTOP)
  await single.getByRole('button', { name: 'Save' }).click()
  await page.reload()
  await single.getByRole('textbox', { name: 'Source' }).waitFor()
  await choice.selectOption('As all channels')
  await single.getByRole('textbox', { name: 'Source' }).waitFor({ state: 'detached' })

  // the composer says what becomes of each link, and this post's campaign differs
  await page.goto(person.at('compose'))
  const words = page.getByRole('textbox', { name: 'Text', exact: true })
  await words.fill('No links yet')
  await page.getByRole('checkbox', { name: /linker/, checked: true }).waitFor()
  await words.fill('New bowls: https://bowls.example/autumn?size=l#blue and https://bsky.app/profile/us')
  const links = page.getByRole('region', { name: 'Links' })
  await links
    .getByText('https://bowls.example/autumn?size=l&utm_source=bluesky&utm_medium=social#blue', { exact: true })
    .waitFor()
  await links.getByText('https://bsky.app/profile/us (stays as it is)').waitFor()
  await links.getByRole('textbox', { name: 'Campaign tag of this post' }).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Bowls {date}')
  const day = new Date().toISOString().slice(0, 10)
  await links.getByText(new RegExp(`utm_campaign=Bowls%20${day.slice(0, 4)}-\\d\\d-\\d\\d#blue$`)).waitFor()
  await axe(page)
  await pictures(page, 'compose-links')
  await links.getByRole('checkbox', { name: 'UTM tags' }).uncheck()
  await links.getByText('https://bowls.example/autumn?size=l#blue', { exact: true }).waitFor()
  await links.getByRole('checkbox', { name: 'UTM tags' }).check()
  await links.getByRole('textbox', { name: 'Campaign tag of this post' }).fill('Bowls')
  // what is counted is what is sent
  const counter = page.getByText(/\d+ \/ 300/).first()
  const short = Number((await counter.innerText()).split(' ')[0])
  await links.getByRole('checkbox', { name: 'Short links' }).uncheck()
  await until(async () => Number((await counter.innerText()).split(' ')[0]) > short, { what: 'a longer text' })
  await links.getByRole('checkbox', { name: 'Short links' }).check()
  await until(async () => Number((await counter.innerText()).split(' ')[0]) === short, { what: 'the short text' })

  await words.press('ControlOrMeta+Enter')
  await page.getByRole('dialog', { name: 'Publish now?' }).waitFor()
  await page.keyboard.press('Enter')
  const record = await until(async () => (await stage.bluesky.posts(account))[0], { what: 'the post on Bluesky' })
  const { text, facets } = Post.parse(record.value)
  const sent = facets[0]?.features[0]?.uri ?? ''
  // Bluesky shows links without their protocol, and has them whole beside the text
  if (
    !/\/s\/[2-9a-z]{8}$/.test(sent) ||
    text !== `New bowls: ${sent.replace(/^https?:\/\//, '')} and bsky.app/profile/us`
  )
    throw new Error(`Bluesky received: ${text}, ${sent}`)
  const reply = await fetch(sent, { redirect: 'manual' })
  const leads = reply.headers.get('location')
  const tagged = 'https://bowls.example/autumn?size=l&utm_source=bluesky&utm_medium=social&utm_campaign=Bowls#blue'
  if (reply.status !== 302 || leads !== tagged) throw new Error(`${sent} leads to ${leads}, with ${reply.status}`)

  // and the post itself shows it
  await page.goto(person.at('posts/published'))
  await page
    .getByRole('button', { name: /^New bowls/ })
    .first()
    .click()
  const sheet = page.getByRole('dialog', { name: 'Post' })
  await sheet.getByText(sent).first().waitFor()
  await sheet.getByText(tagged, { exact: true }).waitFor()
  await axe(page)
  await shot(page, 'post-links')
})
