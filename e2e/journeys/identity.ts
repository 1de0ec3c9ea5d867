import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import { fillSignup, PASSWORD } from '../people.ts'
import { codeIn } from '../product.ts'
import { refuseOnce } from '../replies.ts'

test('identity: log out, and in again where the login was asked for, with the human check if it is wanted', async ({
  newPerson,
  openPage,
}) => {
  const person = await newPerson({ opens: 'dashboard' })
  const { page } = person
  await page.getByRole('button', { name: /profile, theme, log out/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL('**/login')
  // nothing of the session is left
  await page.goto(person.at('profile'))
  await page.waitForURL((url) => url.pathname === '/login' && url.searchParams.get('redirect') === person.at('profile'))

  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill('Not-the-password-1')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByRole('alert').getByText("That email and password don't match an account.").waitFor()
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByText('Login Successful').waitFor()
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()

  // an installation that is reached by https, opened by http: browsers would drop the session
  const insecure = await openPage()
  await insecure.route('**/api/public/address', (route) => route.fulfill({ json: { url: 'https://rookery.example' } }))
  await insecure.goto('/login?redirect=%2Fprofile')
  await insecure.getByText("You can't log in at this address").waitFor()
  const href = await insecure.getByRole('link', { name: 'https://rookery.example' }).getAttribute('href')
  if (href !== 'https://rookery.example/login?redirect=%2Fprofile') throw new Error(String(href))
  await axe(insecure)
  await shot(insecure, 'login-plain-http')

  // a redirect to elsewhere isn't followed
  const other = await openPage()
  await other.goto('/login')
  await other.getByLabel('Email').waitFor()
  if (await other.getByText("You can't log in at this address").isVisible()) throw new Error('a notice for nothing')
  await other.goto('/login?reason=INVITE_NOT_FOUND&redirect=https://example.com/steal')
  await other.getByText("Can't accept invite").waitFor()
  await refuseOnce(other, '**/api/public/user/login', 'HUMAN_CHECK_REQUIRED')
  // by keyboard alone
  await other.getByLabel('Email').focus()
  await other.keyboard.type(person.email)
  await other.keyboard.press('Tab')
  await other.keyboard.press('Tab')
  await other.keyboard.type(person.password)
  await other.keyboard.press('Enter')
  await other.getByText('Please complete the human check.').waitFor()
  await other.getByRole('checkbox', { name: "I'm not a robot" }).waitFor()
  await axe(other)
  await other.getByLabel('Password', { exact: true }).press('Enter')
  await other.waitForURL('**/dashboard')
})

test('identity: the sign-up form says what is wrong, and what the server refused', async ({ openPage, mailTo }) => {
  const page = await openPage()
  await page.goto('/signup?email=New.Person@Example.org')
  await page.getByRole('button', { name: 'Signup' }).waitFor()
  await page.getByRole('checkbox', { name: "I'm not a robot" }).waitFor()
  await axe(page)
  await page.getByRole('button', { name: 'Signup' }).click()
  for (const message of ['First Name is required', 'Last Name is required', 'Password is too short'])
    await page.getByText(message).waitFor()
  await page.getByLabel('First name').fill('A1')
  await page.getByText('Numbers and special characters are not allowed').waitFor()
  await page.getByLabel('First name').fill('Al')
  await page.getByText('Must be of at least 3 characters long').waitFor()
  await page.getByLabel('Password', { exact: true }).fill('abcdefgh')
  const list = page.getByRole('list', { name: 'Password requirements' })
  await list.getByText('At least 8 characters, met', { exact: false }).waitFor()
  await page.getByLabel('Confirm password').fill('abcdefghi')
  await page.getByRole('button', { name: 'Signup' }).click()
  await page.getByText('Please fulfill the requirements').waitFor()
  await axe(page)
  await shot(page, 'signup')

  // a refused value has its error at the field, and the human check starts again
  await fillSignup(page, { firstName: 'Ada', lastName: 'Lovelace', email: 'refused@example.org' })
  await refuseOnce(page, '**/api/public/user/signup', 'BAD_INPUT', {
    errors: { email: ['Invalid email'], token: ['Too small'] },
  })
  await page.getByRole('button', { name: 'Signup' }).click()
  await page.getByText('Invalid email').waitFor()
  await page.getByRole('alert').getByText('Too small').waitFor()
  await refuseOnce(page, '**/api/public/user/signup', 'HUMAN_CHECK_FAILED')
  await page.getByLabel('Email').fill('accepted@example.org')
  await page.getByRole('button', { name: 'Signup' }).click()
  await page.getByRole('alert').getByText("We couldn't verify that you're human. Please try again.").waitFor()
  await page.getByRole('button', { name: 'Signup' }).click()
  await page.waitForURL('**/signup/verify')
  await mailTo('accepted@example.org', (text) => codeIn(text) !== undefined)
})

test('identity: a human check that never answers says so and sends nothing, and works at the next try', async ({
  openPage,
}) => {
  const page = await openPage()
  await page.clock.install()
  const sent: string[] = []
  page.on('request', (request) => request.url().endsWith('/api/public/user/signup') && sent.push(request.url()))
  // the check's own requests aren't answered
  await page.route('**/api/public/human-check', () => undefined)
  await page.goto('/signup')
  await fillSignup(page, { firstName: 'Ada', lastName: 'Lovelace', email: 'silent@example.org' })
  const button = page.getByRole('button', { name: 'Signup' })
  await button.click()
  await page.locator('button[aria-busy=true]', { hasText: 'Signup' }).waitFor()
  await page.clock.fastForward(6_000)
  await page
    .getByRole('status')
    .getByText('The human check is taking longer than usual. It continues automatically.')
    .waitFor()
  await axe(page)
  await shot(page, 'signup-human-check-slow')
  await page.unroute('**/api/public/human-check')
  await page.clock.fastForward(60_000)
  // announced to screen readers
  await page.getByRole('status').getByText("The human check failed, so we couldn't submit the form.").waitFor()
  await axe(page)
  await shot(page, 'signup-human-check-failed')
  if (sent.length > 0) throw new Error('the form was submitted')
  await button.click()
  await page.waitForURL('**/signup/verify')
})

test('identity: each outcome of a code has its own words and way on', async ({ newPerson, mailTo, mailsTo }) => {
  const { page, email } = await newPerson({ upTo: 'signed up' })
  const first = codeIn(await mailTo(email, (text) => codeIn(text) !== undefined)) ?? ''
  const wrong = first === '111111' ? '222222' : '111111'
  await page.getByLabel('Verification code').fill(wrong)
  await page.getByText("That code isn't right. Check the latest email.").waitFor()
  // a seventh digit doesn't use another attempt on the same code
  const again: string[] = []
  page.on('request', (request) => request.url().endsWith('/api/public/user/confirm') && again.push(request.url()))
  await page.getByLabel('Verification code').press('End')
  await page.keyboard.type('7')
  if (again.length > 0) throw new Error('the same code was sent again')
  await axe(page)
  await shot(page, 'verify')
  // at most one new code a minute, with a countdown
  await page.getByRole('button', { name: 'Resend email' }).click()
  await page.getByRole('alert').getByText('Limit exceeded').waitFor()
  await page.getByRole('button', { name: /^Request a new code in 0:\d\d$/ }).waitFor()
  await axe(page)
  await shot(page, 'verify-limit')
  if ((await mailsTo(email)).length !== 1) throw new Error('a second email was sent within the minute')

  await page.setViewportSize(PHONE)
  await page.reload()
  const field = page.getByLabel('Verification code')
  const confirm = '**/api/public/user/confirm'
  await refuseOnce(page, confirm, 'EXPIRED_CODE')
  await field.fill('123456')
  await page.getByRole('alert').getByText('Code expired').waitFor()
  await page.getByText('This code has expired. Request a new one.').waitFor()
  await axe(page)
  await shot(page, 'verify-expired-phone')
  await refuseOnce(page, '**/api/user/get-code', 'LIMIT_EXCEEDED', { meta: { retryAfterSeconds: 2 } })
  await page.getByRole('button', { name: 'Request a new code' }).click()
  await page.getByText('Limit exceeded').waitFor()
  await page.getByRole('button', { name: /^Request a new code in 0:0[12]$/ }).waitFor()
  // after the wait, a new one can be requested
  await page.getByRole('button', { name: 'Request a new code', exact: true }).waitFor()
  await page.route('**/api/user/get-code', (route) => route.fulfill({ json: {} }), { times: 1 })
  await page.getByRole('button', { name: 'Request a new code', exact: true }).click()
  await page.getByText('Verification code sent successfully').waitFor()
  await refuseOnce(page, confirm, 'INVALID_CODE')
  await field.fill('123456')
  await page.getByRole('alert').getByText("We haven't sent a code to this address. Request one.").waitFor()
  await refuseOnce(page, confirm, 'USER_ALREADY_CONFIRMED')
  await field.fill('654321')
  await page.getByRole('status').getByText('Email already confirmed').waitFor()
  await axe(page)
  await shot(page, 'verify-confirmed-phone')
  await page.getByRole('button', { name: 'Continue' }).waitFor()

  // a wrong address: a new sign-up takes its place
  await page.getByRole('link', { name: 'Sign up again' }).click()
  await page.getByRole('heading', { name: 'Create your account' }).waitFor()
  await page.goto('/signup/verify')
  // pasted with the surrounding text, and a space as in the email
  await field.fill(`Your code: ${first.slice(0, 3)} ${first.slice(3)}.`)
  await page.getByText('Email verified successfully').waitFor()
  await page.getByRole('heading', { name: 'Add Organization' }).waitFor()
  await page.goto('/signup/verify')
  await page.getByRole('heading', { name: 'Add Organization' }).waitFor()
})

test('identity: a code entered in another browser asks for a new password', async ({
  newPerson,
  openPage,
  mailTo,
  mailsTo,
}) => {
  const { email } = await newPerson({ upTo: 'signed up' })
  const code = codeIn(await mailTo(email, (text) => codeIn(text) !== undefined)) ?? ''
  const page = await openPage()
  // an unknown address gets the same responses
  for (const address of ['nobody-here@example.org', email]) {
    await page.goto(`/signup/verify?email=${encodeURIComponent(address)}`)
    await page.getByLabel('Verification code').fill(code === '111111' ? '222222' : '111111')
    await page.getByText("That code isn't right. Check the latest email.").waitFor()
    await page.getByRole('button', { name: 'Resend email' }).click()
    await page.getByText('Email has been resent successfully').waitFor()
  }
  if ((await mailsTo(email)).length !== 1) throw new Error('a second email was sent within the minute')
  await page.getByLabel('Verification code').fill(code)
  await page.getByText('Email verified. We emailed you a link to set your password.').waitFor()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await mailTo(email, (text) => linkIn(text) !== undefined)
})

test('identity: an address that has an account, and a forgotten password', async ({ newPerson, openPage, mailTo }) => {
  const { email } = await newPerson()
  const page = await openPage()
  await page.goto('/signup')
  await fillSignup(page, { firstName: 'Eve', lastName: 'Else', email })
  await page.getByRole('button', { name: 'Signup' }).click()
  await page.getByRole('alert').getByText('An account with this email already exists. Log in instead.').waitFor()
  await page.getByRole('alert').getByRole('link', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()

  await page.getByLabel('Email').fill(email)
  await axe(page)
  await shot(page, 'login')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByRole('heading', { name: 'Forgot password' }).waitFor()
  if ((await page.getByLabel('Email').inputValue()) !== email) throw new Error('the address was not taken along')
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await page.getByText('A password reset link has been sent to your email').waitFor()
  await axe(page)
  const link = linkIn(await mailTo(email, (text) => linkIn(text) !== undefined))
  await page.goto(link ?? '')
  await page.getByLabel('New password', { exact: true }).fill('Another-rook-2')
  await page.getByLabel('Confirm new password').fill('Another-rook-3')
  await page.getByRole('button', { name: 'Set new password' }).click()
  await page.getByText("Password doesn't match").waitFor()
  await axe(page)
  await page.getByLabel('Confirm new password').fill('Another-rook-2')
  await page.getByRole('button', { name: 'Set new password' }).click()
  await page.getByText('Your password has been reset successfully').waitFor()
  await page.waitForURL('**/login')
  // the old password is invalid, the link is used up
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByRole('alert').getByText("That email and password don't match an account.").waitFor()
  await page.goto(link ?? '')
  await page.getByLabel('New password', { exact: true }).fill('Another-rook-4')
  await page.getByLabel('Confirm new password').fill('Another-rook-4')
  await page.getByRole('button', { name: 'Set new password' }).click()
  await page.getByRole('alert').getByText('This link has expired or was already used. Request a new one.').waitFor()
})

test('identity: the human check may be Turnstile, whose script comes only then', async ({ openPage }) => {
  const plain = await openPage()
  const asked: string[] = []
  plain.on('request', (request) => asked.push(request.url()))
  await plain.goto('/signup')
  await plain.getByRole('checkbox', { name: "I'm not a robot" }).waitFor()
  if (asked.some((url) => url.includes('cloudflare'))) throw new Error('Cloudflare was asked for')

  // the server adds its origin to the content security policy when it is set up
  const page = await openPage({ bypassCSP: true })
  await page.route('**/api/public/human-check', (route) =>
    route.fulfill({ json: { kind: 'turnstile', siteKey: 'site-key' } }),
  )
  await page.route('https://challenges.cloudflare.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: turnstileStub }),
  )
  await page.goto('/signup')
  await page.getByText('Turnstile site-key').waitFor()
  await axe(page)
  await fillSignup(page, { firstName: 'Ada', lastName: 'Lovelace', email: 'turnstile@example.org' })
  // the widget waits for the person: nothing is sent
  await page.evaluate(() => document.dispatchEvent(new Event('turnstile-asks')))
  await page.getByRole('button', { name: 'Signup' }).click()
  await page.getByRole('status').getByText("The human check failed, so we couldn't submit the form.").waitFor()
  await page.evaluate(() => document.dispatchEvent(new Event('turnstile-solved')))
  const sent = page.waitForRequest('**/api/public/user/signup')
  await refuseOnce(page, '**/api/public/user/signup', 'HUMAN_CHECK_FAILED')
  await page.getByRole('button', { name: 'Signup' }).click()
  // the page sent this
  const { token } = (await sent).postDataJSON() as { token: string }
  if (token !== 'token-1') throw new Error(`sent ${token}`)
  await page.getByRole('alert').getByText("We couldn't verify that you're human. Please try again.").waitFor()
  // a solution can be used once: the widget was asked for another
  await page.evaluate(() => document.dispatchEvent(new Event('turnstile-solved')))
  const again = page.waitForRequest('**/api/public/user/signup')
  await page.getByRole('button', { name: 'Signup' }).click()
  const second = (await again).postDataJSON() as { token: string } // as above
  if (second.token !== 'token-2') throw new Error(`sent ${second.token}`)
})

test('identity: terms, privacy, prices and error pages', async ({ openPage }) => {
  const page = await openPage()
  for (const [path, title, name] of [
    ['/legal/terms-and-conditions', 'Terms and conditions', 'terms'],
    ['/legal/privacy-policy', 'Privacy policy', 'privacy'],
  ] as const) {
    await page.goto(path)
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    await axe(page)
    await shot(page, name, { fullPage: true })
    await page.setViewportSize(PHONE)
    await shot(page, `${name}-phone`, { fullPage: true })
    await page.setViewportSize(DESKTOP)
  }
  await page.getByRole('link', { name: 'Cookies' }).click()
  await page.waitForURL('**/legal/privacy-policy#cookies')
  await page.emulateMedia({ media: 'print' })
  if (await page.getByRole('navigation', { name: 'Contents' }).isVisible()) throw new Error('the contents are printed')
  await page.emulateMedia({ media: 'screen' })

  await page.goto('/pricing')
  await page.getByRole('heading', { name: 'Pricing', level: 1 }).waitFor()
  await page.getByText('$49.00').waitFor()
  await page.getByText('Test payments').waitFor()
  await axe(page)
  await shot(page, 'pricing')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'pricing-phone', { fullPage: true })
  await page.setViewportSize(DESKTOP)

  await page.goto('/nowhere/at/all')
  await page.getByRole('heading', { name: 'Page Not Found' }).waitFor()
  await page
    .getByText(
      'The page you are looking for might have been removed, had its name changed or is temporarily unavailable.',
    )
    .waitFor()
  await axe(page)
  await shot(page, 'not-found')
  await page.goto('/access-denied')
  await page.getByRole('heading', { name: 'Access denied' }).waitFor()
  await axe(page)
  await page.getByRole('link', { name: 'Go to Homepage' }).click()
  await page.waitForURL('**/login?**')
})

/** As much of Cloudflare's script as the page uses; events from the test control its widget. */
const turnstileStub = `
  let count = 0
  window.turnstile = {
    render(place, options) {
      place.textContent = 'Turnstile ' + options.sitekey
      document.addEventListener('turnstile-asks', () => options['before-interactive-callback']())
      document.addEventListener('turnstile-solved', () => options.callback('token-' + (count += 1)))
      return 'widget'
    },
    reset() {},
    remove() {},
  }
`

/** The reset link in an email, whose lines may be wrapped (quoted-printable). */
function linkIn(mail: string): string | undefined {
  const text = mail.replace(/=\n/g, '').replace(/=3D/g, '=')
  return /http:\/\/[^\s"<]*\/reset-password\?token=[\w-]+/.exec(text)?.[0]
}
