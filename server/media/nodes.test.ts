import { afterAll, beforeAll, expect, it } from 'vitest'
import { createUpload, getAsset, readAsset } from '#contract/media.ts'
import { drawPicture } from '../testing/content.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { startObjectServer } from '../testing/objectStore.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

// two nodes that share a database, an encryption key and a bucket, and nothing else

let server: Awaited<ReturnType<typeof startObjectServer>>
let database: TestDatabase
let nodes: [TestApp, TestApp]
let addresses: [string, string]
let home: TestHome
let picture: Buffer
beforeAll(async () => {
  server = await startObjectServer()
  database = await createTestDatabase()
  const { bucket, endpoint = '', credentials } = server.settings
  const env = {
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    S3_BUCKET: bucket,
    S3_ENDPOINT: endpoint,
    S3_ACCESS_KEY_ID: credentials?.accessKeyId ?? '',
    S3_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? '',
  }
  nodes = [await startApp({ database, env }), await startApp({ database, env })]
  addresses = [await nodes[0].listen(), await nodes[1].listen()]
  home = await nodes[0].signedInOwner()
  picture = await drawPicture({ width: 300, height: 200 })
})
afterAll(async () => {
  for (const node of nodes) await node.close()
  await database.drop()
  await server.stop()
})

const patch = (address: string, url: string, bytes: Buffer, offset: number) =>
  fetch(address + url, {
    method: 'PATCH',
    headers: {
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
    },
    body: new Uint8Array(bytes),
  })

it('finish an upload on the other node than it began on, and both serve the file', async () => {
  const { assetId, uploadUrl } = await nodes[0].call(
    createUpload,
    { params: home.params, body: { fileName: 'field.jpg', contentType: 'image/jpeg', bytes: picture.length } },
    { as: home.person },
  )
  const half = Math.floor(picture.length / 2)
  expect((await patch(addresses[0], uploadUrl, picture.subarray(0, half), 0)).status).toBe(204)
  const asked = await fetch(addresses[1] + uploadUrl, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } })
  expect(asked.headers.get('upload-offset')).toBe(String(half))
  expect((await patch(addresses[1], uploadUrl, picture.subarray(half), half)).status).toBe(204)
  const params = { ...home.params, assetId }
  expect(await nodes[0].call(getAsset, { params }, { as: home.person })).toMatchObject({ state: 'ready', width: 300 })
  for (const node of nodes)
    expect((await node.send(readAsset, { params }, { as: home.person })).rawPayload.equals(picture)).toBe(true)
  expect(await nodes[1].kept.ofUpload(assetId)).toEqual([])
})
