import * as contract from '#contract/profile.ts'
import { asSystem } from '../db/system.ts'
import { handle, handleBytes, handleDetached, type Route } from '../http/route.ts'
import type { Dependencies } from '../dependencies.ts'
import type { CodeKey } from './codes.ts'
import { cancelEmailChange, requestEmailChange } from './emailChange.ts'
import { finishSetupFeature } from '../people/person.ts'
import { readPicture, removePicture, setPicture } from './picture.ts'

/** A picture never changes under its URL and is only for the caller. Its type is declared, never guessed. */
const PICTURE_HEADERS = {
  'cache-control': 'private, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': 'inline',
}

export function profileRoutes(deps: Dependencies, codeKey: CodeKey): Route[] {
  return [
    handleDetached(contract.setPicture, async (c) => ({
      message: 'Profile updated successfully',
      profileUrl: await setPicture(deps, c.caller.personId, Buffer.from(c.body.image, 'base64')),
    })),
    handle(contract.removePicture, async (c) => {
      await removePicture(deps, c.caller.personId)
      return { message: 'Profile updated successfully' }
    }),
    handleBytes(contract.getPicture, async (c) => {
      const bytes = await readPicture(deps, c.caller.personId, c.params.pictureId)
      return { bytes, contentType: 'image/webp', length: bytes.length, headers: PICTURE_HEADERS }
    }),

    handleDetached(contract.changeEmail, async (c) => {
      await requestEmailChange(deps, codeKey, c.caller, c.body, c.now)
      return { message: 'Verification code sent successfully' }
    }),
    handle(contract.cancelEmailChange, async (c) => {
      await cancelEmailChange(deps, c.caller)
      return {}
    }),

    handle(contract.finishSetupFeature, async (c) => {
      await asSystem(deps.databases.system, (tx) => finishSetupFeature(tx, c.caller.personId, c.body.feature))
      return {}
    }),
  ]
}
