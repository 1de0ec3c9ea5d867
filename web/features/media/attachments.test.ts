import { afterEach, expect, test, vi } from 'vitest'
import { errorCatalog } from '#contract/errors.ts'
import { readAttachment } from './attachments.ts'

const ids = { orgId: 'o', projectId: 'p' }
afterEach(() => vi.unstubAllGlobals())

test('treats a file as gone only if the server says so', async () => {
  vi.stubGlobal('fetch', async () =>
    Response.json(
      { type: 'about:blank', title: 'x', ...errorCatalog.NOT_FOUND, code: 'NOT_FOUND', requestId: 'r' },
      { status: 404 },
    ),
  )
  await expect(readAttachment(ids, { assetId: 'a' })).resolves.toBeUndefined()
})

test("doesn't treat a file that couldn't be loaded as gone", async () => {
  vi.stubGlobal('fetch', async () => Response.json({ code: 'INTERNAL' }, { status: 500 }))
  await expect(readAttachment(ids, { assetId: 'a' })).rejects.toMatchObject({ status: 500 })
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  await expect(readAttachment(ids, { assetId: 'a' })).rejects.toMatchObject({ code: 'NETWORK' })
})
