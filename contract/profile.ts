import { z } from 'zod'
import { Done, Id } from './common.ts'
import { anyUser, endpoint } from './endpoint.ts'
import { AnyPassword, Email, SetupFeature } from './identity.ts'

const OWN = { none: 'belongs to the person, not to an organization' } as const

/** A person's picture in base64, at most 2 MB of file; the browser shrinks larger ones first. */
export const PictureData = z.base64("This file isn't a picture").max(2_800_000, 'Choose a picture of 2 MB or less')

export const setPicture = endpoint({
  method: 'PUT',
  path: '/api/user/picture',
  summary: 'Set your picture. Its type is read from the content, never from the file name',
  access: anyUser,
  cost: 'media',
  changes: ['profile'],
  body: z.object({ image: PictureData }),
  bodyLimit: 3_000_000,
  reply: Done.extend({ profileUrl: z.string() }),
  errors: ['MEDIA_REFUSED', 'RATE_LIMITED'],
  audit: OWN,
})
export const removePicture = endpoint({
  method: 'DELETE',
  path: '/api/user/picture',
  summary: 'Remove your picture',
  access: anyUser,
  cost: 'light',
  changes: ['profile'],
  reply: Done,
  audit: OWN,
})
export const getPicture = endpoint({
  method: 'GET',
  path: '/api/user/picture/:pictureId',
  summary: "Get a person's picture as a 256 by 256 WebP. A new picture gets a new URL",
  access: anyUser,
  cost: 'light',
  reads: ['profile'],
  params: z.object({ pictureId: Id }),
  reply: 'bytes',
  errors: ['NOT_FOUND'],
  audit: null,
})

export const changeEmail = endpoint({
  method: 'PUT',
  path: '/api/user/email',
  summary:
    'Request a new email address. We send it a code and notify the current address. The response is the same if the address is already taken',
  security: 'email.change_requested',
  access: anyUser,
  cost: 'light',
  changes: ['profile'],
  body: z.object({ email: Email, password: AnyPassword }),
  reply: Done,
  errors: ['PASSWORD_WRONG', 'LIMIT_EXCEEDED', 'RATE_LIMITED'],
  audit: OWN,
})
export const cancelEmailChange = endpoint({
  method: 'DELETE',
  path: '/api/user/email',
  summary: 'Cancel a pending change of email address',
  access: anyUser,
  cost: 'light',
  changes: ['profile'],
  reply: Done,
  audit: OWN,
})

export const finishSetupFeature = endpoint({
  method: 'PUT',
  path: '/api/user/setup/feature',
  summary: 'Mark a feature of the setup card as completed',
  access: anyUser,
  cost: 'light',
  changes: ['profile'],
  body: z.object({ feature: SetupFeature }),
  reply: Done,
  audit: OWN,
})
