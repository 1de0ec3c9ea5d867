import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changePassword, userDetails } from '#contract/identity.ts'
import {
  addPasskey,
  deletePasskey,
  mySecurity,
  passkeyLogin,
  passkeyLoginOptions,
  passkeyOptions,
} from '#contract/secondFactor.ts'
import { softAuthenticator, type Bent } from '../testing/authenticator.ts'
import { TEST_PASSWORD, type TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { limits } from './limits.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const optionsFor = (who: TestPerson, password = TEST_PASSWORD) =>
  app.call(passkeyOptions, { body: { password } }, { as: who })
const stranger = (): TestPerson => ({
  personId: '',
  email: '',
  password: '',
  firstName: '',
  lastName: '',
  cookies: new Map(),
})

/** Someone with a passkey, and the device that has it. */
async function withPasskey() {
  const who = await app.person()
  const device = softAuthenticator()
  const { passkeyId } = await app.call(
    addPasskey,
    { body: { name: 'My laptop', response: device.create(await optionsFor(who)) } },
    { as: who },
  )
  return { who, device, passkeyId }
}

async function logInBy(
  device: ReturnType<typeof softAuthenticator>,
  bent: Bent = {},
  as = stranger(),
): Promise<TestPerson> {
  const options = await app.call(passkeyLoginOptions, {})
  await app.call(passkeyLogin, { body: { response: device.get(options, bent) } }, { as })
  return as
}

describe('a passkey', () => {
  it("is created for the public URL's host, discoverable and with user verification", async () => {
    const who = await app.person()
    expect(await optionsFor(who)).toMatchObject({
      rp: { id: 'rookery.test', name: 'Rookery' },
      user: { name: who.email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    })
  })

  it('is stored with its name, reported by email, and logs in immediately', async () => {
    const { who, device } = await withPasskey()
    expect(await app.call(mySecurity, {}, { as: who })).toMatchObject({
      totp: false,
      passkeys: [{ name: 'My laptop', lastUsedAt: null }],
    })
    expect(app.outbox.at(-1)).toMatchObject({
      to: who.email,
      text: expect.stringContaining('A passkey was added to your account: "My laptop".'),
    })
    const browser = await logInBy(device)
    expect(await app.call(userDetails, {}, { as: browser })).toMatchObject({ userId: who.personId })
    expect(await app.call(mySecurity, {}, { as: browser })).toMatchObject({
      passkeys: [{ lastUsedAt: app.clock.now().toISOString() }],
    })
  })

  it('survives a new password, and the email about that says so', async () => {
    const { who } = await withPasskey()
    await app.call(changePassword, { body: { oldPassword: TEST_PASSWORD, password: 'Fresh-Horse-3' } }, { as: who })
    expect(app.outbox.at(-1)).toMatchObject({
      to: who.email,
      subject: 'Your Rookery password was changed',
      text: expect.stringContaining('You can still log in with your passkey.'),
    })
    const plain = await app.person()
    await app.call(changePassword, { body: { oldPassword: TEST_PASSWORD, password: 'Fresh-Horse-3' } }, { as: plain })
    expect(app.outbox.at(-1)?.text).not.toContain('passkey')
  })

  it("ends the browser's previous session", async () => {
    const { device } = await withPasskey()
    const victim = await app.person()
    const planted = new Map(victim.cookies)
    await logInBy(device, {}, victim)
    await expect(app.call(userDetails, {}, { as: { ...victim, cookies: planted } })).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    })
  })

  it('requires the password first, with five attempts', async () => {
    const who = await app.person()
    for (let i = 0; i < 5; i++)
      await expect(optionsFor(who, 'Wrong-Horse1')).rejects.toMatchObject({
        code: 'PASSWORD_WRONG',
        problem: { errors: { password: ["This isn't your current password."] } },
      })
    await expect(optionsFor(who)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })

  it("isn't offered to a device that has one, and no one has more than twenty", async () => {
    const { who, device } = await withPasskey()
    expect(await optionsFor(who)).toMatchObject({ excludeCredentials: [{ id: device.credentials[0]?.id }] })
    for (let i = 1; i < 20; i++)
      await app.call(
        addPasskey,
        { body: { name: `Key ${i}`, response: device.create(await optionsFor(who)) } },
        { as: who },
      )
    await expect(optionsFor(who)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
  })

  it('opens nothing after it was removed', async () => {
    const { who, device, passkeyId } = await withPasskey()
    await expect(app.call(deletePasskey, { params: { passkeyId } }, { as: await app.person() })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await app.call(deletePasskey, { params: { passkeyId } }, { as: who })
    expect(app.outbox.at(-1)).toMatchObject({ to: who.email, text: expect.stringContaining('removed') })
    await expect(logInBy(device)).rejects.toMatchObject({ code: 'LOGIN_FAILED' })
  })

  it.each<[string, Bent]>([
    ['another site', { origin: 'https://rookery.test.evil.example' }],
    ['another scheme', { origin: 'https://rookery.test' }],
    ['another host of the key', { rpId: 'evil.example' }],
    ['a person who was not verified', { verified: false }],
  ])('is not kept from %s', async (_, bent) => {
    const who = await app.person()
    const response = softAuthenticator().create(await optionsFor(who), bent)
    await expect(app.call(addPasskey, { body: { name: 'Bad', response } }, { as: who })).rejects.toMatchObject({
      code: 'INVALID_CODE',
    })
    expect(await app.call(mySecurity, {}, { as: who })).toMatchObject({ passkeys: [] })
  })

  it.each<[string, Bent]>([
    ['another site', { origin: 'https://evil.example' }],
    ['another host of the key', { rpId: 'evil.example' }],
    ['a person who was not verified', { verified: false }],
    ['a signature of another key', { signature: Buffer.from('3006020101020101', 'hex') }],
    [
      'another person as its owner',
      { userHandle: Buffer.from('01920000-0000-7000-8000-000000000009').toString('base64url') },
    ],
    ['nobody as its owner', { userHandle: '' }],
  ])('opens nothing by %s', async (_, bent) => {
    const { device } = await withPasskey()
    await expect(logInBy(device, bent)).rejects.toMatchObject({ code: 'LOGIN_FAILED', status: 401 })
    await logInBy(device)
  })

  it("is refused as a copy if its counter didn't increase", async () => {
    const { device } = await withPasskey()
    await logInBy(device, { counter: 7 })
    await expect(logInBy(device, { counter: 7 })).rejects.toMatchObject({ code: 'LOGIN_FAILED' })
    await expect(logInBy(device, { counter: 3 })).rejects.toMatchObject({ code: 'LOGIN_FAILED' })
    await logInBy(device, { counter: 8 })
  })

  it('needs no counter: passkeys in a cloud always report 0', async () => {
    const { device } = await withPasskey()
    await logInBy(device, { counter: 0 })
    await logInBy(device, { counter: 0 })
  })

  it.each([
    {},
    { id: 'x', response: {} },
    { id: 'x', response: { clientDataJSON: 'e30', userHandle: 'x' } },
    { id: 'x', response: { clientDataJSON: '%%%' } },
  ])('that is none is refused: %j', async (response) => {
    const failure = await app
      .call(passkeyLogin, { body: { response: { id: 'x', ...response } } })
      .catch((error) => error)
    expect(failure).toMatchObject({ code: 'LOGIN_FAILED' })
    await expect(
      app.call(addPasskey, { body: { name: 'Bad', response: { id: 'x', ...response } } }, { as: await app.person() }),
    ).rejects.toMatchObject({ code: 'INVALID_CODE' })
  })
})

describe('a challenge', () => {
  it('works once, even for simultaneous responses', async () => {
    const { device } = await withPasskey()
    const response = device.get(await app.call(passkeyLoginOptions, {}))
    const both = await Promise.allSettled([1, 2].map(() => app.call(passkeyLogin, { body: { response } })))
    expect(both.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    await expect(app.call(passkeyLogin, { body: { response } })).rejects.toMatchObject({ code: 'LOGIN_FAILED' })
  })

  it('of a new passkey is used up by a wrong response', async () => {
    const [who, device] = [await app.person(), softAuthenticator()]
    const options = await optionsFor(who)
    const add = (response: ReturnType<typeof device.create>) =>
      app.call(addPasskey, { body: { name: 'Key', response } }, { as: who })
    await expect(add(device.create(options, { rpId: 'elsewhere.example' }))).rejects.toMatchObject({
      code: 'INVALID_CODE',
    })
    await expect(add(device.create(options))).rejects.toMatchObject({ code: 'INVALID_CODE' })
  })

  it('expires after five minutes', async () => {
    const { device, who } = await withPasskey()
    const [login, adding] = [await app.call(passkeyLoginOptions, {}), await optionsFor(who)]
    app.clock.advance({ minutes: 5 })
    await expect(app.call(passkeyLogin, { body: { response: device.get(login) } })).rejects.toMatchObject({
      code: 'LOGIN_FAILED',
    })
    await expect(
      app.call(addPasskey, { body: { name: 'Late', response: device.create(adding) } }, { as: who }),
    ).rejects.toMatchObject({ code: 'INVALID_CODE' })
  })

  it('of one person adds no passkey to another, and none of a login adds any', async () => {
    const [one, other] = [await app.person(), await app.person()]
    const device = softAuthenticator()
    for (const options of [await optionsFor(one), await app.call(passkeyLoginOptions, {})])
      await expect(
        app.call(addPasskey, { body: { name: 'Stolen', response: device.create(options) } }, { as: other }),
      ).rejects.toMatchObject({ code: 'INVALID_CODE' })
  })

  it("that the server didn't create opens nothing", async () => {
    const { device } = await withPasskey()
    await expect(
      app.call(passkeyLogin, { body: { response: device.get({ challenge: 'bWFkZS11cC1ieS1zb21lYm9keQ' }) } }),
    ).rejects.toMatchObject({ code: 'LOGIN_FAILED' })
  })

  it('names no one, is written down only once it opened a session, and is refused to nobody', async () => {
    const from = { remoteAddress: '10.8.0.1' }
    const { device } = await withPasskey()
    const stored = async () => (await app.database.owner.query('select from passkey_challenge')).rowCount ?? 0
    const before = await stored()
    const [last, ...asked] = [
      await app.call(passkeyLoginOptions, {}, from),
      ...(await Promise.all(Array.from({ length: 302 }, () => app.call(passkeyLoginOptions, {}, from)))),
    ]
    for (const options of asked) expect(options).not.toHaveProperty('allowCredentials.0')
    expect(new Set(asked.map(({ challenge }) => challenge)).size).toBe(302)
    expect(await stored()).toBe(before)
    await app.call(passkeyLogin, { body: { response: device.get(last) } }, from)
    expect(await stored()).toBe(before + 1)
  })

  it.each([
    ['expiry', (bytes: Buffer) => bytes.writeUIntBE(bytes.readUIntBE(16, 6) + 3_600_000, 16, 6)],
    ['number', (bytes: Buffer) => bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0)],
    ['proof', (bytes: Buffer) => bytes.writeUInt8(bytes.readUInt8(53) ^ 1, 53)],
  ])('with another %s opens nothing', async (_what, change) => {
    const { device } = await withPasskey()
    const bytes = Buffer.from((await app.call(passkeyLoginOptions, {})).challenge, 'base64url')
    expect(bytes).toHaveLength(54)
    change(bytes)
    const response = device.get({ challenge: bytes.toString('base64url') })
    await expect(app.call(passkeyLogin, { body: { response } })).rejects.toMatchObject({ code: 'LOGIN_FAILED' })
  })

  it('is answered wrongly only so often by one client', async () => {
    const from = { remoteAddress: '10.8.0.2' }
    const { device } = await withPasskey()
    const options = await app.call(passkeyLoginOptions, {}, from)
    const wrong = { body: { response: device.get(options, { verified: false }) } }
    for (let i = 0; i < limits.guesses.most; i++)
      await expect(app.call(passkeyLogin, wrong, from)).rejects.toMatchObject({ code: 'LOGIN_FAILED' })
    await expect(app.call(passkeyLogin, wrong, from)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    await app.call(passkeyLogin, { body: { response: device.get(options) } }, from)
  })
})
