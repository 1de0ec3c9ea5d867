import { axe, PHONE, shot } from '../browser.ts'
import { journey } from '../harness.ts'
import { fillSignup, PASSWORD } from '../people.ts'
import { codeIn } from '../product.ts'
import { refuseOnce } from '../replies.ts'

export const journeys = [
  journey('identity: sign up, confirm, set up, log out, log in', async ({ newPerson, openPage }) => {
    const person = await newPerson()
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
    await page.getByRole('alert').getByText('That email and password do not match an account.').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByText('Login Successful').waitFor()
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()

    // a redirect to elsewhere is not followed
    const other = await openPage()
    await other.goto('/login?redirect=https://example.com/steal')
    await other.getByLabel('Email').fill(person.email)
    await other.getByLabel('Password', { exact: true }).fill(person.password)
    await other.getByRole('button', { name: 'Log in', exact: true }).click()
    await other.waitForURL('**/dashboard')
  }),

  journey('identity: the sign-up form says what is wrong', async ({ openPage }) => {
    const page = await openPage()
    await page.goto('/signup?email=New.Person@Example.org')
    await page.getByRole('button', { name: 'Signup' }).waitFor()
    await page.getByRole('checkbox', { name: "I'm not a robot" }).waitFor()
    await axe(page)
    await page.getByRole('button', { name: 'Signup' }).click()
    for (const message of ['First Name is required', 'Last Name is required', 'Password is too short']) await page.getByText(message).waitFor()
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
    await page.setViewportSize(PHONE)
    await shot(page, 'signup-phone', { fullPage: true })
  }),

  journey('identity: what the server refuses stands at its field, and the check starts anew', async ({ openPage, mailTo }) => {
    const page = await openPage()
    await page.goto('/signup')
    await fillSignup(page, { firstName: 'Ada', lastName: 'Lovelace', email: 'refused@example.org' })
    await refuseOnce(page, '**/api/public/user/signup', 'BAD_INPUT', { errors: { email: ['Invalid email'], token: ['Too small'] } })
    await page.getByRole('button', { name: 'Signup' }).click()
    await page.getByText('Invalid email').waitFor()
    await page.getByRole('alert').getByText('Too small').waitFor()
    await refuseOnce(page, '**/api/public/user/signup', 'HUMAN_CHECK_FAILED')
    await page.getByLabel('Email').fill('accepted@example.org')
    await page.getByRole('button', { name: 'Signup' }).click()
    await page.getByRole('alert').getByText('The human check did not succeed. Please try again.').waitFor()
    await page.getByRole('button', { name: 'Signup' }).click()
    await page.waitForURL('**/signup/verify')
    await mailTo('accepted@example.org', (text) => codeIn(text) !== undefined)
  }),

  journey('identity: login asks for the human check when the server does', async ({ newPerson, openPage }) => {
    const { email, password } = await newPerson()
    const page = await openPage()
    await page.goto('/login?reason=INVITE_NOT_FOUND&redirect=/invite?inviteId=1')
    await page.getByText("Can't accept invite").waitFor()
    await refuseOnce(page, '**/api/public/user/login', 'HUMAN_CHECK_REQUIRED')
    // by keyboard alone
    await page.getByLabel('Email').focus()
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.getByText('Please complete the human check.').waitFor()
    await page.getByRole('checkbox', { name: "I'm not a robot" }).waitFor()
    await axe(page)
    await page.getByLabel('Password', { exact: true }).press('Enter')
    // a redirect to the invite that was not found is not followed
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  }),

  journey('identity: a failed human check sends nothing', async ({ openPage }) => {
    const page = await openPage()
    const sent: string[] = []
    page.on('request', (request) => request.url().endsWith('/api/public/user/signup') && sent.push(request.url()))
    const logged: string[] = []
    page.on('console', (message) => message.type() === 'error' && logged.push(message.text()))
    await page.route('**/api/public/human-check', (route) => route.abort())
    await page.goto('/signup')
    await page.getByRole('checkbox', { name: "I'm not a robot" }).waitFor()
    await fillSignup(page, { firstName: 'Ada', lastName: 'Lovelace', email: 'nobody@example.org' })
    const failure = page.waitForEvent('console', (message) => message.text().includes('The human check did not succeed'))
    await page.getByRole('button', { name: 'Signup' }).click()
    await failure
    if (sent.length > 0) throw new Error('the form was submitted')
    if (new URL(page.url()).pathname !== '/signup') throw new Error('the page was left')
  }),

  journey('identity: codes that are wrong, old or new', async ({ newPerson, mailTo, mailsTo }) => {
    const { page, email } = await newPerson({ upTo: 'signed up' })
    const first = codeIn(await mailTo(email, (text) => codeIn(text) !== undefined)) ?? ''
    const wrong = first === '111111' ? '222222' : '111111'
    await page.getByLabel('Verification code').fill(wrong)
    await page.getByText('This code is not right. Check the newest mail.').waitFor()
    await axe(page)
    await shot(page, 'verify')
    // at most one new code a minute
    await page.getByRole('button', { name: 'Resend email' }).click()
    await page.getByRole('alert').getByText(/A code was sent a moment ago/).waitFor()
    if ((await mailsTo(email)).length !== 1) throw new Error('a second mail went out within the minute')
    // typed as it stands in a mail, with a space
    await page.getByLabel('Verification code').fill(`${first.slice(0, 3)} ${first.slice(3)}`)
    await page.getByText('Email verified successfully').waitFor()
    await page.getByRole('heading', { name: 'Add Organization' }).waitFor()
    await page.goto('/signup/verify')
    await page.getByRole('heading', { name: 'Add Organization' }).waitFor()
  }),

  journey('identity: a code entered in another browser asks for a new password', async ({ newPerson, openPage, mailTo, mailsTo }) => {
    const { email } = await newPerson({ upTo: 'signed up' })
    const code = codeIn(await mailTo(email, (text) => codeIn(text) !== undefined)) ?? ''
    const page = await openPage()
    // an address that nobody has gets the same answers
    for (const address of ['nobody-here@example.org', email]) {
      await page.goto(`/signup/verify?email=${encodeURIComponent(address)}`)
      await page.getByLabel('Verification code').fill(code === '111111' ? '222222' : '111111')
      await page.getByText('This code is not right. Check the newest mail.').waitFor()
      await page.getByRole('button', { name: 'Resend email' }).click()
      await page.getByText('Email has been resent successfully').waitFor()
    }
    if ((await mailsTo(email)).length !== 1) throw new Error('a second mail went out within the minute')
    await page.getByLabel('Verification code').fill(code)
    await page.getByText('Email verified. We mailed you a link to set your password.').waitFor()
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    await page.goto(linkIn(await mailTo(email, (text) => linkIn(text) !== undefined)) ?? '')
    await page.getByLabel('New password', { exact: true }).fill('Another-rook-2')
    await page.getByLabel('Confirm new password').fill('Another-rook-2')
    await page.getByRole('button', { name: 'Set new password' }).click()
    await page.waitForURL('**/login')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('Another-rook-2')
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('heading', { name: 'Add Organization' }).waitFor()
  }),

  journey('identity: an address that has an account, and a forgotten password', async ({ newPerson, openPage, mailTo }) => {
    const { email } = await newPerson({ upTo: 'confirmed' })
    const page = await openPage()
    await page.goto('/signup')
    await fillSignup(page, { firstName: 'Eve', lastName: 'Else', email })
    await page.getByRole('button', { name: 'Signup' }).click()
    await page.getByRole('alert').getByText('An account with this email exists. Log in instead.').waitFor()
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
    // the old password is void, the link is used up
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByRole('alert').getByText('That email and password do not match an account.').waitFor()
    await page.goto(link ?? '')
    await page.getByLabel('New password', { exact: true }).fill('Another-rook-4')
    await page.getByLabel('Confirm new password').fill('Another-rook-4')
    await page.getByRole('button', { name: 'Set new password' }).click()
    await page.getByRole('alert').getByText('This link has expired or was used. Request a new one.').waitFor()
  }),

  journey('identity: the wizard resumes, for an individual', async ({ newPerson }) => {
    const { page } = await newPerson({ upTo: 'confirmed', firstName: 'Anne-Marie', lastName: "d'Arc", page: { viewport: PHONE } })
    await axe(page)
    await shot(page, 'onboarding-organization-phone')
    await page.getByRole('button', { name: 'Individual' }).click()
    if ((await page.getByLabel('Name', { exact: true }).inputValue()) !== 'Anne-Marie dArc') throw new Error('the name was not filled in')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Create Project' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Create Project' }).waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Project Name is Required').waitFor()
    await axe(page)
    await page.getByLabel('Project name').fill('No/slashes')
    await page.getByText('Invalid Project name').waitFor()
    await page.getByLabel('Project name').fill('Diary')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Add Channels' }).waitFor()
    await page.goto('/')
    await page.getByRole('heading', { name: 'Add Channels' }).waitFor()
    await axe(page)
    await shot(page, 'onboarding-channels-phone', { fullPage: true })
    await page.getByRole('button', { name: 'Skip for now' }).click()
    await page.getByRole('heading', { name: 'Add Users' }).waitFor()
    await page.getByRole('button', { name: 'Skip', exact: true }).click()
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
    // done: the switch leads on from now on
    await page.goto('/onboarding')
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  }),

  journey('identity: the profile changes names and password and ends sessions', async ({ newPerson, openPage }) => {
    const person = await newPerson()
    const { page } = person
    const second = await openPage()
    await second.goto('/login')
    await second.getByLabel('Email').fill(person.email)
    await second.getByLabel('Password', { exact: true }).fill(person.password)
    await second.getByRole('button', { name: 'Log in', exact: true }).click()
    await second.waitForURL('**/dashboard')

    await page.goto(person.at('profile'))
    await page.getByLabel('Last name').fill('King')
    await page.getByRole('button', { name: 'Update profile' }).click()
    await page.getByText('Profile updated successfully').waitFor()
    await page.getByRole('button', { name: /^Ada King/ }).waitFor()
    await axe(page)
    await shot(page, 'profile', { fullPage: true })
    await page.getByRole('button', { name: /^End session/ }).click()
    await page.getByText('Session ended').waitFor()
    await second.reload()
    await second.waitForURL('**/login?**')

    await page.getByLabel('Current password').fill('Not-the-password-1')
    await page.getByLabel('New password', { exact: true }).fill('Another-rook-2')
    await page.getByLabel('Confirm new password').fill('Another-rook-2')
    await page.getByRole('button', { name: 'Update password' }).click()
    await page.getByText('This is not your current password.').waitFor()
    await page.getByLabel('Current password').fill(person.password)
    await page.getByRole('button', { name: 'Update password' }).click()
    await page.getByText('Password updated successfully').waitFor()
    await page.getByRole('button', { name: 'Dark' }).click()
    await page.reload()
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
    if ((await page.locator('html').getAttribute('data-theme')) !== 'dark') throw new Error('the theme was forgotten')
  }),
]

/** The reset link of a mail, whose lines may be folded (quoted-printable). */
function linkIn(mail: string): string | undefined {
  const text = mail.replace(/=\n/g, '').replace(/=3D/g, '=')
  return /http:\/\/[^\s"<]*\/reset-password\?token=[\w-]+/.exec(text)?.[0]
}
