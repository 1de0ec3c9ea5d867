import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changePassword, confirmPassword, forgotPassword, login, userDetails } from '#contract/identity.ts'
import {
  beginTotp,
  confirmTotp,
  disableTotp,
  loginSecondFactor,
  mySecurity,
  newRecoveryCodes,
} from '#contract/secondFactor.ts'
import { asSystem } from '../db/system.ts'
import type { SecretKeys } from '../sealing.ts'
import { codeOfApp } from '../testing/authenticator.ts'
import { ApiFailure } from '../testing/client.ts'
import { TEST_PASSWORD, type TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'
import { openTotp, sealTotp } from './totp.ts'
import { dropSecondFactors, resealTotp } from './secondFactor.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const browserOf = (person: TestPerson): TestPerson => ({ ...person, cookies: new Map() })
const begin = (who: TestPerson, password = TEST_PASSWORD) => app.call(beginTotp, { body: { password } }, { as: who })
const confirm = (who: TestPerson, code: string) => app.call(confirmTotp, { body: { code } }, { as: who })

/** Someone who has had an authenticator app for a while. */
async function withApp(who?: TestPerson) {
  const person = who ?? (await app.person())
  const { secret } = await begin(person)
  const { recoveryCodes } = await confirm(person, codeOfApp(secret, app.clock.now()))
  app.clock.advance({ minutes: 2 })
  return { who: person, secret, recoveryCodes }
}

/** Enters the password; returns the challenge. */
async function challengeOf(who: TestPerson, remoteAddress = '10.20.0.1'): Promise<string> {
  const failure: unknown = await app
    .call(login, { body: { email: who.email, password: who.password } }, { remoteAddress })
    .catch((error: unknown) => error)
  if (!(failure instanceof ApiFailure) || failure.code !== 'SECOND_FACTOR_REQUIRED')
    throw new Error(`no second factor was asked for: ${String(failure)}`)
  return String(failure.problem.meta?.['challenge'])
}
const finish = (challenge: string, code: string, as?: TestPerson, remoteAddress = '10.20.0.1') =>
  app.call(loginSecondFactor, { body: { challenge, code } }, { remoteAddress, ...(as && { as }) })

describe('an authenticator app', () => {
  it('is on after its first code: other sessions end, and an email says so', async () => {
    const who = await app.person({ email: 'rook+1@example.org' })
    const phone = await app.anotherBrowser(who)
    const { secret, uri } = await begin(who)
    expect(new URL(uri)).toMatchObject({ protocol: 'otpauth:', host: 'totp' })
    expect(uri).toContain(`secret=${secret}`)
    expect(decodeURIComponent(uri)).toContain('Rookery:rook+1@example.org')
    expect(await app.call(mySecurity, {}, { as: who })).toEqual({ totp: false, recoveryCodesLeft: 0, passkeys: [] })
    await app.call(login, { body: { email: who.email, password: TEST_PASSWORD } })

    const { recoveryCodes } = await confirm(who, codeOfApp(secret, app.clock.now()))
    expect(new Set(recoveryCodes)).toHaveProperty('size', 10)
    for (const code of recoveryCodes) expect(code).toMatch(/^[a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4}$/)
    expect(await app.call(mySecurity, {}, { as: who })).toEqual({ totp: true, recoveryCodesLeft: 10, passkeys: [] })
    await expect(app.call(userDetails, {}, { as: phone })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(app.outbox.at(-1)).toMatchObject({
      to: who.email,
      subject: 'The security of your Rookery account was changed',
    })
  })

  it('is stored encrypted and bound to its person', async () => {
    const { who, secret } = await withApp()
    const { rows } = await app.database.owner.query<{ totp_sealed: Buffer; totp_key_id: string }>(
      'select totp_sealed, totp_key_id from person where id = $1',
      [who.personId],
    )
    const sealed = { sealed: rows[0]?.totp_sealed ?? Buffer.alloc(0), keyId: rows[0]?.totp_key_id ?? '' }
    expect(sealed.sealed.toString('latin1')).not.toContain(secret)
    expect(openTotp(app.parts.secrets, who.personId, sealed)).toBe(secret)
    expect(() => openTotp(app.parts.secrets, '01920000-0000-7000-8000-000000000001', sealed)).toThrow(/authenticate/)
  })

  it('requires the password before showing a secret', async () => {
    const who = await app.person()
    await expect(begin(who, 'Wrong-Horse1')).rejects.toMatchObject({ code: 'PASSWORD_WRONG', status: 403 })
    for (let i = 0; i < 4; i++) await begin(who, 'Wrong-Horse1').catch(() => {})
    await expect(begin(who)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })

  it("isn't turned on with a wrong code, more than ten attempts an hour, after half an hour, or without a setup", async () => {
    const who = await app.person()
    await expect(confirm(who, '123456')).rejects.toMatchObject({ code: 'INVALID_CODE' })
    const { secret } = await begin(who)
    app.clock.advance({ minutes: 30 })
    await expect(confirm(who, codeOfApp(secret, app.clock.now()))).rejects.toMatchObject({ code: 'INVALID_CODE' })
    const again = await begin(who)
    for (let i = 0; i < 8; i++)
      await expect(confirm(who, codeOfApp(again.secret, app.clock.now(), 5 + i))).rejects.toMatchObject({
        code: 'CODE_MISMATCH',
        problem: { errors: { code: [expect.any(String)] } },
      })
    await expect(confirm(who, codeOfApp(again.secret, app.clock.now()))).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    })
    expect(await app.call(mySecurity, {}, { as: who })).toMatchObject({ totp: false })
  })

  it("stays on while another one is set up, until that one's first code", async () => {
    const { who, secret } = await withApp()
    const next = await begin(who)
    await finish(await challengeOf(who), codeOfApp(secret, app.clock.now()), browserOf(who))
    await confirm(who, codeOfApp(next.secret, app.clock.now()))
    app.clock.advance({ minutes: 2 })
    await expect(finish(await challengeOf(who), codeOfApp(secret, app.clock.now()))).rejects.toMatchObject({
      code: 'CODE_MISMATCH',
    })
    await finish(await challengeOf(who), codeOfApp(next.secret, app.clock.now()), browserOf(who))
  })

  it('is turned off with the password, which voids recovery codes and pending logins', async () => {
    const { who, secret, recoveryCodes } = await withApp()
    const challenge = await challengeOf(who)
    await expect(app.call(disableTotp, { body: { password: 'Wrong-Horse1' } }, { as: who })).rejects.toMatchObject({
      code: 'PASSWORD_WRONG',
    })
    await app.call(disableTotp, { body: { password: TEST_PASSWORD } }, { as: who })
    for (const code of [codeOfApp(secret, app.clock.now()), recoveryCodes[0] ?? ''])
      await expect(finish(challenge, code)).rejects.toMatchObject({ code: 'EXPIRED_CODE' })
    expect(await app.call(mySecurity, {}, { as: who })).toMatchObject({ totp: false, recoveryCodesLeft: 0 })
    await app.call(login, { body: { email: who.email, password: TEST_PASSWORD } }, { as: browserOf(who) })
  })
})

describe('a login with a second factor', () => {
  it('opens a session only with the code, and in a fresh browser session', async () => {
    const { who, secret } = await withApp()
    const browser = browserOf(who)
    browser.cookies.set('rookery', 'planted-by-an-attacker-0123456789abcdef01234')
    const first = await app.send(login, { body: { email: who.email, password: TEST_PASSWORD } }, { as: browser })
    expect(first.json()).toMatchObject({
      status: 401,
      code: 'SECOND_FACTOR_REQUIRED',
      meta: { challenge: expect.stringMatching(/^[\w-]{43}$/) },
    })
    expect(first.headers['set-cookie']).toBeUndefined()
    expect(await finish(first.json().meta.challenge, codeOfApp(secret, app.clock.now()), browser)).toEqual({
      message: 'Login Successful',
    })
    expect(browser.cookies.get('rookery')).not.toContain('planted')
    expect(await app.call(userDetails, {}, { as: browser })).toMatchObject({ userId: who.personId })
  })

  it('accepts the codes of the previous and next step, each once, and none before the last used one', async () => {
    const { who, secret } = await withApp()
    const at = (steps: number) => codeOfApp(secret, app.clock.now(), steps)
    await expect(finish(await challengeOf(who), at(-2))).rejects.toMatchObject({ code: 'CODE_MISMATCH' })
    await expect(finish(await challengeOf(who), at(2))).rejects.toMatchObject({ code: 'CODE_MISMATCH' })
    await finish(await challengeOf(who), at(-1))
    await finish(await challengeOf(who), at(1))
    for (const steps of [-1, 0, 1])
      await expect(finish(await challengeOf(who), at(steps))).rejects.toMatchObject({ code: 'CODE_MISMATCH' })
  })

  it('accepts spaces, capitals and missing hyphens', async () => {
    const { who, secret, recoveryCodes } = await withApp()
    await finish(await challengeOf(who), codeOfApp(secret, app.clock.now()).replace(/^.../, '$& '))
    await finish(await challengeOf(who), ` ${recoveryCodes[0]?.toUpperCase().replaceAll('-', '')} `)
    await expect(finish(await challengeOf(who), 'no code')).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { code: ['Enter the 6 digits from your app, or a recovery code'] } },
    })
  })

  it('accepts each recovery code once, says how many are left, and voids them when new ones are created', async () => {
    const { who, recoveryCodes } = await withApp()
    const [first = '', second = ''] = recoveryCodes
    const challenges = [await challengeOf(who), await challengeOf(who)]
    const both = await Promise.allSettled(challenges.map((challenge) => finish(challenge, first)))
    expect(both.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    expect(app.outbox.findLast((mail) => mail.to === who.email)?.text).toContain('You have 9 codes left')
    const renewed = await app.call(newRecoveryCodes, { body: { password: TEST_PASSWORD } }, { as: who })
    expect(await app.call(mySecurity, {}, { as: who })).toMatchObject({ recoveryCodesLeft: 10 })
    await expect(finish(await challengeOf(who), second)).rejects.toMatchObject({ code: 'CODE_MISMATCH' })
    await finish(await challengeOf(who), renewed.recoveryCodes[0] ?? '')
    await expect(
      app.call(newRecoveryCodes, { body: { password: TEST_PASSWORD } }, { as: await app.person() }),
    ).rejects.toMatchObject({ code: 'INVALID_CODE' })
  })

  it('expires after five minutes, and works once', async () => {
    const { who, secret } = await withApp()
    const late = await challengeOf(who)
    app.clock.advance({ minutes: 5 })
    await expect(finish(late, codeOfApp(secret, app.clock.now()))).rejects.toMatchObject({ code: 'EXPIRED_CODE' })
    const challenge = await challengeOf(who)
    await finish(challenge, codeOfApp(secret, app.clock.now()))
    await expect(finish(challenge, codeOfApp(secret, app.clock.now(), 1))).rejects.toMatchObject({
      code: 'EXPIRED_CODE',
    })
    await expect(finish(randomBytes(32).toString('base64url'), '123456')).rejects.toMatchObject({
      code: 'EXPIRED_CODE',
    })
  })

  it('allows five attempts, even simultaneous ones', async () => {
    const { who, secret } = await withApp()
    const challenge = await challengeOf(who)
    const wrong = codeOfApp(secret, app.clock.now(), 7)
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => finish(challenge, wrong)))
    const codes = tries.map((one) => (one.status === 'rejected' ? one.reason.code : 'in'))
    expect(codes.filter((code) => code === 'CODE_MISMATCH')).toHaveLength(5)
    expect(codes.filter((code) => code === 'LIMIT_EXCEEDED')).toHaveLength(3)
    await expect(finish(challenge, codeOfApp(secret, app.clock.now()))).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    })
    await finish(await challengeOf(who), codeOfApp(secret, app.clock.now()))
  })

  it('allows ten guesses an hour over all logins and notifies the person; a new password resets this', async () => {
    const { who, secret } = await withApp()
    const wrong = codeOfApp(secret, app.clock.now(), 9)
    for (let round = 0; round < 2; round++) {
      const challenge = await challengeOf(who, `10.21.${round}.1`)
      for (let i = 0; i < 5; i++)
        await expect(finish(challenge, wrong, undefined, `10.21.${round}.1`)).rejects.toMatchObject({
          code: 'CODE_MISMATCH',
        })
    }
    for (let i = 0; i < 2; i++)
      await expect(
        finish(await challengeOf(who, '10.21.9.1'), codeOfApp(secret, app.clock.now())),
      ).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
    expect(
      app.outbox.filter((mail) => mail.to === who.email && mail.subject === 'Someone knows your Rookery password'),
    ).toHaveLength(1)
    await app.call(changePassword, { body: { oldPassword: TEST_PASSWORD, password: 'Fresh-Horse-3' } }, { as: who })
    await finish(
      await challengeOf({ ...who, password: 'Fresh-Horse-3' }, '10.21.10.1'),
      codeOfApp(secret, app.clock.now()),
    )
  })

  it('keeps a correct password counted until the code is right too', async () => {
    const { who, secret } = await withApp()
    for (let i = 0; i < 5; i++) await challengeOf(who, '10.22.0.1')
    await expect(challengeOf(who, '10.22.0.1')).rejects.toThrow('RATE_LIMITED')
    const elsewhere = await challengeOf(who, '10.22.0.2')
    await finish(elsewhere, codeOfApp(secret, app.clock.now()), undefined, '10.22.0.1')
    await challengeOf(who, '10.22.0.1')
  })

  it('ends when the password it began with changes', async () => {
    const { who, secret } = await withApp()
    const challenge = await challengeOf(who)
    await app.call(changePassword, { body: { oldPassword: TEST_PASSWORD, password: 'Fresh-Horse-3' } }, { as: who })
    await expect(finish(challenge, codeOfApp(secret, app.clock.now()))).rejects.toMatchObject({ code: 'EXPIRED_CODE' })
  })

  it('is still required after the password was reset by email', async () => {
    const { who, secret } = await withApp()
    await app.call(forgotPassword, { body: { email: who.email } }, { remoteAddress: '10.23.0.1' })
    const mail = await until(() =>
      app.outbox.findLast((one) => one.to === who.email && one.subject.startsWith('Set a new password')),
    )
    const response = await app.send(confirmPassword, {
      body: { token: /token=([\w-]+)/.exec(mail.text)?.[1] ?? '', password: 'Fresh-Horse-3' },
    })
    expect(response.statusCode).toBe(200)
    expect(response.cookies.filter((cookie) => cookie.value !== '')).toEqual([])
    await finish(await challengeOf({ ...who, password: 'Fresh-Horse-3' }), codeOfApp(secret, app.clock.now()))
  })
})

it('can be dropped by an operator for someone who lost theirs, which ends their sessions', async () => {
  const { who } = await withApp()
  const drop = (email: string) =>
    asSystem(app.database.databases.system, (tx) => dropSecondFactors(tx, email, app.clock.now()))
  expect(await drop('nobody@example.org')).toBe(false)
  expect(await drop(who.email)).toBe(true)
  await expect(app.call(userDetails, {}, { as: who })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  const browser = browserOf(who)
  await app.call(login, { body: { email: who.email, password: TEST_PASSWORD } }, { as: browser })
  expect(await app.call(mySecurity, {}, { as: browser })).toEqual({ totp: false, recoveryCodesLeft: 0, passkeys: [] })
})

it('re-encrypts the secrets of apps with new keys', async () => {
  const { who, secret } = await withApp()
  await begin(await app.person())
  const keys: SecretKeys = [{ id: 'newer', key: randomBytes(32) }, ...app.parts.secrets]
  const [newest] = keys
  const reseal = () => asSystem(app.database.databases.system, (tx) => resealTotp(tx, keys, 3))
  let some = await reseal()
  while (some > 0) some = await reseal()
  const { rows } = await app.database.owner.query<{ totp_sealed: Buffer; totp_key_id: string }>(
    'select totp_sealed, totp_key_id from person where id = $1',
    [who.personId],
  )
  expect(rows[0]?.totp_key_id).toBe('newer')
  expect(openTotp([newest], who.personId, { sealed: rows[0]?.totp_sealed ?? Buffer.alloc(0), keyId: 'newer' })).toBe(
    secret,
  )
  expect(
    (
      await app.database.owner.query(
        "select from person where totp_key_id != 'newer' or totp_pending_key_id != 'newer'",
      )
    ).rowCount,
  ).toBe(0)
  // this app only knows the old keys, so this is the file's last test
  expect(sealTotp(keys, who.personId, secret).keyId).toBe('newer')
})
