import { expect, it } from 'vitest'
import { testClock } from './clock.ts'
import { fail } from './errors.ts'
import { createLog, loggedError } from './log.ts'

const clock = testClock(new Date('2026-11-21T10:00:00Z'))
const lines: string[] = []
const log = createLog('warn', clock, (line) => void lines.push(line))

it('writes one JSON object per line, from its level up', () => {
  log.info({}, 'unheard')
  log.warn({ channelId: 'c1' }, 'heard')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: 40, time: clock.now().getTime(), channelId: 'c1', msg: 'heard' },
  ])
})

it('cuts what is too long to be read', () => {
  lines.length = 0
  log.error({ err: new Error('x'.repeat(1_000_000)), text: 'y'.repeat(10_001) }, 'failed')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    err: { message: `${'x'.repeat(10_000)}…` },
    text: `${'y'.repeat(10_000)}…`,
  })
  expect(lines[0]?.length).toBeLessThan(31_000)
})

it('leaves out what opens something, however deep it lies', () => {
  lines.length = 0
  const cause = Object.assign(new Error('connect failed'), { code: 'ECONNREFUSED' })
  log.error(
    {
      err: fail('CHANNEL_REFUSED', { cause }),
      request: {
        headers: { cookie: 'rookery=s3cret', authorization: 'Bearer s3cret' },
        body: { password: 's3cret', appPassword: 's3cret', accessJwt: 's3cret', resetToken: 's3cret' },
      },
      passed: true,
    },
    'failed',
  )
  expect(lines.join('')).not.toContain('s3cret')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    passed: true,
    err: { type: 'Failure', code: 'CHANNEL_REFUSED', cause: { message: 'connect failed', code: 'ECONNREFUSED' } },
  })
})

it.each([
  ['smtp://ada:s3cret@mail.example:587', 'smtp://[left out]@mail.example:587'],
  ['connect to postgres://rookery:s3cret@db/rookery failed', 'connect to postgres://[left out]@db/rookery failed'],
  ['https://graph.example/me?access_token=s3cret&limit=5', 'https://graph.example/me?access_token=[left out]&limit=5'],
  ['https://rookery.example/callback?code=s3cret&state=1', 'https://rookery.example/callback?code=[left out]&state=1'],
  ['grant_type=x&client_secret=s3cret', 'grant_type=x&client_secret=[left out]'],
  ['https://bucket.example/a?X-Amz-Signature=s3cret', 'https://bucket.example/a?X-Amz-Signature=[left out]'],
  // what opens nothing stays
  ['https://social.example/@ada?page=2', 'https://social.example/@ada?page=2'],
  ['ada@example.org wrote https://a.example', 'ada@example.org wrote https://a.example'],
  ['exit code=1', 'exit code=1'],
])('leaves out what opens something inside texts: %s', (text, written) => {
  lines.length = 0
  log.error({ err: new Error(text, { cause: new Error(text) }), url: text }, text)
  const line: unknown = JSON.parse(lines[0] ?? '')
  expect(line).toMatchObject({ err: { message: written, cause: { message: written } }, url: written, msg: written })
  expect(lines.join('')).not.toContain('s3cret')
  expect(loggedError(new Error(text))).toMatchObject({ type: 'Error', message: written })
})
