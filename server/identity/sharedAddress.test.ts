import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  confirmPassword,
  confirmSignUp,
  forgotPassword,
  login,
  resendCode,
  signUp,
  userDetails,
  verifyCode,
} from '#contract/identity.ts'
import { changeEmail } from '#contract/profile.ts'
import {
  addPasskey,
  beginTotp,
  confirmTotp,
  loginSecondFactor,
  passkeyLogin,
  passkeyLoginOptions,
  passkeyOptions,
} from '#contract/secondFactor.ts'
import { codeOfApp, softAuthenticator } from '../testing/authenticator.ts'
import { solvePuzzle } from '../testing/human.ts'
import { TEST_PASSWORD, type TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { limits } from './limits.ts'

// What one person gets wrong doesn't keep others behind the same address from what they get right.

const office = { remoteAddress: '10.88.0.1' }
const UNKNOWN = 'x'.repeat(43)

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const browserOf = (person: TestPerson): TestPerson => ({ ...person, cookies: new Map() })
const codeTo = (email: string) =>
  /\b\d{6}\b/.exec(app.outbox.findLast((mail) => mail.to === email)?.text ?? '')?.[0] ?? ''
const form = async (email: string) => ({ email, password: TEST_PASSWORD, token: await solvePuzzle(app) })
const newcomer = (email: string): TestPerson => ({
  personId: '',
  email,
  password: TEST_PASSWORD,
  firstName: '',
  lastName: '',
  cookies: new Map(),
})

describe('behind an address where someone used up all guesses', () => {
  const guess = () => app.call(loginSecondFactor, { body: { challenge: UNKNOWN, code: '123456' } }, office)
  beforeAll(async () => {
    for (let i = 0; i < limits.guesses.most; i++) await expect(guess()).rejects.toMatchObject({ code: 'EXPIRED_CODE' })
  })

  it('further guesses are refused', async () => {
    await expect(guess()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
    await expect(
      app.call(confirmPassword, { body: { token: UNKNOWN, password: 'Fresh-Horse-3' } }, office),
    ).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    const [unsaved, elsewhere] = [softAuthenticator(), await app.person()]
    unsaved.create(await app.call(passkeyOptions, { body: { password: TEST_PASSWORD } }, { as: elsewhere }))
    const response = unsaved.get({ ...(await app.call(passkeyLoginOptions, {}, office)), challenge: UNKNOWN })
    await expect(app.call(passkeyLogin, { body: { response } }, office)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    const someone = await app.person({ confirmed: false })
    await expect(
      app.call(confirmSignUp, { body: { email: someone.email, code: '123456' } }, office),
    ).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
    await expect(app.call(resendCode, { body: { email: someone.email } }, office)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    })
  })

  it('others finish their login with a code or a passkey', async () => {
    const who = await app.person()
    const { secret } = await app.call(beginTotp, { body: { password: TEST_PASSWORD } }, { as: who })
    await app.call(confirmTotp, { body: { code: codeOfApp(secret, app.clock.now()) } }, { as: who })
    app.clock.advance({ minutes: 2 })
    const asked = await app.send(login, { body: { email: who.email, password: TEST_PASSWORD } }, office)
    const { challenge } = asked.json().meta
    const browser = browserOf(who)
    const code = codeOfApp(secret, app.clock.now())
    await app.call(loginSecondFactor, { body: { challenge, code } }, { ...office, as: browser })
    expect(await app.call(userDetails, {}, { as: browser })).toMatchObject({ email: who.email })

    const [other, device] = [await app.person(), softAuthenticator()]
    const options = await app.call(passkeyOptions, { body: { password: TEST_PASSWORD } }, { as: other })
    await app.call(addPasskey, { body: { name: 'My laptop', response: device.create(options) } }, { as: other })
    const response = device.get(await app.call(passkeyLoginOptions, {}, office))
    const laptop = browserOf(other)
    await app.call(passkeyLogin, { body: { response } }, { ...office, as: laptop })
    expect(await app.call(userDetails, {}, { as: laptop })).toMatchObject({ email: other.email })
  })

  it('others set a new password with their link', async () => {
    const who = await app.person()
    await app.call(forgotPassword, { body: { email: who.email } }, office)
    await app.parts.mailer.close()
    const link = /https?:\S+/.exec(app.outbox.findLast((mail) => mail.to === who.email)?.text ?? '')?.[0] ?? ''
    const token = new URL(link).searchParams.get('token') ?? ''
    await app.call(confirmPassword, { body: { token, password: 'Fresh-Horse-3' } }, office)
    await app.call(login, { body: { email: who.email, password: 'Fresh-Horse-3' } }, office)
  })

  it('others confirm their address, request a new code, and change their address', async () => {
    const who = newcomer('newcomer@example.org')
    await app.call(signUp, { body: await form(who.email) }, { ...office, as: who })
    app.clock.advance({ minutes: 1 })
    const before = app.outbox.length
    await app.call(resendCode, { body: { email: who.email } }, { ...office, as: who })
    expect(app.outbox.slice(before)).toMatchObject([{ to: who.email }])
    await app.call(confirmSignUp, { body: { email: who.email, code: codeTo(who.email) } }, { ...office, as: who })
    const email = 'moved@example.org'
    await app.call(changeEmail, { body: { email, password: TEST_PASSWORD } }, { ...office, as: who })
    await app.call(verifyCode, { body: { code: codeTo(email) } }, { ...office, as: who })
    expect(await app.call(userDetails, {}, { as: who })).toMatchObject({ email, confirmed: true })
  })
})

it('sign-ups without a solved human check leave others theirs', async () => {
  const from = { remoteAddress: '10.88.0.2' }
  for (let i = 0; i <= limits.signUpClient.most; i++)
    await expect(
      app.call(signUp, { body: { ...(await form(`program${i}@example.org`)), token: 'unsolved' } }, from),
    ).rejects.toMatchObject({ code: 'HUMAN_CHECK_FAILED' })
  const who = newcomer('person@example.org')
  await app.call(signUp, { body: await form(who.email) }, { ...from, as: who })
  expect(await app.call(userDetails, {}, { as: who })).toMatchObject({ email: who.email, confirmed: false })
})
