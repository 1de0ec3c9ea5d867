import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { startProgram, type Program } from './testing/program.ts'
import { tokenFor } from './testing/human.ts'
import { until } from './testing/until.ts'

const PASSWORD = 'Correct-Horse1'
const EMAIL = 'ada@example.org'

let program: Program
let dataDir: string
beforeAll(async () => {
  dataDir = mkdtempSync(join(inject('cluster').folder, 'program-'))
  program = await startProgram(dataDir)
})
afterAll(async () => {
  await program.stop('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

let cookie = ''
async function ask(
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }> {
  const response = await fetch(program.address + path, {
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    headers: { cookie, ...(body !== undefined && { 'content-type': 'application/json', origin: program.address }) },
  })
  const set = response.headers.getSetCookie()[0]
  if (set) cookie = set.split(';')[0] ?? ''
  // every call below answers a JSON object
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  }
}

it('starts under plain Node and tells one address', async () => {
  expect(program.output().match(/Rookery is ready at http:\/\/localhost:\d+/g)).toHaveLength(1)
  expect(await ask('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
  expect(await ask('/readyz')).toMatchObject({ status: 200, body: { ready: true } })
})

it('leads from sign-up to a project over HTTP, with the code from the outbox', async () => {
  // altcha's own shape
  const challenge = (await (await fetch(`${program.address}/api/public/human-check`)).json()) as Parameters<
    typeof tokenFor
  >[0]
  const token = await tokenFor(challenge)
  expect(
    await ask('/api/public/user/signup', { firstName: 'Ada', lastName: 'L', email: EMAIL, password: PASSWORD, token }),
  ).toMatchObject({ status: 200 })
  expect(await ask('/api/home')).toMatchObject({ status: 403, body: { code: 'USER_NOT_CONFIRMED' } })
  const mail = await until(() => program.newestMail(), { what: 'the mail' })
  // people at this machine read where to find it
  expect(await ask('/api/public/mail-folder')).toMatchObject({ status: 200, body: { folder: join(dataDir, 'outbox') } })
  expect(mail).toContain(`To: ${EMAIL}`)
  const code = /^Subject: (\d{6}) is your Rookery code/m.exec(mail)?.[1] ?? ''
  expect(await ask('/api/public/user/confirm', { email: EMAIL, code })).toMatchObject({
    status: 200,
    body: { message: 'Email verified successfully' },
  })
  const { body: org } = await ask('/api/org', { orgType: 'organization', orgName: 'Analytical', orgSize: '2-10' })
  const { body: project } = await ask(`/api/${String(org['orgId'])}/project`, {
    projectName: 'Engine',
    zone: 'Europe/London',
  })
  expect(await ask('/api/home')).toMatchObject({
    status: 200,
    body: { onboarding: { step: 'addChannels', ...org, ...project } },
  })
  // the log names the file and holds none of the secrets
  await until(() => program.output().includes('mail written to the outbox'))
  expect(program.output()).toMatch(/"file":"[^"]*outbox\/000001-[^"]*-to-ada@example\.org\.eml"/)
  for (const secret of [PASSWORD, token, cookie.split('=')[1] ?? '?', code])
    expect(program.output()).not.toContain(secret)
})

it('serves the API reference, its document and figures', async () => {
  expect(await ask('/api/openapi.json')).toMatchObject({ status: 200, body: { openapi: '3.1.0' } })
  const page = await fetch(`${program.address}/api/docs`)
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
  const metrics = await (await fetch(`${program.address}/metrics`)).text()
  expect(metrics).toMatch(/rookery_http_request_seconds_count\{method="GET",route="\/api\/home",status="200"\} \d+/)
  expect(metrics).not.toContain(EMAIL)
})

it("returns UNAVAILABLE while its database is down, and continues when it's back", async () => {
  const postmaster = Number(readFileSync(join(dataDir, 'pg', 'postmaster.pid'), 'utf8').split('\n')[0])
  process.kill(postmaster, 'SIGKILL')
  const answers = new Set<string>()
  await until(
    async () => {
      const { status, body } = await ask('/api/home')
      answers.add(status === 200 ? 'OK' : String(body['code']))
      return (
        status === 200 &&
        (await ask('/readyz')).status === 200 &&
        Number(readFileSync(join(dataDir, 'pg', 'postmaster.pid'), 'utf8').split('\n')[0]) !== postmaster
      )
    },
    { deadline: 60_000 },
  )
  answers.delete('OK')
  expect([...answers].filter((code) => code !== 'UNAVAILABLE')).toEqual([])
})

it('ends at SIGTERM with its database, also while a stream is open', async () => {
  const { body: home } = await ask('/api/home')
  const { orgId, projectId } = Object(home['lastProject']) as { orgId: string; projectId: string } // as the test above saw it
  const stream = await fetch(`${program.address}/api/${orgId}/project/${projectId}/events`, { headers: { cookie } })
  expect(stream.headers.get('content-type')).toContain('text/event-stream')
  const reading = stream.text()
  expect(await program.stop()).toBe(0)
  // ended, not cut off
  expect(await reading).toContain(': hello')
  expect(existsSync(join(dataDir, 'pg', 'postmaster.pid'))).toBe(false)
})
