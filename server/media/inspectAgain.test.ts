import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { getAsset } from '#contract/media.ts'
import { contentOn } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { inspectAgain } from './inspectAgain.ts'

let app: TestApp
let home: TestHome
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
})

/** A file as an earlier version left it. */
async function oldFile(): Promise<string> {
  const assetId = await contentOn(app.parts).picture(home)
  await app.database.owner.query('update asset set facts_version = 0, color_space = null where id = $1', [assetId])
  return assetId
}
const read = (assetId: string) => app.call(getAsset, { params: { ...home.params, assetId } }, { as: home.person })
const versionOf = async (assetId: string) =>
  (await app.database.owner.query('select facts_version from asset where id = $1', [assetId])).rows

it('reads a file again whose facts are of an earlier version, and only once', async () => {
  const assetId = await oldFile()
  expect(await read(assetId)).toMatchObject({ colorSpace: null })
  expect(await inspectAgain(app.parts.uploads)).toBe(1)
  expect(await read(assetId)).toMatchObject({ colorSpace: 'srgb', state: 'ready' })
  expect(await inspectAgain(app.parts.uploads)).toBe(0)
})

it('leaves a file whose bytes are gone as it is, and stops trying', async () => {
  const assetId = await oldFile()
  const { rows } = await app.database.owner.query<{ store_key: string }>('select store_key from asset where id = $1', [
    assetId,
  ])
  await app.parts.media.delete(rows[0]?.store_key ?? '')
  for (const version of [-1, -2, -3, -4, -5, -5]) {
    expect(await inspectAgain(app.parts.uploads)).toBe(0)
    expect(await versionOf(assetId)).toEqual([{ facts_version: version }])
  }
  expect(await read(assetId)).toMatchObject({ state: 'ready' })
})

it('keeps what it knows about a file that is not what it was taken for', async () => {
  const assetId = await oldFile()
  const { rows } = await app.database.owner.query<{ store_key: string }>('select store_key from asset where id = $1', [
    assetId,
  ])
  await app.parts.media.put(rows[0]?.store_key ?? '', Buffer.from('nothing that anyone knows'))
  const before = await read(assetId)
  expect(await inspectAgain(app.parts.uploads)).toBe(1)
  expect(await read(assetId)).toEqual(before)
})
