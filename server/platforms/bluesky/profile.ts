import type { RemotePerson } from '../inbox.ts'
import type { Author } from './schemas.ts'

/** Someone of the network, as the inbox knows them. Addresses name the account, since handles change. */
export const personOf = ({ did, handle, displayName, avatar }: Author): RemotePerson => ({
  remoteId: did,
  name: displayName || handle,
  handle: handle && `@${handle}`,
  pictureUrl: avatar ?? null,
  url: `https://bsky.app/profile/${did}`,
})
