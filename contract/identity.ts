import { z } from 'zod'
import { Done, Id, Instant } from './common.ts'
import { ACCOUNT, CODE } from './constants.ts'
import { anySession, anyUser, endpoint, everybody } from './endpoint.ts'

const nameCharacters = /^[\p{L}\p{M} '’-]+$/u

/** Marks alone, such as "---", aren't a name. */
const letter = /\p{L}/u

/** A first name by the sign-up rules: letters of any script, spaces, hyphens and apostrophes. */
export const FirstName = z
  .string()
  .trim()
  .min(1, 'First Name is required')
  .regex(nameCharacters, 'Numbers and special characters are not allowed')
  .regex(letter, 'Numbers and special characters are not allowed')
  .min(ACCOUNT.firstName.min, 'Must be of at least 3 characters long')
  .max(ACCOUNT.firstName.max, 'First Name is too long')

export const LastName = z
  .string()
  .trim()
  .min(1, 'Last Name is required')
  .regex(nameCharacters, 'Numbers and special characters are not allowed')
  .regex(letter, 'Numbers and special characters are not allowed')
  .min(ACCOUNT.lastName.min, 'Must be of at least 1 characters long')
  .max(ACCOUNT.lastName.max, 'Last Name is too long')

/**
 * An ASCII address: many mail servers can't deliver to others yet, and an account depends on its emails.
 * Internationalized domains work in their xn-- form.
 */
export const Email = z
  .string('Email is required')
  .trim()
  .toLowerCase()
  .min(1, 'Email is required')
  .max(ACCOUNT.email, 'Email should have less than 64 characters')
  .pipe(z.email('Invalid email'))

/** What the live checklist shows, in order. */
export const passwordChecks = [
  { id: 'length', label: 'At least 8 characters', test: (text: string) => text.length >= ACCOUNT.password.min },
  { id: 'lower', label: 'A lowercase letter', test: (text: string) => /[a-z]/.test(text) },
  { id: 'upper', label: 'An uppercase letter', test: (text: string) => /[A-Z]/.test(text) },
  { id: 'digit', label: 'A number', test: (text: string) => /\d/.test(text) },
  { id: 'symbol', label: 'A symbol: @ $ ! % * ? & -', test: (text: string) => /[@$!%*?&-]/.test(text) },
] as const

export const Password = z
  .string()
  .min(ACCOUNT.password.min, 'Password is too short')
  .max(ACCOUNT.password.max, 'Password is too long')
  .regex(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[@$!%*?&-])[A-Za-z\d@$!%*?&-]+$/, 'Please fulfill the requirements')

/** A password at login: only its length is checked, so that an old rule never locks anyone out. */
export const AnyPassword = z
  .string()
  .min(1, 'Enter your password')
  .min(ACCOUNT.password.min, 'Password is too short')
  .max(ACCOUNT.password.max, 'Password is too long')

export const Code = z
  .string()
  .trim()
  .regex(new RegExp(`^\\d{${CODE.digits}}$`), 'Enter the 6-digit code from the email')
/** The solved human check. */
export const HumanToken = z.string().min(1).max(4096)

export const SignUp = z.object({
  firstName: FirstName.optional(),
  lastName: LastName.optional(),
  email: Email,
  password: Password,
  token: HumanToken,
  inviteId: Id.optional(),
})
/** The sign-up form: what is sent, plus the confirmation, whose mistake is shown at its field. */
export const SignUpForm = z
  .object({
    firstName: FirstName,
    lastName: LastName,
    email: Email,
    password: Password,
    confirmPassword: z.string().min(1, "Password doesn't match"),
  })
  .refine((form) => form.password === form.confirmPassword, {
    path: ['confirmPassword'],
    message: "Password doesn't match",
  })
export const Login = z.object({ email: Email, password: AnyPassword, token: HumanToken.optional() })
export const ResetPasswordForm = z
  .object({ password: Password, confirmPassword: z.string().min(1, "Password doesn't match") })
  .refine((form) => form.password === form.confirmPassword, {
    path: ['confirmPassword'],
    message: "Password doesn't match",
  })

/** What the setup card "Checkout these Features" walks a person through, by the specification's names. */
export const setupFeatures = [
  'START_COMPOSING',
  'CALENDAR_VIEW',
  'UNIFIED_INBOX',
  'EXPLORE_ANALYTICS',
  'ADD_NEW_MEMBER',
  'EXPLORE_WORKFLOW',
] as const
export const SetupFeature = z.enum(setupFeatures)
export type SetupFeature = z.infer<typeof SetupFeature>

export const User = z.object({
  userId: Id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  profileUrl: z.string().nullable(),
  confirmed: z.boolean(),
  /** A new address that waits for its code. */
  pendingEmail: z.string().nullable(),
  /** Admin of at least one organization; `home` says which. */
  isOrgAdmin: z.boolean(),
  setupProgress: z.object({
    isCompleted: z.boolean(),
    features: z.array(z.object({ feature: SetupFeature, isCompleted: z.boolean() })),
  }),
})
export type User = z.infer<typeof User>

/** `{ kind: 'altcha', ... }` with the puzzle as the ALTCHA widget reads it, or `{ kind: 'turnstile', siteKey }`. */
export const humanChallenge = endpoint({
  method: 'GET',
  path: '/api/public/human-check',
  summary: 'Get the human check: a puzzle, or the Turnstile key',
  access: everybody,
  cost: 'light',
  reads: [],
  reply: z.looseObject({ kind: z.enum(['altcha', 'turnstile']) }),
  audit: null,
})

/**
 * The folder on this machine that emails are written to instead of being sent, for the person who runs it; null where a
 * mail server is set, where others can reach the app, and for requests that don't come directly from this machine.
 */
export const mailFolder = endpoint({
  method: 'GET',
  path: '/api/public/mail-folder',
  summary: 'Get the folder that emails are written to, if the app runs on this machine only and no mail server is set',
  access: everybody,
  cost: 'light',
  reads: [],
  reply: z.object({ folder: z.string().nullable() }),
  audit: null,
})

/** Where this installation is reached, such as https://rookery.example: PUBLIC_URL, or this machine. */
export const publicAddress = endpoint({
  method: 'GET',
  path: '/api/public/address',
  summary: 'Get the URL where people reach this installation',
  access: everybody,
  cost: 'light',
  reads: [],
  reply: z.object({ url: z.string() }),
  audit: null,
})

export const signUp = endpoint({
  method: 'POST',
  path: '/api/public/user/signup',
  summary: 'Sign up. Starts a session for a user who still has to confirm their address',
  security: 'account.created',
  access: everybody,
  cost: 'light',
  changes: [],
  body: SignUp,
  reply: Done,
  errors: ['USER_EXISTS', 'HUMAN_CHECK_FAILED', 'RATE_LIMITED', 'INVITE_NOT_FOUND'],
  audit: { none: 'no organization yet' },
})
export const login = endpoint({
  method: 'POST',
  path: '/api/public/user/login',
  summary: 'Log in',
  security: 'login',
  access: everybody,
  cost: 'light',
  changes: [],
  body: Login,
  reply: Done,
  // SECOND_FACTOR_REQUIRED carries `meta.challenge` for the call that takes the second factor
  errors: ['LOGIN_FAILED', 'SECOND_FACTOR_REQUIRED', 'RATE_LIMITED', 'HUMAN_CHECK_REQUIRED', 'HUMAN_CHECK_FAILED'],
  audit: { none: 'no organization chosen' },
})
export const logout = endpoint({
  method: 'POST',
  path: '/api/public/user/logout',
  summary: 'Log out',
  security: 'logout',
  access: everybody,
  cost: 'light',
  changes: [],
  reply: Done,
  audit: { none: 'no organization chosen' },
})
export const confirmSignUp = endpoint({
  method: 'POST',
  path: '/api/public/user/confirm',
  summary: "Confirm an email address with its code. Only that person's own session gets a specific outcome",
  access: everybody,
  cost: 'light',
  changes: [],
  body: z.object({ email: Email, code: Code }),
  reply: Done,
  errors: ['CODE_MISMATCH', 'EXPIRED_CODE', 'LIMIT_EXCEEDED', 'USER_ALREADY_CONFIRMED', 'INVALID_CODE'],
  audit: { none: 'no organization yet' },
})
export const resendCode = endpoint({
  method: 'POST',
  path: '/api/public/user/resend',
  summary: "Resend the code. Without that person's session, the response is always the same",
  access: everybody,
  cost: 'light',
  changes: [],
  body: z.object({ email: Email }),
  reply: Done,
  errors: ['LIMIT_EXCEEDED', 'USER_ALREADY_CONFIRMED'],
  audit: { none: 'no organization yet' },
})
export const forgotPassword = endpoint({
  method: 'POST',
  path: '/api/public/user/forgot-password',
  summary: 'Send a password reset link. The response is always the same',
  access: everybody,
  cost: 'light',
  changes: [],
  body: z.object({ email: Email, token: HumanToken.optional() }),
  reply: Done,
  errors: ['HUMAN_CHECK_REQUIRED', 'HUMAN_CHECK_FAILED', 'RATE_LIMITED'],
  audit: { none: 'no organization chosen' },
})
export const confirmPassword = endpoint({
  method: 'POST',
  path: '/api/public/user/confirm-password',
  summary: 'Set a new password with the emailed link. Ends every session',
  access: everybody,
  cost: 'light',
  changes: [],
  body: z.object({ token: z.string().min(20).max(200), password: Password }),
  reply: Done,
  errors: ['RESET_LINK_INVALID', 'RATE_LIMITED'],
  audit: { none: 'no organization chosen' },
})

export const userDetails = endpoint({
  method: 'GET',
  path: '/api/user/details',
  summary: 'Get the signed-in user',
  access: anySession,
  cost: 'light',
  reads: ['profile'],
  reply: User,
  audit: null,
})
export const updateProfile = endpoint({
  method: 'PUT',
  path: '/api/user',
  summary: 'Update your name',
  access: anyUser,
  cost: 'light',
  changes: ['profile'],
  body: z.object({ firstName: FirstName, lastName: LastName }),
  reply: Done,
  audit: { none: 'belongs to the person, not to an organization' },
})
export const changePassword = endpoint({
  method: 'PUT',
  path: '/api/user/reset-password',
  summary: 'Change your password. Ends your other sessions',
  security: 'password.changed',
  access: anyUser,
  cost: 'light',
  changes: ['session'],
  body: z.object({ oldPassword: AnyPassword, password: Password }),
  reply: Done,
  errors: ['PASSWORD_WRONG', 'RATE_LIMITED'],
  audit: { none: 'belongs to the person, not to an organization' },
})
export const getCode = endpoint({
  method: 'GET',
  path: '/api/user/get-code',
  summary: 'Send yourself a code, to the address you still have to confirm or to your new address',
  access: anySession,
  cost: 'light',
  changes: [],
  reply: Done,
  errors: ['LIMIT_EXCEEDED', 'USER_ALREADY_CONFIRMED'],
  audit: { none: 'belongs to the person, not to an organization' },
})
export const verifyCode = endpoint({
  method: 'POST',
  path: '/api/user/verify',
  summary: 'Confirm your address, or the change to a new one, with its code',
  security: 'email.confirmed',
  access: anySession,
  cost: 'light',
  changes: ['profile', 'session'],
  body: z.object({ code: Code }),
  reply: Done,
  errors: ['CODE_MISMATCH', 'EXPIRED_CODE', 'LIMIT_EXCEEDED', 'USER_ALREADY_CONFIRMED', 'INVALID_CODE', 'USER_EXISTS'],
  audit: { none: 'belongs to the person, not to an organization' },
})

export const Session = z.object({
  sessionId: Id,
  createdAt: Instant,
  lastSeenAt: Instant,
  client: z.string(),
  current: z.boolean(),
})
export const listSessions = endpoint({
  method: 'GET',
  path: '/api/user/sessions',
  summary: 'List your sessions',
  access: anyUser,
  cost: 'light',
  reads: ['session'],
  reply: z.object({ sessions: z.array(Session) }),
  audit: null,
})
export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/user/sessions/:sessionId',
  summary: 'End one of your sessions',
  security: 'session.ended',
  access: anyUser,
  cost: 'light',
  changes: ['session'],
  params: z.object({ sessionId: Id }),
  reply: Done,
  errors: ['NOT_FOUND'],
  audit: { none: 'belongs to the person, not to an organization' },
})
