import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  changePassword,
  confirmPassword,
  endSession,
  forgotPassword,
  listSessions,
  login,
  logout,
  publicAddress,
  updateProfile,
  userDetails,
} from '#contract/identity.ts'
import { completeSetup, home } from '#contract/organizations.ts'
import { addPasskey, beginTotp, confirmTotp, passkeyOptions } from '#contract/secondFactor.ts'
import { codeOfApp, softAuthenticator } from '../testing/authenticator.ts'
import { solvePuzzle } from '../testing/human.ts'
import { TEST_PASSWORD, type TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const browserOf = (person: TestPerson): TestPerson => ({ ...person, cookies: new Map() })
const logIn = (who: TestPerson, more: { password?: string; token?: string } = {}, remoteAddress?: string) =>
  app.call(
    login,
    { body: { email: who.email, password: TEST_PASSWORD, ...more } },
    { as: who, ...(remoteAddress !== undefined && { remoteAddress }) },
  )

describe('login', () => {
  it("opens a session with a cookie that scripts and other sites can't use", async () => {
    const who = browserOf(await app.person())
    const response = await app.send(
      login,
      { body: { email: who.email.toUpperCase(), password: TEST_PASSWORD } },
      { as: who },
    )
    expect(response.json()).toEqual({ message: 'Login Successful' })
    expect(response.headers['set-cookie']).toMatch(
      /^rookery=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    expect(await app.call(userDetails, {}, { as: who })).toMatchObject({ userId: who.personId })
  })

  it('names the address at which people have to open the app', async () => {
    expect(await app.call(publicAddress, {})).toEqual({ url: 'http://rookery.test' })
  })

  it('responds the same to a wrong password and an unknown address', async () => {
    const who = await app.person()
    const wrong = await app.send(
      login,
      { body: { email: who.email, password: 'Wrong-Horse1' } },
      { remoteAddress: '10.0.0.1' },
    )
    const unknown = await app.send(
      login,
      { body: { email: 'nobody@example.org', password: 'Wrong-Horse1' } },
      { remoteAddress: '10.0.0.2' },
    )
    const facts = (response: typeof wrong) => ({ ...response.json(), requestId: '' })
    expect(facts(wrong)).toEqual(facts(unknown))
    expect(wrong.json()).toMatchObject({ code: 'LOGIN_FAILED', status: 401 })
    expect(wrong.headers['set-cookie']).toBeUndefined()
  })

  it('always creates its own token: one that was brought along opens nothing', async () => {
    const who = browserOf(await app.person())
    who.cookies.set('rookery', 'brought-along-by-an-attacker-0123456789abcdef')
    await logIn(who)
    const first = who.cookies.get('rookery')
    expect(first).not.toContain('brought-along')
    await logIn(who)
    expect(who.cookies.get('rookery')).not.toBe(first)
    // the browser's earlier session ended with the new login
    const before: TestPerson = { ...who, cookies: new Map([['rookery', first ?? '']]) }
    await expect(app.call(userDetails, {}, { as: before })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('lets unconfirmed people in, and home sends them to confirm', async () => {
    const who = browserOf(await app.person({ confirmed: false }))
    await logIn(who)
    await expect(app.call(home, {}, { as: who })).rejects.toMatchObject({ code: 'USER_NOT_CONFIRMED' })
  })

  it('blocks a client for 15 minutes after five wrong passwords for one address, and no other client', async () => {
    const who = browserOf(await app.person())
    const tries = await Promise.allSettled(
      Array.from({ length: 12 }, () => logIn(who, { password: 'Wrong-Horse1' }, '10.0.1.1')),
    )
    const codes = tries.map((one) => (one.status === 'rejected' ? one.reason.code : 'in'))
    expect(codes.filter((code) => code === 'LOGIN_FAILED')).toHaveLength(5)
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(7)
    const limited = await app.send(
      login,
      { body: { email: who.email, password: TEST_PASSWORD } },
      { remoteAddress: '10.0.1.1' },
    )
    expect(limited.statusCode).toBe(429)
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    await logIn(browserOf(who), {}, '10.0.1.2')
    app.clock.advance({ minutes: 15 })
    await logIn(who, {}, '10.0.1.1')
  })

  it('lets one person in from many windows of one client at once', async () => {
    const person = await app.person({ signedIn: false })
    for (let round = 0; round < 5; round++) {
      const all = await Promise.all(
        Array.from({ length: 4 }, () => app.send(login, { body: { email: person.email, password: TEST_PASSWORD } })),
      )
      expect(all.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    }
  })

  it("forgets a client's wrong attempts after a correct password", async () => {
    const who = browserOf(await app.person())
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 4; i++)
        await expect(logIn(who, { password: 'Wrong-Horse1' }, '10.0.2.1')).rejects.toMatchObject({
          code: 'LOGIN_FAILED',
        })
      await logIn(who, {}, '10.0.2.1')
    }
  })

  it('requires the human check after fifty attempts on an address in an hour, and never locks it', async () => {
    const who = browserOf(await app.person())
    for (let i = 0; i < 50; i++)
      await logIn(who, { password: 'Wrong-Horse1' }, `10.1.${Math.floor(i / 5)}.1`).catch(() => {})
    await expect(logIn(who, {}, '10.2.0.1')).rejects.toMatchObject({ code: 'HUMAN_CHECK_REQUIRED', status: 403 })
    await expect(logIn(who, { token: 'nonsense' }, '10.2.0.1')).rejects.toMatchObject({ code: 'HUMAN_CHECK_FAILED' })
    await logIn(who, { token: await solvePuzzle(app) }, '10.2.0.1')
  })

  it('requires the human check of a client after a hundred wrong attempts in an hour, and never locks it', async () => {
    const who = browserOf(await app.person())
    const wrong = (i: number) =>
      app.send(
        login,
        { body: { email: `guess${i}@example.org`, password: 'Wrong-Horse1' } },
        { remoteAddress: '10.3.0.1' },
      )
    const answers = await Promise.all(Array.from({ length: 105 }, (_, i) => wrong(i)))
    expect(answers.filter((answer) => answer.json().code === 'HUMAN_CHECK_REQUIRED')).toHaveLength(5)
    expect(answers.filter((answer) => answer.json().code === 'LOGIN_FAILED')).toHaveLength(100)
    // the right password of someone else behind the same address
    await expect(logIn(who, {}, '10.3.0.1')).rejects.toMatchObject({ code: 'HUMAN_CHECK_REQUIRED', status: 403 })
    await expect(logIn(who, { token: 'nonsense' }, '10.3.0.1')).rejects.toMatchObject({ code: 'HUMAN_CHECK_FAILED' })
    await logIn(who, { token: await solvePuzzle(app) }, '10.3.0.1')
    app.clock.advance({ hours: 1 })
    expect((await wrong(200)).statusCode).toBe(401)
  })

  it('counts all addresses in one IPv6 network as one client', async () => {
    const who = browserOf(await app.person())
    const wrong = (i: number) =>
      logIn(who, { password: 'Wrong-Horse1' }, `2600:1f18:0:7::${i.toString(16)}`).catch((failure) => failure.code)
    for (let i = 0; i < 5; i++) expect(await wrong(i)).toBe('LOGIN_FAILED')
    expect(await wrong(0xbeef)).toBe('RATE_LIMITED')
    await logIn(who, {}, '2600:1f18:0:8::1')
  })
})

describe('sessions', () => {
  it('end with a logout, which anyone may call', async () => {
    const who = await app.person()
    await app.call(logout, {}, { as: who })
    expect(who.cookies.size).toBe(0)
    expect(await app.call(logout, {})).toEqual({})
  })

  it('last 30 days from their last use', async () => {
    const who = browserOf(await app.person())
    await logIn(who)
    app.clock.advance({ days: 29 })
    const token = who.cookies.get('rookery')
    const response = await app.send(userDetails, {}, { as: who })
    expect(response.headers['set-cookie']).toContain('Max-Age=2592000')
    expect(who.cookies.get('rookery')).toBe(token)
    await until(
      async () =>
        (
          await app.database.owner.query<{ n: number }>(
            'select count(*)::int as n from session where person_id = $1 and last_seen_at = $2',
            [who.personId, app.clock.now()],
          )
        ).rows[0]?.n === 1,
    )
    app.clock.advance({ days: 29 })
    expect(await app.call(userDetails, {}, { as: who })).toMatchObject({ userId: who.personId })
    app.clock.advance({ days: 31 })
    await expect(app.call(userDetails, {}, { as: who })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('end 90 days after they began, however often they are used', async () => {
    const who = browserOf(await app.person())
    await logIn(who)
    const seen = () =>
      app.database.owner.query<{ n: number }>(
        'select count(*)::int as n from session where person_id = $1 and last_seen_at = $2',
        [who.personId, app.clock.now()],
      )
    for (const days of [25, 25, 25, 14]) {
      app.clock.advance({ days })
      expect(await app.call(userDetails, {}, { as: who })).toMatchObject({ userId: who.personId })
      await until(async () => (await seen()).rows[0]?.n === 1)
    }
    app.clock.advance({ days: 1 })
    await expect(app.call(userDetails, {}, { as: who })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it("are listed and ended one by one, and those of others aren't found", async () => {
    const who = await app.person()
    const phone = browserOf(who)
    await app.call(
      login,
      { body: { email: who.email, password: TEST_PASSWORD } },
      {
        as: phone,
        headers: {
          'user-agent': 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/150.0 Mobile Safari/537.36',
        },
      },
    )
    const { sessions } = await app.call(listSessions, {}, { as: who })
    expect(
      sessions
        .map(({ client, current }) => ({ client, current }))
        .toSorted((a, b) => Number(b.current) - Number(a.current)),
    ).toEqual([
      { client: '', current: true },
      { client: 'Chrome on Android', current: false },
    ])
    const theirs = sessions.find((session) => !session.current)?.sessionId ?? ''
    const stranger = await app.person()
    await expect(app.call(endSession, { params: { sessionId: theirs } }, { as: stranger })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await app.call(endSession, { params: { sessionId: theirs } }, { as: who })
    await expect(app.call(userDetails, {}, { as: phone })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    const own = sessions.find((session) => session.current)?.sessionId ?? ''
    await app.call(endSession, { params: { sessionId: own } }, { as: who })
    expect(who.cookies.size).toBe(0)
  })
})

describe('a new password', () => {
  const link = async (email: string) => {
    const mail = await until(() =>
      app.outbox.findLast((one) => one.to === email && one.subject.startsWith('Set a new password')),
    )
    return new URL(/http\S+/.exec(mail.text)?.[0] ?? '')
  }
  const forget = (email: string, more: { token?: string } = {}, remoteAddress = '10.9.0.1') =>
    app.call(forgotPassword, { body: { email, ...more } }, { remoteAddress })

  it('is set once with an emailed link, and ends every session', async () => {
    const who = await app.person({ confirmed: false })
    expect(await forget(who.email)).toEqual({ message: 'A password reset link has been sent to your email' })
    const address = await link(who.email)
    expect(address.origin + address.pathname).toBe('http://rookery.test/reset-password')
    const token = address.searchParams.get('token') ?? ''
    const set = () => app.call(confirmPassword, { body: { token, password: 'Fresh-Horse-3' } })
    expect(await set()).toEqual({ message: 'Your password has been reset successfully' })
    await expect(set()).rejects.toMatchObject({ code: 'RESET_LINK_INVALID' })
    await expect(app.call(userDetails, {}, { as: who })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    const browser = browserOf(who)
    await logIn(browser, { password: 'Fresh-Horse-3' })
    // someone who reads the mailbox has confirmed the address
    expect(await app.call(userDetails, {}, { as: browser })).toMatchObject({ confirmed: true })
    expect(app.outbox.at(-1)).toMatchObject({ to: who.email, subject: 'Your Rookery password was changed' })
  })

  it('unlocks the client that set it, and no other', async () => {
    const who = await app.person()
    for (const client of ['10.9.8.1', '10.9.8.2'])
      for (let i = 0; i < 5; i++) await logIn(browserOf(who), { password: 'Wrong-Horse1' }, client).catch(() => {})
    await expect(logIn(browserOf(who), {}, '10.9.8.1')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      problem: { detail: 'Too many wrong passwords. Try again in 15 minutes, or reset your password.' },
    })
    await forget(who.email, {}, '10.9.8.1')
    const token = (await link(who.email)).searchParams.get('token') ?? ''
    const set = (password: string) =>
      app.call(confirmPassword, { body: { token, password } }, { remoteAddress: '10.9.8.1' })
    await expect(set('Password1!')).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { password: ['This password is too common'] } },
    })
    await set('Fresh-Horse-3')
    await logIn(browserOf(who), { password: 'Fresh-Horse-3' }, '10.9.8.1')
    await expect(logIn(browserOf(who), { password: 'Fresh-Horse-3' }, '10.9.8.2')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    })
  })

  it('clears the lock from wrong passwords in the profile', async () => {
    const who = await app.person()
    const change = (oldPassword: string, as = who) =>
      app.call(changePassword, { body: { oldPassword, password: 'Newer-Horse-4' } }, { as })
    for (let i = 0; i < 6; i++) await change('Wrong-Horse1').catch(() => {})
    await expect(change(TEST_PASSWORD)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    await forget(who.email, {}, '10.9.8.3')
    const token = (await link(who.email)).searchParams.get('token') ?? ''
    await app.call(confirmPassword, { body: { token, password: 'Fresh-Horse-3' } })
    const browser = browserOf(who)
    await logIn(browser, { password: 'Fresh-Horse-3' }, '10.9.8.3')
    await change('Fresh-Horse-3', browser)
  })

  it("is refused in the profile if it's common or the current one", async () => {
    const who = await app.person()
    const change = (password: string) =>
      app.call(changePassword, { body: { oldPassword: TEST_PASSWORD, password } }, { as: who })
    await expect(change('Welcome1!')).rejects.toMatchObject({
      problem: { errors: { password: ['This password is too common'] } },
    })
    await expect(change(TEST_PASSWORD)).rejects.toMatchObject({
      problem: { errors: { password: ["Choose a password that's different from your current one"] } },
    })
    await logIn(browserOf(who))
  })

  it('is set by only one of two simultaneous requests', async () => {
    const who = await app.person()
    await forget(who.email)
    const token = (await link(who.email)).searchParams.get('token') ?? ''
    const both = await Promise.allSettled(
      ['First-Horse-3', 'Second-Horse-3'].map((password) => app.call(confirmPassword, { body: { token, password } })),
    )
    expect(both.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
  })

  it("can't be set after an hour, with a guessed link, or to a weak one", async () => {
    const who = await app.person()
    await forget(who.email, {}, '10.9.0.2')
    const token = (await link(who.email)).searchParams.get('token') ?? ''
    await expect(app.call(confirmPassword, { body: { token, password: 'weak' } })).rejects.toMatchObject({
      code: 'BAD_INPUT',
    })
    await expect(
      app.call(confirmPassword, { body: { token: 'x'.repeat(43), password: 'Fresh-Horse-3' } }),
    ).rejects.toMatchObject({ code: 'RESET_LINK_INVALID' })
    app.clock.advance({ hours: 1 })
    await expect(app.call(confirmPassword, { body: { token, password: 'Fresh-Horse-3' } })).rejects.toMatchObject({
      code: 'RESET_LINK_INVALID',
    })
  })

  it('responds the same for an unknown address, and sends nothing', async () => {
    const before = app.outbox.length
    expect(await forget('unknown@example.org', {}, '10.9.0.3')).toEqual({
      message: 'A password reset link has been sent to your email',
    })
    await app.parts.mailer.close()
    expect(app.outbox).toHaveLength(before)
  })

  it('requires the human check after three requests in an hour', async () => {
    const who = await app.person()
    for (let i = 0; i < 3; i++) await forget(who.email, {}, `10.9.1.${i}`)
    await expect(forget(who.email, {}, '10.9.1.9')).rejects.toMatchObject({ code: 'HUMAN_CHECK_REQUIRED' })
    await expect(forget(who.email, { token: 'nonsense' }, '10.9.1.9')).rejects.toMatchObject({
      code: 'HUMAN_CHECK_FAILED',
    })
    await forget(who.email, { token: await solvePuzzle(app) }, '10.9.1.9')
  })

  it('sends an address at most ten links in an hour, however many puzzles are solved, with the same response', async () => {
    const who = await app.person()
    for (let i = 0; i < 12; i++)
      expect(await forget(who.email, { token: await solvePuzzle(app) }, `10.9.4.${i}`)).toEqual({
        message: 'A password reset link has been sent to your email',
      })
    await app.parts.mailer.close()
    expect(app.outbox.filter(({ to }) => to === who.email)).toHaveLength(10)
    app.clock.advance({ hours: 1 })
    await forget(who.email, { token: await solvePuzzle(app) }, '10.9.4.99')
    await app.parts.mailer.close()
    expect(app.outbox.filter(({ to }) => to === who.email)).toHaveLength(11)
  })

  it('is changed in the profile with the current one, and other sessions end', async () => {
    const who = await app.person()
    const phone = browserOf(who)
    await logIn(phone)
    const change = (oldPassword: string) =>
      app.call(changePassword, { body: { oldPassword, password: 'Fresh-Horse-3' } }, { as: who })
    await expect(change('Wrong-Horse1')).rejects.toMatchObject({
      code: 'PASSWORD_WRONG',
      problem: { errors: { oldPassword: ["This isn't your current password."] } },
    })
    expect(await change(TEST_PASSWORD)).toEqual({ message: 'Password updated successfully' })
    expect(await app.call(userDetails, {}, { as: who })).toMatchObject({ userId: who.personId })
    await expect(app.call(userDetails, {}, { as: phone })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await logIn(browserOf(who), { password: 'Fresh-Horse-3' })
  })

  it("can't be guessed in the profile", async () => {
    const who = await app.person()
    const guess = () =>
      app.call(changePassword, { body: { oldPassword: 'Wrong-Horse1', password: 'Fresh-Horse-3' } }, { as: who })
    for (let i = 0; i < 5; i++) await expect(guess()).rejects.toMatchObject({ code: 'PASSWORD_WRONG' })
    await expect(guess()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })
})

/* What happens while a password is replaced: a transaction of the test keeps each race open. */
describe('a password change in progress', () => {
  const held = async () =>
    (
      await app.database.owner.query<{ n: number }>(
        'select count(*)::int as n from pg_locks join pg_stat_activity using (pid) where datname = current_database() and not granted',
      )
    ).rows[0]?.n === 1
  const hashOf = async (personId: string) =>
    (
      await app.database.owner.query<{ password_hash: string }>('select password_hash from person where id = $1', [
        personId,
      ])
    ).rows[0]?.password_hash
  const sessionsOf = async (personId: string) =>
    (
      await app.database.owner.query<{ n: number }>('select count(*)::int as n from session where person_id = $1', [
        personId,
      ])
    ).rows[0]?.n
  /** Runs `first` in its own transaction, starts what waits for it, runs `last`, and commits; returns the outcome. */
  async function raced<T>(
    first: string,
    last: string,
    who: TestPerson,
    begin: () => Promise<T>,
  ): Promise<PromiseSettledResult<T>> {
    const client = await app.database.owner.connect()
    try {
      await client.query('begin')
      await client.query(first, [who.personId])
      const began = Promise.allSettled([begin()])
      await until(held, { what: 'the call to wait' })
      if (last) await client.query(last, [who.personId])
      await client.query('commit')
      return (await began)[0]
    } finally {
      client.release()
    }
  }

  it('opens no session for a login with the old password', async () => {
    const who = await app.person({ signedIn: false })
    const outcome = await raced(
      'select 1 from person where id = $1 for update',
      "update person set password_hash = 'another' where id = $1",
      who,
      () => logIn(browserOf(who)),
    )
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'LOGIN_FAILED' } })
    expect(await sessionsOf(who.personId)).toBe(0)
  })

  it('ends the session that a login opens while the link is being used', async () => {
    const who = await app.person({ signedIn: false })
    await app.call(forgotPassword, { body: { email: who.email } }, { remoteAddress: '10.9.7.1' })
    const mail = await until(() => app.outbox.findLast((one) => one.to === who.email))
    const token = /token=([\w-]+)/.exec(mail.text)?.[1] ?? ''
    const logsIn =
      "with known as (select id from person where id = $1 for share) insert into session (id, token_hash, person_id, created_at, last_seen_at, expires_at) select gen_random_uuid(), 'x', id, now(), now(), now() + interval '1 day' from known"
    const outcome = await raced(logsIn, '', who, () =>
      app.call(confirmPassword, { body: { token, password: 'Fresh-Horse-3' } }),
    )
    expect(outcome).toMatchObject({ status: 'fulfilled' })
    expect(await sessionsOf(who.personId)).toBe(0)
  })

  it("isn't overwritten by a change that began with the old password", async () => {
    const who = await app.person()
    const outcome = await raced("update person set password_hash = 'another' where id = $1", '', who, () =>
      app.call(changePassword, { body: { oldPassword: TEST_PASSWORD, password: 'Fresh-Horse-3' } }, { as: who }),
    )
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'PASSWORD_WRONG' } })
    expect(await hashOf(who.personId)).toBe('another')
  })

  it('leaves no link for an address that the account gives up at the same moment', async () => {
    const who = await app.person()
    const links = async () =>
      (
        await app.database.owner.query('select from reset_link where person_id = $1 and used_at is null', [
          who.personId,
        ])
      ).rowCount
    const outcome = await raced(
      "with moved as (update person set email = 'moved-' || email where id = $1 returning id) update reset_link set used_at = now() where person_id in (select id from moved)",
      '',
      who,
      async () => {
        await app.call(forgotPassword, { body: { email: who.email } }, { remoteAddress: '10.9.7.2' })
        await app.parts.mailer.close()
      },
    )
    expect(outcome).toMatchObject({ status: 'fulfilled' })
    expect(await links()).toBe(0)
    expect(app.outbox.filter(({ to }) => to === who.email)).toEqual([])
  })

  const LOCKS = 'select 1 from person where id = $1 for update'
  const ENDS = 'delete from session where person_id = $1'

  it('keeps a session that it ended from turning on an authenticator app', async () => {
    const who = await app.person()
    const { secret } = await app.call(beginTotp, { body: { password: TEST_PASSWORD } }, { as: who })
    const outcome = await raced(LOCKS, ENDS, who, () =>
      app.call(confirmTotp, { body: { code: codeOfApp(secret, app.clock.now()) } }, { as: who }),
    )
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'UNAUTHORIZED' } })
    expect(
      (await app.database.owner.query('select totp_confirmed_at from person where id = $1', [who.personId])).rows,
    ).toEqual([{ totp_confirmed_at: null }])
  })

  it('keeps a session that it ended from adding a passkey', async () => {
    const who = await app.person()
    const options = await app.call(passkeyOptions, { body: { password: TEST_PASSWORD } }, { as: who })
    const outcome = await raced(LOCKS, ENDS, who, () =>
      app.call(addPasskey, { body: { name: 'Key', response: softAuthenticator().create(options) } }, { as: who }),
    )
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'UNAUTHORIZED' } })
    expect((await app.database.owner.query('select from passkey where person_id = $1', [who.personId])).rowCount).toBe(
      0,
    )
  })
})

describe('the profile', () => {
  it("changes the person's name, by the rules of sign-up", async () => {
    const who = await app.person()
    expect(await app.call(updateProfile, { body: { firstName: 'Zoë', lastName: "O'Neill" } }, { as: who })).toEqual({
      message: 'Profile updated successfully',
    })
    expect(await app.call(userDetails, {}, { as: who })).toMatchObject({ firstName: 'Zoë', lastName: "O'Neill" })
    await expect(
      app.call(updateProfile, { body: { firstName: 'R2', lastName: 'D2' } }, { as: who }),
    ).rejects.toMatchObject({ code: 'BAD_INPUT' })
    expect(await app.call(userDetails, {}, { as: who })).toMatchObject({ firstName: 'Zoë' })
  })

  it('dismisses the setup card', async () => {
    const who = await app.person()
    expect(await app.call(userDetails, {}, { as: who })).toMatchObject({ setupProgress: { isCompleted: false } })
    await app.call(completeSetup, { body: {} }, { as: who })
    expect(await app.call(userDetails, {}, { as: who })).toMatchObject({ setupProgress: { isCompleted: true } })
  })
})
