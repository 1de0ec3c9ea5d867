import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  confirmPassword,
  confirmSignUp,
  forgotPassword,
  getCode,
  login,
  updateProfile,
  userDetails,
  verifyCode,
  type SetupFeature,
} from '#contract/identity.ts'
import {
  cancelEmailChange,
  changeEmail,
  finishSetupFeature,
  getPicture,
  removePicture,
  setPicture,
} from '#contract/profile.ts'
import { TEST_PASSWORD, type TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const upload = (who: TestPerson, file: Buffer) =>
  app.call(setPicture, { body: { image: file.toString('base64') } }, { as: who })
const idOf = (profileUrl: string | null) => profileUrl?.split('/').at(-1) ?? ''
const seen = (pictureId: string, as?: TestPerson) =>
  app.send(getPicture, { params: { pictureId } }, { ...(as && { as }) })
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#3355aa' } })
const picturesOf = async (who: TestPerson) =>
  (await app.database.owner.query('select id from person_picture where person_id = $1', [who.personId])).rows

describe('the picture', () => {
  it.each(['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff'] as const)(
    'from a %s becomes a WebP of 256 by 256',
    async (format) => {
      const who = await app.person()
      const { message, profileUrl } = await upload(who, await plain(640, 300).toFormat(format).toBuffer())
      expect(message).toBe('Profile updated successfully')
      expect(await app.call(userDetails, {}, { as: who })).toMatchObject({ profileUrl })
      const answer = await seen(idOf(profileUrl), who)
      expect(answer.headers).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'private, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      })
      expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 })
    },
  )

  it("is upright and doesn't reveal where it was taken", async () => {
    const who = await app.person()
    // left half red, right half blue, from a camera held sideways
    const half = await plain(40, 80)
      .toColorspace('srgb')
      .composite([
        { input: { create: { width: 20, height: 80, channels: 3, background: '#ff0000' } }, left: 0, top: 0 },
      ])
      .withExif({ IFD0: { Copyright: 'secret garden', Orientation: '6' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect((await sharp(half).metadata()).orientation).toBe(6)
    const { profileUrl } = await upload(who, half)
    const { rawPayload } = await seen(idOf(profileUrl), who)
    expect(rawPayload.toString('latin1')).not.toContain('secret garden')
    expect(await sharp(rawPayload).metadata()).not.toHaveProperty('exif')
    const pixel = async (top: number) => [
      ...(await sharp(rawPayload).extract({ left: 128, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer()),
    ]
    expect((await pixel(20))[0]).toBeGreaterThan(200)
    expect((await pixel(236))[0]).toBeLessThan(100)
  })

  it('has a new URL each time, and the previous one is gone, also after removing it', async () => {
    const who = await app.person()
    const first = idOf((await upload(who, await plain(50, 50).png().toBuffer())).profileUrl)
    const second = idOf((await upload(who, await plain(60, 60).png().toBuffer())).profileUrl)
    expect(second).not.toBe(first)
    expect((await seen(first, who)).statusCode).toBe(404)
    expect(await picturesOf(who)).toHaveLength(1)
    await app.call(removePicture, {}, { as: who })
    await app.call(removePicture, {}, { as: who })
    expect((await seen(second, who)).statusCode).toBe(404)
    expect(await app.call(userDetails, {}, { as: who })).toMatchObject({ profileUrl: null })
    expect(await picturesOf(who)).toEqual([])
  })

  it('is only one of two set at the same time', async () => {
    const who = await app.person()
    const file = await plain(50, 50).png().toBuffer()
    await Promise.all([upload(who, file), upload(who, file), upload(who, file)])
    const { profileUrl } = await app.call(userDetails, {}, { as: who })
    expect(await picturesOf(who)).toEqual([{ id: idOf(profileUrl) }])
  })

  it('is visible to its person and to current members of the same organizations', async () => {
    const home = await app.signedInOwner()
    const colleague = await app.colleague(home, 'user')
    const pictureId = idOf((await upload(colleague, await plain(50, 50).png().toBuffer())).profileUrl)
    for (const as of [colleague, home.person, await app.memberOnly(home)])
      expect((await seen(pictureId, as)).statusCode).toBe(200)
    for (const as of [await app.person(), (await app.signedInOwner()).person])
      expect((await seen(pictureId, as)).json()).toMatchObject({ code: 'NOT_FOUND' })
    expect((await seen(pictureId)).json()).toMatchObject({ code: 'UNAUTHORIZED' })
    await app.database.owner.query('update member set removed_at = now() where person_id = $1', [colleague.personId])
    expect((await seen(pictureId, home.person)).statusCode).toBe(404)
  })

  const refused = async (file: Buffer) => await upload(await app.person(), file).catch((error: unknown) => error)

  it.each([
    ['text that is named like one', Buffer.from('hello, I am photo.png')],
    [
      'a drawing that can hold scripts',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    ],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['only the beginning of one', Buffer.from('\x89PNG\r\n\x1a\n<script>alert(1)</script>', 'latin1')],
    ['nothing', Buffer.from(' ')],
  ])('is not made of %s', async (_, file) => {
    expect(await refused(file)).toMatchObject({
      code: 'MEDIA_REFUSED',
      status: 422,
      problem: { errors: { image: [expect.stringMatching(/^[A-Z].*\.$/)] } },
    })
  })

  it("can't be a truncated file, an animation, or ten thousand by ten thousand pixels", async () => {
    const cut = await sharp(Buffer.from(Array.from({ length: 300 * 300 * 3 }, (_, i) => (i * 7919) % 251)), {
      raw: { width: 300, height: 300, channels: 3 },
    })
      .jpeg()
      .toBuffer()
    expect(await refused(cut.subarray(0, cut.length / 2))).toMatchObject({
      code: 'MEDIA_REFUSED',
      problem: { detail: "This image is damaged and can't be read." },
    })
    const frames = await sharp(
      [
        await plain(20, 20).png().toBuffer(),
        await sharp({ create: { width: 20, height: 20, channels: 3, background: '#ff0000' } })
          .png()
          .toBuffer(),
      ],
      { join: { animated: true } },
    )
      .gif()
      .toBuffer()
    expect(await refused(frames)).toMatchObject({
      code: 'MEDIA_REFUSED',
      problem: { detail: "Animated images aren't supported here. Choose a still image." },
    })
    for (const side of [10_000, 6_400]) {
      const bomb = await plain(side, side).png({ compressionLevel: 9 }).toBuffer()
      expect(bomb.length).toBeLessThan(2_000_000)
      expect(await refused(bomb)).toMatchObject({
        code: 'MEDIA_REFUSED',
        problem: { detail: 'This image has more than 40 million pixels. Choose a smaller one.' },
      })
    }
  })

  it('keeps only the pixels of a file that is two formats at once', async () => {
    const who = await app.person()
    const both = Buffer.concat([
      await plain(50, 50).jpeg().toBuffer(),
      Buffer.from('<script>alert(document.cookie)</script>'),
    ])
    const { rawPayload } = await seen(idOf((await upload(who, both)).profileUrl), who)
    expect(rawPayload.toString('latin1')).not.toContain('script')
  })

  it('may have 2 MB, and says so if it has more', async () => {
    const who = await app.person()
    const file = Buffer.concat([await plain(50, 50).jpeg().toBuffer(), Buffer.alloc(2_000_000)])
    expect(await upload(who, file)).toMatchObject({ message: 'Profile updated successfully' })
    await expect(upload(who, Buffer.alloc(2_150_000))).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { image: ['Choose a picture of 2 MB or less'] } },
    })
    await expect(upload(who, Buffer.alloc(3_000_000))).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
    await expect(app.call(setPicture, { body: { image: '%%%' } }, { as: who })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { image: ["This file isn't a picture"] } },
    })
  })
})

it('can change thirty times an hour per person', async () => {
  const who = await app.person()
  const answers = await Promise.all(
    Array.from({ length: 32 }, () => app.send(setPicture, { body: { image: 'aGVsbG8=' } }, { as: who })),
  )
  expect(answers.map((answer) => answer.statusCode).toSorted((a, b) => a - b)).toEqual([
    ...Array.from({ length: 30 }, () => 422),
    429,
    429,
  ])
})

describe('a change of address', () => {
  const ask = (who: TestPerson, email: string, password = TEST_PASSWORD) =>
    app.call(changeEmail, { body: { email, password } }, { as: who })
  const verify = (who: TestPerson, code: string) => app.call(verifyCode, { body: { code } }, { as: who })
  const mailsTo = (email: string) => app.outbox.filter((mail) => mail.to === email)
  const codeTo = (email: string) => /^(\d{6}) is/.exec(mailsTo(email).at(-1)?.subject ?? '')?.[1] ?? 'none'
  let n = 0
  const fresh = () => `fresh${n++}@example.org`
  const resetLinkOf = async (email: string) => {
    await app.call(forgotPassword, { body: { email } }, { remoteAddress: `10.30.0.${n++}` })
    return await until(
      () =>
        /token=([\w-]+)/.exec(mailsTo(email).findLast((mail) => mail.subject.startsWith('Set a new'))?.text ?? '')?.[1],
    )
  }

  it('takes the code sent to the new address, notifies the old one before and after, and ends other sessions and links', async () => {
    const who = await app.person()
    const [phone, email] = [await app.anotherBrowser(who), fresh()]
    const link = await resetLinkOf(who.email)
    expect(await ask(who, email.toUpperCase())).toEqual({ message: 'Verification code sent successfully' })
    expect(await app.call(userDetails, {}, { as: who })).toMatchObject({
      email: who.email,
      pendingEmail: email,
      confirmed: true,
    })
    expect(mailsTo(who.email).at(-1)).toMatchObject({
      subject: 'A new address for your Rookery account',
      text: expect.stringContaining(email),
    })

    expect(await verify(who, codeTo(email))).toEqual({ message: 'Email verified successfully' })
    expect(await app.call(userDetails, {}, { as: who })).toMatchObject({ email, pendingEmail: null, confirmed: true })
    expect(mailsTo(who.email).at(-1)).toMatchObject({ subject: 'The address of your Rookery account was changed' })
    await expect(app.call(userDetails, {}, { as: phone })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await expect(app.call(confirmPassword, { body: { token: link, password: 'Fresh-Horse-3' } })).rejects.toMatchObject(
      { code: 'RESET_LINK_INVALID' },
    )
    await expect(app.call(login, { body: { email: who.email, password: TEST_PASSWORD } })).rejects.toMatchObject({
      code: 'LOGIN_FAILED',
    })
    await app.call(login, { body: { email, password: TEST_PASSWORD } })
  })

  it('requires the password, and a different address', async () => {
    const who = await app.person()
    await expect(ask(who, fresh(), 'Wrong-Horse1')).rejects.toMatchObject({
      code: 'PASSWORD_WRONG',
      problem: { errors: { password: [expect.any(String)] } },
    })
    await expect(ask(who, who.email.toUpperCase())).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { email: ['This is already your email address'] } },
    })
    expect(mailsTo(who.email)).toEqual([])
  })

  it('to a taken address looks the same, and no code works', async () => {
    const [who, owner, email] = [await app.person(), await app.person({ firstName: 'Owen' }), fresh()]
    const other = await app.person()
    const [taken, free] = [
      await app.send(changeEmail, { body: { email: owner.email, password: TEST_PASSWORD } }, { as: who }),
      await app.send(changeEmail, { body: { email, password: TEST_PASSWORD } }, { as: other }),
    ]
    expect(taken.body).toBe(free.body)
    expect(taken.statusCode).toBe(free.statusCode)
    expect(await app.call(userDetails, {}, { as: who })).toMatchObject({ pendingEmail: owner.email })
    expect(mailsTo(owner.email)).toEqual([
      expect.objectContaining({
        subject: 'This address already has a Rookery account',
        text: expect.not.stringMatching(/\b\d{6}\b/),
      }),
    ])
    // attempts run out as they do with a code
    for (const [one, most] of [
      [who, 5],
      [other, 5],
    ] as const) {
      for (let i = 0; i < most; i++)
        await expect(verify(one, codeTo(email) === '000000' ? '000001' : '000000')).rejects.toMatchObject({
          code: 'CODE_MISMATCH',
        })
      await expect(verify(one, '000000')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
    }
    app.clock.advance({ minutes: 15 })
    await expect(verify(who, '000000')).rejects.toMatchObject({ code: 'EXPIRED_CODE' })
    // so do requests
    expect(await app.call(getCode, {}, { as: who })).toEqual({ message: 'Verification code sent successfully' })
    expect(await app.call(getCode, {}, { as: other })).toEqual({ message: 'Verification code sent successfully' })
    expect(mailsTo(owner.email)).toHaveLength(2)
  })

  it('to an address taken in the meantime ends with USER_EXISTS', async () => {
    const [who, email] = [await app.person(), fresh()]
    await ask(who, email)
    const quicker = await app.person({ email })
    await expect(verify(who, codeTo(email))).rejects.toMatchObject({ code: 'USER_EXISTS', status: 409 })
    expect(await app.call(userDetails, {}, { as: who })).toMatchObject({ email: who.email, pendingEmail: null })
    expect(await app.call(userDetails, {}, { as: quicker })).toMatchObject({ email })
  })

  it('takes the address from an unconfirmed account', async () => {
    const [who, email] = [await app.person(), fresh()]
    const squatter = await app.person({ email, confirmed: false })
    await ask(who, email)
    await verify(who, codeTo(email))
    expect(await app.call(userDetails, {}, { as: who })).toMatchObject({ email })
    await expect(app.call(userDetails, {}, { as: squatter })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it("by two people to one address succeeds for the first code, and tells the other that it's taken", async () => {
    const [one, other, email] = [await app.person(), await app.person(), fresh()]
    await ask(one, email)
    const first = codeTo(email)
    await ask(other, email)
    const second = codeTo(email)
    const both = await Promise.allSettled([verify(one, first), verify(other, second)])
    expect(
      both.map((result) => (result.status === 'rejected' ? String(result.reason.code) : 'moved')).toSorted(),
    ).toEqual(['USER_EXISTS', 'moved'])
  })

  it('can be requested once a minute and five times an hour per person', async () => {
    const who = await app.person()
    await ask(who, fresh())
    await expect(ask(who, fresh())).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      problem: {
        detail: 'We just sent a code. You can request a new one in 60 seconds.',
        meta: { retryAfterSeconds: 60 },
      },
    })
    for (let i = 0; i < 4; i++) {
      app.clock.advance({ minutes: 1 })
      await app.call(getCode, {}, { as: who })
    }
    app.clock.advance({ minutes: 1 })
    await expect(app.call(getCode, {}, { as: who })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', status: 429 })
  })

  it('sends an address at most five codes an hour, no matter who asks', async () => {
    const email = fresh()
    for (let i = 0; i < 7; i++)
      expect(await ask(await app.person(), email)).toEqual({ message: 'Verification code sent successfully' })
    expect(mailsTo(email)).toHaveLength(5)
  })

  it("can be canceled: its code is void, and without a change there's nothing to verify", async () => {
    const [who, email] = [await app.person(), fresh()]
    await expect(verify(who, '123456')).rejects.toMatchObject({ code: 'USER_ALREADY_CONFIRMED' })
    await ask(who, email)
    await app.call(cancelEmailChange, {}, { as: who })
    await app.call(cancelEmailChange, {}, { as: who })
    expect(await app.call(userDetails, {}, { as: who })).toMatchObject({ pendingEmail: null })
    await expect(verify(who, codeTo(email))).rejects.toMatchObject({ code: 'USER_ALREADY_CONFIRMED' })
  })

  it("works for that person only: not through the public call, nor in someone else's session", async () => {
    const [who, email, other] = [await app.person(), fresh(), await app.person()]
    await ask(who, email)
    for (const address of [email, who.email])
      await expect(app.call(confirmSignUp, { body: { email: address, code: codeTo(email) } })).rejects.toMatchObject({
        code: 'CODE_MISMATCH',
      })
    await expect(verify(other, codeTo(email))).rejects.toMatchObject({ code: 'USER_ALREADY_CONFIRMED' })
    await verify(who, codeTo(email))
  })

  it('ends when the password is reset by email, because the person who requested it is logged out', async () => {
    const [who, email] = [await app.person(), fresh()]
    await ask(who, email)
    await app.call(confirmPassword, { body: { token: await resetLinkOf(who.email), password: 'Fresh-Horse-3' } })
    const browser = { ...who, cookies: new Map() }
    await app.call(login, { body: { email: who.email, password: 'Fresh-Horse-3' } }, { as: browser })
    expect(await app.call(userDetails, {}, { as: browser })).toMatchObject({ email: who.email, pendingEmail: null })
    await expect(verify(browser, codeTo(email))).rejects.toMatchObject({ code: 'USER_ALREADY_CONFIRMED' })
  })
})

describe('the rest of the profile', () => {
  it('accepts names in any script, by the rules of sign-up', async () => {
    const who = await app.person()
    expect(
      await app.call(updateProfile, { body: { firstName: ' Zoë-Ann ', lastName: 'Ó’Brien' } }, { as: who }),
    ).toEqual({ message: 'Profile updated successfully' })
    expect(await app.call(userDetails, {}, { as: who })).toMatchObject({ firstName: 'Zoë-Ann', lastName: 'Ó’Brien' })
    await expect(
      app.call(updateProfile, { body: { firstName: 'R2', lastName: '' } }, { as: who }),
    ).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: {
        errors: {
          firstName: expect.arrayContaining(['Numbers and special characters are not allowed']),
          lastName: expect.arrayContaining(['Last Name is required']),
        },
      },
    })
    expect(await app.call(userDetails, {}, { as: who })).toMatchObject({ firstName: 'Zoë-Ann' })
  })

  it('checks features of the setup card off once each, and completes it with the last one', async () => {
    const who = await app.person()
    const finish = (feature: SetupFeature) => app.call(finishSetupFeature, { body: { feature } }, { as: who })
    await Promise.all([finish('START_COMPOSING'), finish('EXPLORE_ANALYTICS'), finish('START_COMPOSING')])
    const { setupProgress } = await app.call(userDetails, {}, { as: who })
    expect(setupProgress).toMatchObject({ isCompleted: false })
    expect(setupProgress.features.filter((one) => one.isCompleted).map((one) => one.feature)).toEqual([
      'START_COMPOSING',
      'EXPLORE_ANALYTICS',
    ])
    for (const feature of ['CALENDAR_VIEW', 'ADD_NEW_MEMBER', 'UNIFIED_INBOX'] as const) await finish(feature)
    expect((await app.call(userDetails, {}, { as: who })).setupProgress.isCompleted).toBe(false)
    await finish('EXPLORE_WORKFLOW')
    expect((await app.call(userDetails, {}, { as: who })).setupProgress.isCompleted).toBe(true)
    const unknown = await app.send(finishSetupFeature, { body: { feature: 'yacht' } }, { as: who })
    expect(unknown.json()).toMatchObject({ code: 'BAD_INPUT' })
  })
})
