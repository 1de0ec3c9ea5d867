import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { scriptedFetch } from './scriptedFetch.ts'

const limits = { timeoutMs: 1000, maxBytes: 1000 }
const post = {
  ...limits,
  method: 'POST',
  headers: { authorization: 'Bearer t', 'content-type': 'application/json', 'idempotency-key': 'k' },
  body: '{"status":"hi"}',
} as const
const statuses = 'https://mastodon.test/api/v1/statuses'

it('answers in order and keeps what was asked', async () => {
  const fetch = scriptedFetch('mastodon', [
    { on: 'POST mastodon.test/api/v1/statuses', json: { id: '1' } },
    { status: 503 },
  ])
  const answer = await fetch(statuses, post)
  expect(answer.kind === 'answer' && JSON.parse(Buffer.from(answer.body).toString())).toEqual({ id: '1' })
  expect(await fetch(statuses, post)).toMatchObject({ kind: 'answer', status: 503 })
  expect(fetch.asked.map(({ body }) => body.value)).toEqual([{ status: 'hi' }, { status: 'hi' }])
  expect(fetch.calls()).toEqual(Array(2).fill('POST mastodon.test/api/v1/statuses'))
})

it('drops the answer of the call that is named', async () => {
  const fetch = scriptedFetch('mastodon', [{ json: {} }, { json: {} }, { json: {} }], { lost: 1 })
  const kinds = [await fetch(statuses, post), await fetch(statuses, post)].map(({ kind }) => kind)
  expect(kinds).toEqual(['answer', 'lost'])
  expect(fetch.left()).toBe(1)
})

it('throws at what the platform would refuse, at an unexpected call and after the end', async () => {
  const fetch = scriptedFetch('mastodon', [{}, { on: 'GET' }])
  await expect(fetch(statuses, { ...post, body: '{"text":"hi"}' })).rejects.toThrow('body/ text or media')
  await expect(fetch(statuses, post)).rejects.toThrow('expects GET')
  await expect(fetch(statuses, post)).rejects.toThrow('has 2 answers')
})

it('reads a streamed form with a file in pieces of any size, and keeps no file', async () => {
  const file = Buffer.alloc(5000, 'x\r\n--y')
  const body = Buffer.concat([
    Buffer.from(
      '--bb\r\nContent-Disposition: form-data; name="description"\r\n\r\nA crow\r\n--bb\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n',
    ),
    file,
    Buffer.from('\r\n--bb--\r\n'),
  ])
  for (const size of [1, 7, 64, 9999]) {
    const fetch = scriptedFetch('mastodon', [{}])
    await fetch('https://mastodon.test/api/v2/media', {
      ...limits,
      method: 'POST',
      headers: { authorization: 'Bearer t', 'content-type': 'multipart/form-data; boundary=bb' },
      body: {
        bytes: body.length,
        async *open() {
          for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size)
        },
      },
    })
    expect(fetch.asked[0]?.body).toMatchObject({
      kind: 'multipart',
      value: { description: 'A crow' },
      files: {
        file: {
          bytes: 5000,
          contentType: 'image/jpeg',
          fileName: 'a.jpg',
          sha256: createHash('sha256').update(file).digest('hex'),
        },
      },
    })
  }
})
