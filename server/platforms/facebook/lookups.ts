import { findPlaces } from '../graphPlaces.ts'
import type { Lookup } from '../platform.ts'
import { withSecret } from './client.ts'

/** Places that a post can be tagged with. */
export const places: Lookup = withSecret(
  async (reach, own, _account, ask) => await findPlaces(reach, own.accessToken, ask),
)
