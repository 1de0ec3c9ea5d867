import { afterEach, expect, test, vi } from 'vitest'
import { errorCatalog } from '#contract/errors.ts'
import { readAttachment } from './attachments.ts'

const ids = { orgId: 'o', projectId: 'p' }
afterEach(() => vi.unstubAllGlobals())

test('a file counts as gone only when the server says that it is', async () => {
  vi.stubGlobal('fetch', async () =>
    Response.json(
      { type: 'about:blank', title: 'x', ...errorCatalog.NOT_FOUND, code: 'NOT_FOUND', requestId: 'r' },
      { status: 404 },
    ),
  )
  await expect(readAttachment(ids, { assetId: 'a' })).resolves.toBeUndefined()
})

test('a file that could not be read is no file that is gone', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ code: 'INTERNAL' }, { status: 500 }))
  await expect(readAttachment(ids, { assetId: 'a' })).rejects.toMatchObject({ status: 500 })
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  await expect(readAttachment(ids, { assetId: 'a' })).rejects.toMatchObject({ code: 'NETWORK' })
})
