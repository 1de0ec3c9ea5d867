import { existsSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createUpload, removeUnfinishedUpload, unfinishedUploads } from '#contract/media.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { inObjectStore } from '../testing/keptFiles.ts'
import { until } from '../testing/until.ts'
import { hasRoom } from './uploadQuota.ts'

let app: TestApp
let home: TestHome
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
})

describe('unfinished uploads', () => {
  const begin = (bytes = 10, contentType = 'image/png', as = home.person) =>
    app.call(createUpload, { params: home.params, body: { fileName: 'a.png', contentType, bytes } }, { as })
  const left = async () =>
    (
      await app.database.owner.query("select id from asset where org_id = $1 and state = 'uploading'", [home.orgId])
    ).rows.map(({ id }) => String(id))
  const lying = (id: string) => existsSync(join(app.dataDir, 'media', 'uploads', id))

  it("are limited to twenty per person, even when announced at the same moment, and don't affect others", async () => {
    for (let i = 0; i < 18; i += 1) await begin()
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => begin()))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    await expect(begin()).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      problem: {
        detail:
          "20 of your uploads here aren't finished yet. Wait until some are, or remove some under “Unfinished uploads”.",
        meta: { limit: 'unfinished-uploads' },
      },
    })
    await begin(10, 'image/png', await app.colleague(home, 'editor'))
    app.clock.advance({ hours: 25 })
    await begin()
  })

  it('are limited to 10 GB', async () => {
    for (let i = 0; i < 18; i += 1) await begin(500_000_000, 'video/mp4')
    await app.database.owner.query(
      "update asset set bytes = bytes + 50000000 where org_id = $1 and state = 'uploading'",
      [home.orgId],
    )
    await begin(100_000_000, 'video/mp4')
    await expect(begin(1)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      problem: {
        detail:
          'Your unfinished uploads here may have 10 GB in total. Wait until some are finished, or remove some under “Unfinished uploads”.',
      },
    })
  })

  it('are listed and removed by their own person only, which makes room for the next one', async () => {
    const as = { as: home.person }
    const { assetId, uploadUrl } = await app.call(
      createUpload,
      { params: home.params, body: { fileName: 'Summer menu 2026.png', contentType: 'image/png', bytes: 10 } },
      as,
    )
    for (let i = 0; i < 19; i += 1) await begin()
    const colleague = await app.colleague(home, 'editor')
    const stranger = await app.signedInOwner()
    const uploadsOf = async (person = home.person) =>
      (await app.call(unfinishedUploads, { params: home.params }, { as: person })).uploads
    const remove = (person = home.person, params = home.params) =>
      app.call(removeUnfinishedUpload, { params: { ...params, assetId } }, { as: person })

    expect(await uploadsOf()).toHaveLength(20)
    expect((await uploadsOf())[0]).toEqual({
      assetId,
      displayName: 'Summer menu 2026.png',
      bytes: 10,
      startedAt: app.clock.now().toISOString(),
    })
    expect(await uploadsOf(colleague)).toEqual([])
    await expect(remove(colleague)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(remove(stranger.person, stranger.params)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(begin()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })

    expect(await remove()).toEqual({ message: 'Upload removed' })
    await until(() => !lying(assetId))
    const sent = await app.app.inject({
      method: 'PATCH',
      url: uploadUrl,
      headers: { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      payload: Buffer.alloc(10),
    })
    expect(sent.statusCode).toBeGreaterThanOrEqual(400)
    await begin()
    await expect(remove()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('that are finished are files, and can no longer be removed this way', async () => {
    const { assetId } = await begin()
    await app.database.owner.query("update asset set state = 'ready' where id = $1", [assetId])
    await expect(
      app.call(removeUnfinishedUpload, { params: { ...home.params, assetId } }, { as: home.person }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  // an object store dates objects by its own clock: objectStaging.test.ts
  it.skipIf(inObjectStore)('give up their places after stalling, once there is none left', async () => {
    for (let i = 0; i < 20; i += 1) await begin()
    const [moving, ...stalled] = await left()
    if (!moving || !stalled[0]) throw new Error('there are twenty')
    app.clock.advance({ minutes: 11 })
    const now = app.clock.now()
    for (const id of stalled) utimesSync(join(app.dataDir, 'media', 'uploads', id), new Date(0), new Date(0))
    utimesSync(join(app.dataDir, 'media', 'uploads', moving), now, now)
    const { assetId } = await begin()
    expect(new Set(await left())).toEqual(new Set([moving, assetId]))
    await until(() => stalled.every((id) => !lying(id)))
    expect(lying(moving)).toBe(true)
  })

  it('are refused beyond what an organization may upload in a day, or if the disk is full', async () => {
    const { assetId } = await begin()
    await app.database.owner.query("update asset set state = 'ready', bytes = 99999999995 where id = $1", [assetId])
    await expect(begin()).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      problem: { detail: 'Your organization can upload up to 100 GB per day. Try again tomorrow.' },
    })
    app.clock.advance({ hours: 25 })
    await begin()
    const { hasRoom } = app.parts.uploads
    const before = await left()
    app.parts.uploads.hasRoom = async () => false
    try {
      await app.database.owner.query('delete from asset where id = $1', [assetId])
      await expect(begin()).rejects.toMatchObject({
        code: 'UPLOAD_FAILED',
        problem: { detail: 'This server is out of disk space. Contact your Rookery administrator.' },
      })
    } finally {
      app.parts.uploads.hasRoom = hasRoom
    }
    expect(await left()).toEqual(before)
  })
})

it("are refused if they don't fit on the disk", async () => {
  expect(await hasRoom(app.dataDir, 1e18)).toBe(false)
  expect(await hasRoom(app.dataDir, -1e18)).toBe(true)
})
