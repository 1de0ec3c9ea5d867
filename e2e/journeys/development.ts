import { makeDocument } from '#server/testing/film.ts'
import { allArrived, attach } from '../browser.ts'
import { film } from '../film.ts'
import { test } from '../harness.ts'
import { startDevelopment } from '../product.ts'

test('development: a video and a PDF can be attached under npm run dev', async ({ stage }) => {
  const { newPerson } = await stage.apart(startDevelopment())
  const { page, at } = await newPerson({ upTo: 'project' })
  await page.goto(at('channels'))
  await page.getByRole('button', { name: 'Add Channel' }).first().click()
  await page.getByRole('button', { name: 'Simulated account, LinkedIn', exact: true }).click()
  await page.getByText('1 account connected').waitFor()
  await page.goto(at('compose'))
  const files = page.getByRole('list', { name: 'Files' })
  const roast = { name: 'roast.mp4', mimeType: 'video/mp4', buffer: await film(page, { seconds: 4 }) }
  // no reload: the development server knew all packages before the page asked for one
  await attach(page, [roast])
  await files.getByText('320 × 180 · 0:04').waitFor()
  await allArrived(page)
  await files.getByRole('button', { name: /Remove/ }).click()
  await attach(page, [{ name: 'menu.pdf', mimeType: 'application/pdf', buffer: await makeDocument(2) }])
  await files.getByText('2 pages').first().waitFor()
  await allArrived(page)
  await page.locator('[data-save-state=saved]').waitFor()
})
