import { z } from 'zod'

/**
 * Every code of the API, its HTTP status and the sentence that people read if the failure itself has none. A code is
 * part of the contract: never match on its message.
 */
export const errorCatalog = {
  UNAUTHORIZED: { status: 401, detail: 'Please log in to continue.' },
  LOGIN_FAILED: { status: 401, detail: "That email and password don't match an account." },
  SECOND_FACTOR_REQUIRED: { status: 401, detail: 'Enter the code from your authenticator app.' },
  SECOND_FACTOR_NEEDED: {
    status: 403,
    detail: 'This organization requires a second step when you log in. Set one up, or log in with yours.',
  },
  PASSWORD_WRONG: { status: 403, detail: "This isn't your current password." },
  USER_NOT_CONFIRMED: { status: 403, detail: 'Please confirm your email address first.' },
  FORBIDDEN: { status: 403, detail: "Your role doesn't allow this. Ask a project admin." },
  FOREIGN_ORIGIN: { status: 403, detail: 'This request came from another site, so we blocked it.' },
  FOREIGN_HOST: {
    status: 421,
    detail:
      "Rookery doesn't know this name. Set PUBLIC_URL to the address that people use, or add the name to ALLOWED_HOSTS.",
  },
  HUMAN_CHECK_FAILED: { status: 403, detail: "We couldn't verify that you're human. Please try again." },
  HUMAN_CHECK_REQUIRED: { status: 403, detail: 'Please complete the human check.' },
  IDENTIFIERS_ERROR: { status: 404, detail: 'Organization or Project ID is missing' },
  NOT_FOUND: { status: 404, detail: "This doesn't exist, or you don't have access to it." },
  INVITE_NOT_FOUND: { status: 404, detail: "Can't accept invite" },
  INVITE_WRONG_ADDRESS: {
    status: 403,
    detail: 'This invitation was sent to another email address. Log in with that address.',
  },
  INVITE_EXPIRED: { status: 410, detail: 'This invitation has expired. Ask for a new one.' },
  INVITE_REVOKED: {
    status: 410,
    detail:
      'This invitation was revoked or replaced by a newer one. Use the link in the latest email, or ask for a new invitation.',
  },
  ALREADY_MEMBER: { status: 409, detail: 'This person is already in the project.' },
  OWN_ACCESS: { status: 409, detail: "You can't change or remove your own access. Ask another admin." },
  LAST_ADMIN: { status: 409, detail: 'An organization needs at least one admin. Make someone else an admin first.' },
  ORG_ADMIN: {
    status: 409,
    detail: 'Organization admins are Admin in every project. Remove their organization admin rights first.',
  },
  ROLE_EXCEEDS: { status: 403, detail: "This role has permissions that you don't have. Ask an admin." },
  ROLE_IN_USE: { status: 409, detail: 'This role is still assigned to someone. Assign them a different role first.' },
  SYSTEM_ROLE: { status: 409, detail: "The Admin, Editor and User roles can't be changed or deleted." },
  CONNECT_EXPIRED: { status: 410, detail: 'This connection timed out or is already complete. Start again.' },
  BAD_INPUT: { status: 400, detail: 'Some fields are invalid. Check them and try again.' },
  USER_EXISTS: { status: 409, detail: 'An account with this email already exists. Log in instead.' },
  CODE_MISMATCH: { status: 400, detail: "That code isn't right. Check the latest email." },
  EXPIRED_CODE: { status: 400, detail: 'This code has expired. Request a new one.' },
  LIMIT_EXCEEDED: { status: 429, detail: 'Too many attempts. Try again later.' },
  USER_ALREADY_CONFIRMED: { status: 409, detail: 'This email address is already confirmed. Log in.' },
  INVALID_CODE: { status: 400, detail: "We haven't sent a code to this address. Request one." },
  RESET_LINK_INVALID: { status: 400, detail: 'This link has expired or was already used. Request a new one.' },
  RATE_LIMITED: { status: 429, detail: 'Too many attempts. Try again later.' },
  TOO_MANY_REQUESTS: {
    status: 429,
    detail: "You're doing this too often. Nothing was changed. Try again in a moment.",
  },
  PLAN_LIMIT: { status: 402, detail: "Your plan doesn't include this." },
  STALE_VERSION: { status: 409, detail: 'Someone else changed this in the meantime.' },
  POST_LOCKED: {
    status: 409,
    detail: "This post is being published or already finished, so you can't do this anymore.",
  },
  REPLY_REFUSED: { status: 422, detail: "This reply can't be sent." },
  REPLY_LOCKED: { status: 409, detail: "This reply is being sent or already finished, so you can't do this anymore." },
  POST_REFUSED: { status: 422, detail: "This post can't be published yet. Check each channel for errors." },
  TIME_PASSED: { status: 422, detail: 'This time has passed. Choose a later one.' },
  SCHEDULE_CAP: { status: 422, detail: "You've reached the limit of scheduled posts for some channels." },
  IDEMPOTENCY_MISMATCH: { status: 422, detail: 'This Idempotency-Key was already used for a different request.' },
  APP_NOT_TAKEN: { status: 422, detail: "This platform doesn't need an app." },
  BOOST_REFUSED: { status: 422, detail: "This post can't be promoted." },
  BOOST_RUNNING: { status: 409, detail: 'This post is already being promoted. Stop that promotion first.' },
  CHANNEL_REFUSED: { status: 422, detail: 'The platform rejected the connection.' },
  CHANNEL_UNREACHABLE: { status: 502, detail: "We couldn't reach the platform. Try again in a moment." },
  CHANNEL_DELETING: { status: 409, detail: 'This channel is being deleted. It may take a minute or two.' },
  CHANNEL_TAKEN: { status: 409, detail: 'This account is already connected to the project.' },
  COMPETITOR_THERE: { status: 409, detail: 'This account is already among the competitors.' },
  COMPETITOR_MISSING: { status: 422, detail: "We couldn't find this account." },
  COMPETITORS_FULL: { status: 409, detail: 'A project can have 20 competitors. Remove one first.' },
  GOALS_FULL: { status: 409, detail: 'A project can have 50 goals. Delete one first.' },
  REPORTS_FULL: { status: 409, detail: 'A project can have 200 reports. Delete one first.' },
  PAGE_BLOCKED: {
    status: 409,
    detail: 'The operator of this installation stopped this page. Ask them before you change its address or delete it.',
  },
  MEDIA_REFUSED: { status: 422, detail: "This file can't be used." },
  UPLOAD_FAILED: { status: 507, detail: 'Error uploading file' },
  ADDRESS_REFUSED: { status: 422, detail: "We can't open this link." },
  ADDRESS_UNREADABLE: { status: 422, detail: "We couldn't get a file from this link." },
  NAME_TAKEN: { status: 409, detail: 'This name is already taken.' },
  AI_NOT_ALLOWED: { status: 409, detail: "This platform's terms don't let AI read what its members write." },
  AI_NOT_SET_UP: { status: 409, detail: "AI isn't set up here." },
  NO_POSTS_FOUND: { status: 404, detail: 'There are no posts to read yet.' },
  AI_PROMPT_GENERATION_ERROR: { status: 502, detail: "We couldn't generate the text." },
  PAYMENT_REFUSED: { status: 409, detail: "Payments aren't set up here." },
  PAYMENT_DECLINED: { status: 402, detail: 'The card was declined. Try another card.' },
  PLAN_ACTION_REFUSED: { status: 409, detail: "This isn't available on your current plan." },
  SIGNATURE_REFUSED: { status: 401, detail: 'The signature of this message is invalid.' },
  UNAVAILABLE: { status: 503, detail: 'Rookery is starting, or its database is unavailable. Try again in a moment.' },
  PAYLOAD_TOO_LARGE: { status: 413, detail: 'This is too large to send.' },
  INTERNAL: { status: 500, detail: 'Something went wrong. Please Try again later.' },
} as const satisfies Record<string, { status: number; detail: string }>

export type ErrorCode = keyof typeof errorCatalog

export const errorCodes = Object.keys(errorCatalog) as [ErrorCode, ...ErrorCode[]] // keys of a const object are its literal union

/** RFC 9457 problem details, as every failed call answers (`application/problem+json`). */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  /** The message for people. */
  detail: z.string(),
  code: z.enum(errorCodes),
  /** Messages by field path, such as `email` or `channels.0.contents.0.text`. */
  errors: z.record(z.string(), z.array(z.string())).optional(),
  /** Facts that the code promises, such as the plan gate or the fields that differ. */
  meta: z.record(z.string(), z.unknown()).optional(),
  requestId: z.string(),
})
export type Problem = z.infer<typeof Problem>
