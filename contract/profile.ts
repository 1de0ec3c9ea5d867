import { z } from 'zod'
import { Done, Id } from './common.ts'
import { anyUser, endpoint } from './endpoint.ts'
import { AnyPassword, Email, SetupFeature } from './identity.ts'

const OWN = { none: 'belongs to the person, not to an organization' } as const

/** A picture of a person as it travels: base64, at most 2 MB of file; the browser shrinks larger ones first. */
export const PictureData = z.base64('This is not a picture').max(2_800_000, 'The picture may have at most 2 MB')

export const setPicture = endpoint({
  method: 'PUT',
  path: '/api/user/picture',
  summary: 'Set the own picture; what it is is read from its content, never from a name',
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
  summary: 'Remove the own picture',
  access: anyUser,
  cost: 'light',
  changes: ['profile'],
  reply: Done,
  audit: OWN,
})
export const getPicture = endpoint({
  method: 'GET',
  path: '/api/user/picture/:pictureId',
  summary: 'The picture of a person: WebP of 256 by 256; a new picture has a new address',
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
    'Ask for another address: a code goes to it, and the old one is told. The answer is the same for an address that is taken',
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
  summary: 'Give up a change of address that waits for its code',
  access: anyUser,
  cost: 'light',
  changes: ['profile'],
  reply: Done,
  audit: OWN,
})

export const finishSetupFeature = endpoint({
  method: 'PUT',
  path: '/api/user/setup/feature',
  summary: 'Tick one feature of the setup card off',
  access: anyUser,
  cost: 'light',
  changes: ['profile'],
  body: z.object({ feature: SetupFeature }),
  reply: Done,
  audit: OWN,
})
