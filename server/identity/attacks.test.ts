import type * as argon2 from '@node-rs/argon2'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { api } from '#contract/api.ts'
import type { EndpointShape } from '#contract/endpoint.ts'
import {
  changePassword,
  confirmPassword,
  confirmSignUp,
  forgotPassword,
  login,
  resendCode,
  signUp,
  userDetails,
  verifyCode,
} from '#contract/identity.ts'
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
import { exampleOf } from '../testing/example.ts'
import { solvePuzzle } from '../testing/human.ts'
import { TEST_PASSWORD, type TestHome, type TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'

/* What an attacker would try. The limits of single calls are tested in the files next to this one. */

const argon = vi.hoisted(() => {
  // files share their modules (vitest.config.ts): those of this one are loaded with the counter in them
  vi.resetModules()
  return { hashes: 0 }
})
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof argon2>()
  const counted =
    <A extends unknown[], R>(work: (...given: A) => R) =>
    (...given: A): R => {
      argon.hashes += 1
      return work(...given)
    }
  return { ...real, hash: counted(real.hash), verify: counted(real.verify) }
})

let app: TestApp
let home: TestHome
beforeAll(async () => {
  app = await startApp()
  home = await app.signedInOwner()
})
afterAll(async () => {
  await app.close()
  vi.resetModules()
})

// each test has a client of its own, because limits per client aren't the subject here
let client = ''
let clients = 0
beforeEach(() => {
  client = `10.77.0.${clients++}`
})

const MANY = 50
const endpoints = Object.entries(api)
const changing = endpoints.filter(([, endpoint]) => endpoint.method !== 'GET' || 'changes' in endpoint)
const browserOf = (person: TestPerson, token?: string): TestPerson => ({
  ...person,
  cookies: new Map(token === undefined ? [] : [['rookery', token]]),
})
const codesOf = (results: PromiseSettledResult<unknown>[]) =>
  results.map((one) => (one.status === 'rejected' ? String(one.reason.code) : 'in'))
const atOnce = async (work: (i: number) => Promise<unknown>, times = MANY) =>
  codesOf(await Promise.allSettled(Array.from({ length: times }, (_, i) => work(i))))
const sessionsOf = async (who: { personId: string }) =>
  (await app.database.owner.query('select id from session where person_id = $1', [who.personId])).rowCount
const mailTo = (email: string, subject: RegExp) =>
  until(() => app.outbox.findLast((mail) => mail.to === email && subject.test(mail.subject)))
const codeTo = async (email: string) => /^\d{6}/.exec((await mailTo(email, /^\d{6} is/)).subject)?.[0] ?? ''
const linkTo = async (email: string) =>
  /token=([\w-]+)/.exec((await mailTo(email, /^Set a new password/)).text)?.[1] ?? ''
const wrongFor = (code: string) => (code === '000000' ? '000001' : '000000')

/** Valid input: IDs of the attacker's own organization where the path needs some. */
function inputFor({ path, body }: EndpointShape) {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const ids: Record<string, string> = { orgId: home.orgId, projectId: home.projectId }
  return {
    params: Object.fromEntries(names.map((name) => [name, ids[name] ?? '01920000-0000-7000-8000-00000000000c'])),
    ...(body && { body: exampleOf(body) }),
  }
}

async function newcomer(): Promise<TestPerson> {
  const person: TestPerson = {
    personId: '',
    email: `newcomer${clients}@example.org`,
    password: 'Larch-Otter7',
    firstName: 'Nell',
    lastName: 'New',
    cookies: new Map(),
  }
  await app.call(
    signUp,
    { body: { email: person.email, password: person.password, token: await solvePuzzle(app) } },
    { as: person, remoteAddress: client },
  )
  return { ...person, personId: (await app.call(userDetails, {}, { as: person })).userId }
}

async function withApp() {
  const who = await app.person()
  const { secret } = await app.call(beginTotp, { body: { password: TEST_PASSWORD } }, { as: who })
  const { recoveryCodes } = await app.call(
    confirmTotp,
    { body: { code: codeOfApp(secret, app.clock.now()) } },
    { as: who },
  )
  app.clock.advance({ minutes: 2 })
  return { who, secret, recoveryCodes }
}

async function challengeOf(who: TestPerson, as?: TestPerson): Promise<string> {
  const response = await app.send(
    login,
    { body: { email: who.email, password: who.password } },
    { remoteAddress: client, ...(as && { as }) },
  )
  expect(response.json()).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' })
  return response.json().meta.challenge
}
const finish = (challenge: string, code: string, as?: TestPerson) =>
  app.call(loginSecondFactor, { body: { challenge, code } }, { remoteAddress: client, ...(as && { as }) })

async function withPasskey() {
  const who = await app.person()
  const device = softAuthenticator()
  const options = await app.call(passkeyOptions, { body: { password: TEST_PASSWORD } }, { as: who })
  await app.call(addPasskey, { body: { name: 'Key', response: device.create(options) } }, { as: who })
  return { who, device }
}

describe('login replaces a planted session', () => {
  const PLANTED = 'planted-by-an-attacker-0123456789abcdef01234'

  /** A browser in which the attacker planted the cookie of their own session, or a made-up one. */
  async function isNotAdopted(logIn: (browser: TestPerson) => Promise<unknown>, who: TestPerson) {
    const attacker = await app.person()
    const theirs = attacker.cookies.get('rookery') ?? ''
    for (const planted of [PLANTED, theirs]) {
      const browser = browserOf(who, planted)
      await logIn(browser)
      expect(browser.cookies.get('rookery')).not.toBe(planted)
      await expect(app.call(userDetails, {}, { as: browserOf(who, planted) })).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
      })
    }
  }

  it('when logging in with a password', async () => {
    const who = await app.person()
    await isNotAdopted(
      (browser) =>
        app.call(
          login,
          { body: { email: who.email, password: TEST_PASSWORD } },
          { as: browser, remoteAddress: client },
        ),
      who,
    )
  })

  it('when logging in with a second factor', async () => {
    const { who, recoveryCodes } = await withApp()
    const codes = [...recoveryCodes]
    await isNotAdopted(async (browser) => finish(await challengeOf(who, browser), codes.pop() ?? '', browser), who)
  })

  it('when logging in with a passkey', async () => {
    const { who, device } = await withPasskey()
    await isNotAdopted(
      async (browser) =>
        app.call(
          passkeyLogin,
          { body: { response: device.get(await app.call(passkeyLoginOptions, {}, { remoteAddress: client })) } },
          { as: browser, remoteAddress: client },
        ),
      who,
    )
  })

  it('when signing up', async () => {
    const browser = browserOf(await app.person(), PLANTED)
    await app.call(
      signUp,
      { body: { email: 'fixed@example.org', password: 'Larch-Otter7', token: await solvePuzzle(app) } },
      { as: browser, remoteAddress: client },
    )
    expect(browser.cookies.get('rookery')).not.toBe(PLANTED)
  })

  it('ends a stolen session when the password changes', async () => {
    const who = await app.person()
    const stolen = browserOf(who, (await app.anotherBrowser(who)).cookies.get('rookery'))
    await app.call(changePassword, { body: { oldPassword: TEST_PASSWORD, password: 'Fresh-Horse-3' } }, { as: who })
    await expect(app.call(userDetails, {}, { as: stolen })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })
})

describe('refuses what was already used', () => {
  it('the code of a sign-up', async () => {
    const who = await newcomer()
    const code = await codeTo(who.email)
    await app.call(confirmSignUp, { body: { email: who.email, code } }, { as: who, remoteAddress: client })
    const before = await sessionsOf(who)
    await expect(
      app.call(confirmSignUp, { body: { email: who.email, code } }, { remoteAddress: client }),
    ).rejects.toMatchObject({ code: 'CODE_MISMATCH' })
    await expect(app.call(verifyCode, { body: { code } }, { as: who })).rejects.toMatchObject({
      code: 'USER_ALREADY_CONFIRMED',
    })
    expect(await sessionsOf(who)).toBe(before)
  })

  it('a password reset link, even when used twice at the same time', async () => {
    const who = await app.person()
    await app.call(forgotPassword, { body: { email: who.email } }, { remoteAddress: client })
    const token = await linkTo(who.email)
    const set = (i: number) =>
      app.call(confirmPassword, { body: { token, password: `Fresh-Horse-${i}` } }, { remoteAddress: client })
    expect((await atOnce(set, 10)).toSorted()).toEqual([...Array.from({ length: 9 }, () => 'RESET_LINK_INVALID'), 'in'])
    await expect(set(99)).rejects.toMatchObject({ code: 'RESET_LINK_INVALID' })
  })

  it('an authenticator code, in ten logins at the same time', async () => {
    const { who, secret } = await withApp()
    const challenges = [await challengeOf(who), await challengeOf(who), await challengeOf(who), await challengeOf(who)]
    const code = codeOfApp(secret, app.clock.now())
    expect((await atOnce((i) => finish(challenges[i] ?? '', code), challenges.length)).toSorted()).toEqual([
      'CODE_MISMATCH',
      'CODE_MISMATCH',
      'CODE_MISMATCH',
      'in',
    ])
  })

  it('a recovery code', async () => {
    const { who, recoveryCodes } = await withApp()
    const challenges = [await challengeOf(who), await challengeOf(who), await challengeOf(who)]
    expect(
      (await atOnce((i) => finish(challenges[i] ?? '', recoveryCodes[3] ?? ''), challenges.length)).toSorted(),
    ).toEqual(['CODE_MISMATCH', 'CODE_MISMATCH', 'in'])
  })

  it('the challenge of a login', async () => {
    const { who, recoveryCodes } = await withApp()
    const challenge = await challengeOf(who)
    const answers = await atOnce((i) => finish(challenge, recoveryCodes[i] ?? ''), 4)
    expect(answers.toSorted()).toEqual(['EXPIRED_CODE', 'EXPIRED_CODE', 'EXPIRED_CODE', 'in'])
  })

  it('a passkey response', async () => {
    const { device } = await withPasskey()
    const response = device.get(await app.call(passkeyLoginOptions, {}, { remoteAddress: client }))
    expect(
      (await atOnce(() => app.call(passkeyLogin, { body: { response } }, { remoteAddress: client }), 10)).toSorted(),
    ).toEqual(['in', ...Array.from({ length: 9 }, () => 'LOGIN_FAILED')].toSorted())
  })
})

describe('lets only five of fifty simultaneous guesses through', () => {
  it('at the code of a sign-up', async () => {
    const who = await newcomer()
    const code = await codeTo(who.email)
    const answers = await atOnce(() =>
      app.call(confirmSignUp, { body: { email: who.email, code: wrongFor(code) } }, { as: who, remoteAddress: client }),
    )
    expect(answers.filter((answer) => answer === 'CODE_MISMATCH')).toHaveLength(5)
    expect(answers.filter((answer) => answer === 'LIMIT_EXCEEDED')).toHaveLength(45)
    await expect(
      app.call(confirmSignUp, { body: { email: who.email, code } }, { as: who, remoteAddress: client }),
    ).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
    expect(await app.call(userDetails, {}, { as: who })).toMatchObject({ confirmed: false })
  })

  it('at a second factor', async () => {
    const { who, secret } = await withApp()
    const challenge = await challengeOf(who)
    const answers = await atOnce(() => finish(challenge, codeOfApp(secret, app.clock.now(), 20)))
    expect(answers.filter((answer) => answer === 'CODE_MISMATCH')).toHaveLength(5)
    expect(answers.filter((answer) => answer === 'LIMIT_EXCEEDED')).toHaveLength(45)
    await expect(finish(challenge, codeOfApp(secret, app.clock.now()))).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    })
  })

  it('at a password, hashing at most five', async () => {
    const who = await app.person()
    argon.hashes = 0
    const answers = await atOnce(() =>
      app.call(login, { body: { email: who.email, password: 'Wrong-Horse1' } }, { remoteAddress: client }),
    )
    expect(answers.filter((answer) => answer === 'LOGIN_FAILED')).toHaveLength(5)
    expect(answers.filter((answer) => answer === 'RATE_LIMITED')).toHaveLength(45)
    expect(argon.hashes).toBe(5)
  })

  it('at the password of an open session', async () => {
    const who = await app.person()
    const answers = await atOnce(() =>
      app.call(beginTotp, { body: { password: 'Wrong-Horse1' } }, { as: browserOf(who, who.cookies.get('rookery')) }),
    )
    expect(answers.filter((answer) => answer === 'PASSWORD_WRONG')).toHaveLength(5)
    expect(answers.filter((answer) => answer === 'RATE_LIMITED')).toHaveLength(45)
  })
})

describe('requests from another site', () => {
  const hostile: [string, Record<string, string>][] = [
    ['its origin', { origin: 'https://evil.example' }],
    ['a hidden origin', { origin: 'null' }],
    ['our name within its own', { origin: 'http://rookery.test.evil.example' }],
    ['our host over another scheme and port', { origin: 'http://rookery.test:8080' }],
    ['no origin but a foreign fetch', { 'sec-fetch-site': 'cross-site' }],
  ]
  it.each(hostile)('change nothing with %s, in any call of the contract', async (_, headers) => {
    const victim = await app.anotherBrowser(home.person)
    for (const [name, endpoint] of changing) {
      const response = await app.send(endpoint, inputFor(endpoint), { as: victim, headers })
      expect({ name, status: response.statusCode, code: response.json().code }).toEqual({
        name,
        status: 403,
        code: 'FOREIGN_ORIGIN',
      })
      expect(response.headers['set-cookie'], name).toBeUndefined()
    }
    expect(await app.call(userDetails, {}, { as: victim })).toMatchObject({ userId: home.person.personId })
  })

  it('are distinguished from our own pages, which the same walk lets through', async () => {
    const answers = await Promise.all(
      changing.map(
        async ([, endpoint]) =>
          (await app.send(endpoint, inputFor(endpoint), { headers: { origin: 'http://rookery.test' } })).json().code,
      ),
    )
    expect(answers).not.toContain('FOREIGN_ORIGIN')
  })
})

describe('the second factor', () => {
  it('of another person is refused', async () => {
    const [victim, attacker] = [await withApp(), await withApp()]
    const challenge = await challengeOf(victim.who)
    const codes = [codeOfApp(attacker.secret, app.clock.now()), attacker.recoveryCodes[0] ?? '']
    for (const code of codes)
      await expect(
        finish(challenge, code, browserOf(attacker.who, attacker.who.cookies.get('rookery'))),
      ).rejects.toMatchObject({ code: 'CODE_MISMATCH' })
    // and wasn't used up by that attempt
    await finish(await challengeOf(attacker.who), attacker.recoveryCodes[0] ?? '')
  })

  it("can't be skipped by using a challenge as a session", async () => {
    const { who } = await withApp()
    const challenge = await challengeOf(who)
    for (const [name, endpoint] of endpoints.filter(([, { access }]) => access.kind !== 'public')) {
      const response = await app.send(endpoint, inputFor(endpoint), { as: browserOf(who, challenge) })
      expect({ name, code: response.json().code }).toEqual({ name, code: 'UNAUTHORIZED' })
    }
  })

  it("can't be skipped by any other way to log in", async () => {
    const { who } = await withApp()
    const before = await sessionsOf(who)
    const open = { remoteAddress: client }
    await challengeOf(who)
    await expect(
      app.call(signUp, { body: { email: who.email, password: 'Larch-Otter7', token: await solvePuzzle(app) } }, open),
    ).rejects.toMatchObject({ code: 'USER_EXISTS' })
    await app.call(resendCode, { body: { email: who.email } }, open)
    await expect(app.call(confirmSignUp, { body: { email: who.email, code: '123456' } }, open)).rejects.toMatchObject({
      code: 'CODE_MISMATCH',
    })
    expect(await sessionsOf(who)).toBe(before)
    // someone who reads the mailbox can set the password, but still needs the second factor
    await app.call(forgotPassword, { body: { email: who.email } }, open)
    const reset = await app.send(
      confirmPassword,
      { body: { token: await linkTo(who.email), password: 'Fresh-Horse-3' } },
      open,
    )
    expect(reset.statusCode).toBe(200)
    expect(await sessionsOf(who)).toBe(0)
    await challengeOf({ ...who, password: 'Fresh-Horse-3' })
    expect(await sessionsOf(who)).toBe(0)
  })
})

describe("doesn't reveal who has an account", () => {
  const facts = (response: {
    statusCode: number
    headers: Record<string, unknown>
    json(): Record<string, unknown>
  }) => ({ status: response.statusCode, cookie: response.headers['set-cookie'], ...response.json(), requestId: '' })

  it('when logging in: the same response after the same number of hashes', async () => {
    const [who, guarded] = [await app.person(), await withApp()]
    await app.send(login, { body: { email: 'warm@example.org', password: 'Wrong-Horse1' } }, { remoteAddress: client })
    const asked = []
    for (const email of [who.email, guarded.who.email, 'unknown@example.org']) {
      argon.hashes = 0
      asked.push({
        ...facts(await app.send(login, { body: { email, password: 'Wrong-Horse1' } }, { remoteAddress: client })),
        hashes: argon.hashes,
      })
    }
    expect(asked[0]).toMatchObject({ code: 'LOGIN_FAILED', status: 401, hashes: 1 })
    expect(asked[1]).toEqual(asked[0])
    expect(asked[2]).toEqual(asked[0])
  })

  it('when requesting a link or a code', async () => {
    const who = await app.person()
    for (const endpoint of [forgotPassword, resendCode]) {
      argon.hashes = 0
      const [known, unknown] = [
        await app.send(endpoint, { body: { email: who.email } }, { remoteAddress: client }),
        await app.send(endpoint, { body: { email: `un${who.email}` } }, { remoteAddress: client }),
      ]
      expect(facts(known)).toEqual(facts(unknown))
      expect(argon.hashes).toBe(0)
    }
  })

  it('costs one hash per login', async () => {
    const who = await app.person()
    argon.hashes = 0
    await app.call(login, { body: { email: who.email, password: TEST_PASSWORD } }, { remoteAddress: client })
    expect(argon.hashes).toBe(1)
  })
})

it('redirects in no call: the page decides where to go next', async () => {
  const who = await app.person()
  for (const [name, endpoint] of endpoints.filter(
    ([, { access, reply }]) => access.kind !== 'project' && reply !== 'stream',
  )) {
    const response = await app.send(
      endpoint,
      { ...inputFor(endpoint), query: { redirect: 'https://evil.example', next: '//evil.example' } },
      { as: await app.anotherBrowser(who), remoteAddress: client },
    )
    expect({
      name,
      location: response.headers.location,
      redirects: response.statusCode >= 300 && response.statusCode < 400,
    }).toEqual({ name, location: undefined, redirects: false })
  }
  const entered = await app.send(
    login,
    { body: { email: who.email, password: TEST_PASSWORD, redirect: 'https://evil.example' } },
    { remoteAddress: `${client}1` },
  )
  expect(entered.json()).toEqual({ message: 'Login Successful' })
})
