import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  confirmPassword,
  confirmSignUp,
  getCode,
  humanChallenge,
  login,
  resendCode,
  signUp,
  userDetails,
  verifyCode,
} from '#contract/identity.ts'
import { home } from '#contract/organizations.ts'
import { solvePuzzle } from '../testing/human.ts'
import type { TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const PASSWORD = 'Correct-Horse1'
let number = 0
/** A browser without a session, and an address that nobody used. */
function newcomer(): TestPerson {
  number += 1
  return {
    personId: '',
    email: `new${number}@example.org`,
    password: PASSWORD,
    firstName: 'Nora',
    lastName: 'New',
    cookies: new Map(),
  }
}
const form = async (who: TestPerson, more: Record<string, unknown> = {}) => ({
  firstName: who.firstName,
  lastName: who.lastName,
  email: who.email,
  password: who.password,
  token: await solvePuzzle(app),
  ...more,
})
async function signedUp(who = newcomer()): Promise<TestPerson> {
  await app.call(signUp, { body: await form(who) }, { as: who })
  return who
}
const codeFor = (who: TestPerson) =>
  /\b\d{6}\b/.exec(app.outbox.findLast((mail) => mail.to === who.email)?.text ?? '')?.[0] ?? ''
const wrong = (code: string) => (code === '000000' ? '000001' : '000000')
const people = async (email: string) =>
  (await app.database.owner.query<{ n: number }>('select count(*)::int as n from person where email = $1', [email]))
    .rows[0]?.n

describe('sign-up', () => {
  it('opens a session for an unconfirmed person, and confirms with the emailed code', async () => {
    const who = await signedUp()
    expect(await app.call(userDetails, {}, { as: who })).toMatchObject({
      email: who.email,
      firstName: 'Nora',
      confirmed: false,
    })
    await expect(app.call(home, {}, { as: who })).rejects.toMatchObject({ code: 'USER_NOT_CONFIRMED', status: 403 })
    const answer = await app.call(confirmSignUp, { body: { email: who.email, code: codeFor(who) } }, { as: who })
    expect(answer).toEqual({ message: 'Email verified successfully' })
    expect(await app.call(home, {}, { as: who })).toMatchObject({ onboarding: { step: 'addOrganization' } })
  })

  it('stores no password, token or code in plain text', async () => {
    const who = await signedUp()
    const { rows } = await app.database.owner.query<{ all: string }>(
      'select row_to_json(p)::text || row_to_json(s)::text || row_to_json(v)::text as all from person p join session s on s.person_id = p.id join verification_code v on v.person_id = p.id where p.email = $1',
      [who.email],
    )
    for (const secret of [PASSWORD, who.cookies.get('rookery') ?? '?', codeFor(who)])
      expect(rows[0]?.all).not.toContain(secret)
    expect(rows[0]?.all).toContain('$argon2id$')
  })

  it('accepts names in any script and leaves them optional', async () => {
    const cyrillic = await signedUp({ ...newcomer(), firstName: 'Анна-Мария', lastName: 'Ы' })
    expect(await app.call(userDetails, {}, { as: cyrillic })).toMatchObject({ firstName: 'Анна-Мария' })
    const nameless = newcomer()
    await app.call(
      signUp,
      { body: { email: nameless.email, password: PASSWORD, token: await solvePuzzle(app) } },
      { as: nameless },
    )
    expect(await app.call(userDetails, {}, { as: nameless })).toMatchObject({ firstName: '', lastName: '' })
  })

  it('reports every mistake at its field, in the specified words, and stores nothing', async () => {
    const bad = { firstName: 'N0', lastName: '', email: `${'x'.repeat(60)}@example.org`, password: 'short', token: 'x' }
    const failure = await app.send(signUp, { body: bad })
    expect(failure.statusCode).toBe(400)
    expect(failure.json()).toMatchObject({
      code: 'BAD_INPUT',
      errors: {
        firstName: expect.arrayContaining([
          'Numbers and special characters are not allowed',
          'Must be of at least 3 characters long',
        ]),
        lastName: expect.arrayContaining(['Last Name is required']),
        email: ['Email should have less than 64 characters'],
        password: expect.arrayContaining(['Password is too short', 'Please fulfill the requirements']),
      },
    })
    expect(await people(bad.email)).toBe(0)
  })

  it.each(['---', "'''", '- -'])('refuses a first name of marks alone: %s', async (firstName) => {
    const who = newcomer()
    await expect(app.call(signUp, { body: await form(who, { firstName }) })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { firstName: ['Numbers and special characters are not allowed'] } },
    })
    expect(await people(who.email)).toBe(0)
  })

  it('accepts internationalized domains in their xn-- form only', async () => {
    const who = { ...newcomer(), email: 'nora@xn--mnchen-3ya.example' }
    await signedUp(who)
    await expect(app.call(signUp, { body: await form(who, { email: 'nora@münchen.example' }) })).rejects.toMatchObject({
      problem: { errors: { email: ['Invalid email'] } },
    })
  })

  it('requires a puzzle of ours, solved within twenty minutes and used once', async () => {
    const who = newcomer()
    const token = await solvePuzzle(app)
    await expect(app.call(signUp, { body: await form(who, { token: 'nonsense' }) }, { as: who })).rejects.toMatchObject(
      { code: 'HUMAN_CHECK_FAILED' },
    )
    const forged = Buffer.from(
      JSON.stringify({
        ...JSON.parse(Buffer.from(token, 'base64').toString()),
        solution: { counter: 1, derivedKey: '00' },
      }),
    ).toString('base64')
    await expect(app.call(signUp, { body: await form(who, { token: forged }) }, { as: who })).rejects.toMatchObject({
      code: 'HUMAN_CHECK_FAILED',
    })
    const eased = JSON.parse(Buffer.from(token, 'base64').toString())
    eased.challenge.parameters.data.until += 1
    await expect(
      app.call(
        signUp,
        { body: await form(who, { token: Buffer.from(JSON.stringify(eased)).toString('base64') }) },
        { as: who },
      ),
    ).rejects.toMatchObject({ code: 'HUMAN_CHECK_FAILED' })
    const old = await solvePuzzle(app)
    await app.call(signUp, { body: await form(who, { token }) }, { as: who })
    await expect(app.call(signUp, { body: await form(newcomer(), { token }) })).rejects.toMatchObject({
      code: 'HUMAN_CHECK_FAILED',
    })
    app.clock.advance({ minutes: 20 })
    await expect(app.call(signUp, { body: await form(newcomer(), { token: old }) })).rejects.toMatchObject({
      code: 'HUMAN_CHECK_FAILED',
    })
  })

  it('issues a puzzle of the configured difficulty that the browser can solve', async () => {
    const { parts: deps } = app
    expect(await deps.human.challenge(app.clock.now())).toMatchObject({
      parameters: { algorithm: 'PBKDF2/SHA-256', cost: 1 },
      signature: expect.any(String),
    })
    const response = await app.send(humanChallenge, {})
    expect(response.headers['cache-control']).toBe('no-store')
  })

  it('says that a confirmed address has an account only after the human check', async () => {
    const known = await app.person({ email: 'known@example.org' })
    const again = { ...newcomer(), email: known.email }
    await expect(app.call(signUp, { body: await form(again, { token: 'nonsense' }) })).rejects.toMatchObject({
      code: 'HUMAN_CHECK_FAILED',
    })
    await expect(app.call(signUp, { body: await form(again, { email: ' KNOWN@example.org ' }) })).rejects.toMatchObject(
      { code: 'USER_EXISTS', status: 409 },
    )
    expect(await app.call(userDetails, {}, { as: known })).toMatchObject({ firstName: 'Ada' })
  })

  it('replaces an unconfirmed account with the new sign-up', async () => {
    const first = await signedUp()
    const second = { ...newcomer(), email: first.email, firstName: 'Second', password: 'Another-Horse2' }
    app.clock.advance({ minutes: 2 })
    await app.call(signUp, { body: await form(second) }, { as: second })
    await expect(app.call(userDetails, {}, { as: first })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await expect(app.call(login, { body: { email: first.email, password: first.password } })).rejects.toMatchObject({
      code: 'LOGIN_FAILED',
    })
    expect(await app.call(userDetails, {}, { as: second })).toMatchObject({ firstName: 'Second' })
    expect(await people(first.email)).toBe(1)
  })

  it('creates one account from two simultaneous sign-ups', async () => {
    const [one, two] = [newcomer(), newcomer()]
    const forms = await Promise.all([form(one), form(two, { email: one.email })])
    await Promise.all(forms.map((body) => app.call(signUp, { body })))
    expect(await people(one.email)).toBe(1)
  })

  describe('sign-up from an invitation', () => {
    async function invited(email: string, more: Record<string, unknown> = {}): Promise<string> {
      const { orgId, projectId, roles, person } = await app.signedInOwner()
      const now = app.clock.now()
      const row = {
        org_id: orgId,
        id: randomUUID(),
        project_id: projectId,
        email,
        role_id: roles.user,
        invited_by: person.personId,
        created_at: now,
        sent_at: now,
        expires_at: new Date(now.getTime() + 7 * 86_400_000),
        ...more,
      }
      const names = Object.keys(row)
      await app.database.owner.query(
        `insert into invite (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
        Object.values(row),
      )
      return row.id
    }
    const join = async (who: TestPerson, inviteId: string) =>
      app.call(signUp, { body: await form(who, { inviteId }) }, { as: who })
    const confirmBy = (who: TestPerson) =>
      app.call(confirmSignUp, { body: { email: who.email, code: codeFor(who) } }, { as: who })

    it('accepts an open invitation to this address, which still has to be confirmed', async () => {
      const who = newcomer()
      await join(who, await invited(who.email))
      expect(await app.call(userDetails, {}, { as: who })).toMatchObject({ email: who.email, confirmed: false })
    })

    it('adds the person to the project with the right code, and leaves other invitations alone', async () => {
      const who = newcomer()
      const [inviteId, other] = [await invited(who.email), await invited(who.email)]
      await join(who, inviteId)
      await confirmBy(who)
      const seen = await app.call(home, {}, { as: who })
      const { rows } = await app.database.owner.query<{ org_id: string; project_id: string }>(
        'select org_id, project_id from invite where id = $1 and accepted_by = (select id from person where email = $2)',
        [inviteId, who.email],
      )
      expect(rows).toHaveLength(1)
      expect(seen.lastProject).toEqual({ orgId: rows[0]?.org_id, projectId: rows[0]?.project_id })
      expect(seen.organizations.map(({ orgId }) => orgId)).toEqual([rows[0]?.org_id])
      expect(seen.invites.map((invite) => invite.inviteId)).toEqual([other])
      const entries = await app.database.owner.query(
        "select entity_id from audit where org_id = $1 and entity = 'invite' and action = 'accepted'",
        [rows[0]?.org_id],
      )
      expect(entries.rows).toEqual([{ entity_id: inviteId }])
    })

    it('confirms the address even if the invitation ended or lost its seat in the meantime', async () => {
      const ended = newcomer()
      const inviteId = await invited(ended.email)
      await join(ended, inviteId)
      await app.database.owner.query('update invite set revoked_at = now() where id = $1', [inviteId])
      await confirmBy(ended)
      expect(await app.call(home, {}, { as: ended })).toMatchObject({ organizations: [], invites: [] })

      const late = newcomer()
      const full = await invited(late.email)
      await join(late, full)
      await app.database.owner.query(
        "update plan set plan_id = 'individual', status = 'ACTIVE', trial_ends_at = null where org_id = (select org_id from invite where id = $1)",
        [full],
      )
      await confirmBy(late)
      expect(await app.call(home, {}, { as: late })).toMatchObject({ organizations: [], invites: [{ inviteId: full }] })
    })

    it("doesn't accept it with a code without a session, or after someone else signed up", async () => {
      const stranger = newcomer()
      await join(stranger, await invited(stranger.email))
      await app.call(confirmSignUp, { body: { email: stranger.email, code: codeFor(stranger) } })
      const again = newcomer()
      await join(again, await invited(again.email))
      app.clock.advance({ minutes: 1 })
      await signedUp(again)
      await confirmBy(again)
      for (const { email } of [stranger, again]) {
        const { rows } = await app.database.owner.query('select accepted_at from invite where email = $1', [email])
        expect(rows).toEqual([{ accepted_at: null }])
      }
    })

    it('refuses one that is for another address, accepted, withdrawn, expired or unknown', async () => {
      const who = newcomer()
      const earlier = new Date(app.clock.now().getTime() - 1)
      const ids = [
        await invited('someone-else@example.org'),
        await invited(who.email, { accepted_at: earlier }),
        await invited(who.email, { revoked_at: earlier }),
        await invited(who.email, { expires_at: app.clock.now() }),
        randomUUID(),
      ]
      for (const inviteId of ids)
        await expect(join(who, inviteId)).rejects.toMatchObject({ code: 'INVITE_NOT_FOUND', status: 404 })
      expect(await people(who.email)).toBe(0)
    })

    it('is only looked up after the human check', async () => {
      const who = newcomer()
      await expect(
        app.call(signUp, { body: { ...(await form(who, { inviteId: randomUUID() })), token: 'nonsense' } }),
      ).rejects.toMatchObject({ code: 'HUMAN_CHECK_FAILED' })
    })
  })
})

describe('a code', () => {
  const confirm = (who: TestPerson, code: string) =>
    app.call(confirmSignUp, { body: { email: who.email, code } }, { as: who })

  it('is wrong, then right, then already confirmed', async () => {
    const who = await signedUp()
    await expect(confirm(who, wrong(codeFor(who)))).rejects.toMatchObject({ code: 'CODE_MISMATCH', status: 400 })
    await confirm(who, codeFor(who))
    await expect(confirm(who, codeFor(who))).rejects.toMatchObject({ code: 'USER_ALREADY_CONFIRMED' })
    await expect(app.call(getCode, {}, { as: who })).rejects.toMatchObject({ code: 'USER_ALREADY_CONFIRMED' })
    await expect(app.call(resendCode, { body: { email: who.email } }, { as: who })).rejects.toMatchObject({
      code: 'USER_ALREADY_CONFIRMED',
    })
  })

  it('expires after 15 minutes', async () => {
    const who = await signedUp()
    const code = codeFor(who)
    app.clock.advance({ minutes: 15 })
    await expect(confirm(who, code)).rejects.toMatchObject({ code: 'EXPIRED_CODE' })
    app.clock.advance({ minutes: 1 })
    expect(await app.call(getCode, {}, { as: who })).toEqual({ message: 'Verification code sent successfully' })
    expect(await app.call(verifyCode, { body: { code: codeFor(who) } }, { as: who })).toEqual({
      message: 'Email verified successfully',
    })
    expect(await app.call(userDetails, {}, { as: who })).toMatchObject({ confirmed: true })
  })

  it('can be tried five times, even at once', async () => {
    const who = await signedUp()
    const code = codeFor(who)
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => confirm(who, wrong(code))))
    const codes = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'fulfilled'))
    expect(codes.filter((one) => one === 'CODE_MISMATCH')).toHaveLength(5)
    expect(codes.filter((one) => one === 'LIMIT_EXCEEDED')).toHaveLength(15)
    await expect(confirm(who, code)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', status: 429 })
  })

  it('reveals nothing about an address without a session', async () => {
    const [unconfirmed, expired, guessed] = [await signedUp(), await signedUp(), await signedUp()]
    const confirmed = await app.person()
    const nobody = newcomer()
    await app.database.owner.query('update verification_code set expires_at = $1 where email = $2', [
      app.clock.now(),
      expired.email,
    ])
    for (let i = 0; i < 5; i++) await confirm(guessed, wrong(codeFor(guessed))).catch(() => {})
    await expect(confirm(guessed, codeFor(guessed))).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
    const facts = (response: Awaited<ReturnType<typeof app.send>>) => ({ ...response.json(), requestId: '' })
    const [asked, resent] = [[], []] as [unknown[], unknown[]]
    for (const { email } of [unconfirmed, expired, guessed, confirmed, nobody]) {
      // someone else's session reveals just as little
      for (const as of [{}, { as: await app.person() }]) {
        asked.push(facts(await app.send(confirmSignUp, { body: { email, code: wrong(codeFor(unconfirmed)) } }, as)))
        resent.push(facts(await app.send(resendCode, { body: { email } }, as)))
        resent.push(facts(await app.send(resendCode, { body: { email } }, as)))
      }
    }
    expect(asked).toEqual(asked.map(() => expect.objectContaining({ status: 400, code: 'CODE_MISMATCH' })))
    expect(new Set(asked.map((one) => JSON.stringify(one))).size).toBe(1)
    expect(resent).toEqual(resent.map(() => ({ message: 'Email has been resent successfully', requestId: '' })))
    await app.parts.mailer.close()
    expect(app.outbox.filter((mail) => [nobody.email, confirmed.email].includes(mail.to))).toEqual([])
  })

  it('is sent at most once a minute and five times an hour, and the newest counts', async () => {
    const who = await signedUp()
    const first = codeFor(who)
    const resend = () => app.call(resendCode, { body: { email: who.email } }, { as: who, remoteAddress: '10.1.1.1' })
    await expect(resend()).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      problem: { meta: { retryAfterSeconds: 60 } },
    })
    for (let i = 0; i < 4; i++) {
      app.clock.advance({ minutes: 1 })
      await resend()
    }
    app.clock.advance({ minutes: 1 })
    await expect(resend()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
    if (first !== codeFor(who)) await expect(confirm(who, first)).rejects.toMatchObject({ code: 'CODE_MISMATCH' })
    await confirm(who, codeFor(who))
  })

  it('says to a session that none was issued', async () => {
    const who = await app.person({ confirmed: false })
    await expect(confirm(who, '123456')).rejects.toMatchObject({ code: 'INVALID_CODE' })
  })

  it('is emailed again to anyone who asks without a session', async () => {
    const who = await signedUp()
    const mails = () => app.outbox.filter((mail) => mail.to === who.email).length
    app.clock.advance({ minutes: 1 })
    expect(await app.call(resendCode, { body: { email: who.email } })).toEqual({
      message: 'Email has been resent successfully',
    })
    await app.parts.mailer.close()
    expect(mails()).toBe(2)
    await confirm(who, codeFor(who))
  })

  it('opens no session without one, and voids the password and session of the person who signed up', async () => {
    const victim = await signedUp()
    const thief = { ...newcomer(), email: victim.email, password: 'Thieving-Rook-7' }
    await app.call(signUp, { body: await form(thief) }, { as: thief })
    // the victim's browser still has the cookie of the session that ended with the second sign-up
    const answer = await app.call(
      confirmSignUp,
      { body: { email: victim.email, code: codeFor(victim) } },
      { as: victim },
    )
    expect(answer).toEqual({ message: 'Email verified. We emailed you a link to set your password.' })
    await expect(app.call(userDetails, {}, { as: thief })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await expect(app.call(userDetails, {}, { as: victim })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    for (const password of [thief.password, PASSWORD])
      await expect(app.call(login, { body: { email: victim.email, password } })).rejects.toMatchObject({
        code: 'LOGIN_FAILED',
      })

    const mail = app.outbox.findLast((one) => one.to === victim.email)
    expect(mail?.subject).toBe('Set your password for Rookery')
    const token = /token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
    await app.call(confirmPassword, { body: { token, password: 'My-Own-Rook-8' } })
    await app.call(login, { body: { email: victim.email, password: 'My-Own-Rook-8' } }, { as: victim })
    expect(await app.call(home, {}, { as: victim })).toMatchObject({ user: { confirmed: true } })
  })

  it('keeps the password if confirmed in the session of the sign-up', async () => {
    const who = await signedUp()
    await confirm(who, codeFor(who))
    await app.call(login, { body: { email: who.email, password: PASSWORD } }, { as: { ...who, cookies: new Map() } })
  })

  it('needs six digits', async () => {
    for (const code of ['12345', '1234567', 'abcdef', ''])
      await expect(app.call(confirmSignUp, { body: { email: 'a@example.org', code } })).rejects.toMatchObject({
        code: 'BAD_INPUT',
      })
  })
})
