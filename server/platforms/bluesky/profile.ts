import type { RemotePerson } from '../inbox.ts'
import type { Author } from './schemas.ts'

/** An account as the inbox knows it. Its URL contains the DID, since handles change. */
export const personOf = ({ did, handle, displayName, avatar }: Author): RemotePerson => ({
  remoteId: did,
  name: displayName || handle,
  handle: handle && `@${handle}`,
  pictureUrl: avatar ?? null,
  url: `https://bsky.app/profile/${did}`,
})
