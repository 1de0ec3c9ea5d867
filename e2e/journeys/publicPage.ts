import { createBioPage, saveBioPage } from '#contract/linkInBio/pages.ts'
import { bioThemeKeys, bioThemes, type BioThemeKey } from '#contract/linkInBio/themes.ts'
import { blockPage, unblockPage } from '#server/linkInBio/block.ts'
import { until } from '#server/testing/until.ts'
import { callAs } from '../api.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { inDatabase } from '../database.ts'
import { test } from '../harness.ts'

const SMALL = { width: 320, height: 640 }
const labels = [
  'Shop the winter collection',
  'متجرنا الجديد',
  'A text as long as a button may have, which needs more than one line on a phone!!',
]

test('public page: read, followed and reported by keyboard without JavaScript, and gone once it is blocked', async ({
  stage,
}) => {
  const person = await stage.newPerson({ opens: 'posts/link-in-bio' })
  const { page, ids } = person
  const { pageId } = await callAs(page, createBioPage, { params: ids, body: { name: 'Quay', slug: 'quay-studio' } })
  let version = 1
  const save = async (theme: BioThemeKey) => {
    const items = labels.map((label, at) => ({
      kind: 'button' as const,
      number: version === 1 ? undefined : at + 1,
      label,
      url: `https://shop.example/?from=${at}`,
      zone: 'Europe/Berlin',
    }))
    const about = 'Ceramics, fired twice.\nOpen Thursday to Saturday.'
    const body = { version, name: 'Quay Studio', about, theme, live: true, items }
    ;({ version } = await callAs(page, saveBioPage, { params: { ...ids, pageId }, body }))
  }

  const visitor = await stage.openPage({ javaScriptEnabled: false })
  const status = async (at = visitor) => (await at.goto('/b/quay-studio'))?.status()
  // axe is a script
  const checked = await stage.openPage()
  const isWide = () => checked.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  for (const theme of bioThemeKeys) {
    await save(theme)
    const color = `content="${bioThemes[theme].page}"`
    await until(async () => (await status(checked)) === 200 && (await checked.content()).includes(color), {
      what: theme,
    })
    for (const [size, width] of [
      [DESKTOP, ''],
      [PHONE, '-phone'],
      [SMALL, '-small'],
    ] as const) {
      await checked.setViewportSize(size)
      await axe(checked)
      if (await isWide()) throw new Error(`${theme} is wider than ${size.width} pixels`)
      await shot(checked, `bio-public-${theme}${width}`)
    }
  }
  if ((await status()) !== 200) throw new Error('the page needs scripts')
  if ((await visitor.context().cookies()).length > 0) throw new Error('the page set a cookie')

  // by keyboard: each link once, in order, and the report last
  const reached: string[] = []
  for (let n = 0; n <= labels.length; n += 1) {
    await visitor.keyboard.press('Tab')
    reached.push(await visitor.locator(':focus').innerText())
  }
  if (reached.join('|') !== [...labels, 'Report this page'].join('|')) throw new Error(reached.join('|'))
  await visitor.keyboard.press('Enter')
  await visitor.getByRole('heading', { name: 'Report this page: Quay Studio' }).waitFor()
  for (const [size, width] of [
    [DESKTOP, ''],
    [PHONE, '-phone'],
  ] as const) {
    await checked.goto('/b/quay-studio/report')
    await checked.setViewportSize(size)
    await axe(checked)
    await shot(checked, `bio-report${width}`)
  }
  await visitor.getByRole('radio', { name: 'It pretends to be someone else' }).press('Space')
  await visitor.getByRole('textbox', { name: 'What should we know? (optional)' }).fill('I know the real Quay.')
  await visitor.getByRole('button', { name: 'Send report' }).press('Enter')
  await visitor.getByRole('heading', { name: 'Thank you for your report' }).waitFor()
  await visitor.getByRole('link', { name: 'Back to the page' }).press('Enter')

  // stopped by the operator: at once, and whatever its project does
  await visitor.getByRole('heading', { name: 'Quay Studio' }).waitFor()
  await inDatabase(stage, (databases) => blockPage(databases, 'quay-studio', 'Impersonation', new Date()))
  await until(async () => (await status()) === 410)
  await visitor.getByRole('heading', { name: 'This page is no longer available' }).waitFor()
  await status(checked)
  await axe(checked)
  await shot(checked, 'bio-blocked')
  await page.reload()
  await page.getByText('Impersonation').first().waitFor()
  await inDatabase(stage, (databases) => unblockPage(databases, 'quay-studio'))
  await until(async () => (await status()) === 200)
})
