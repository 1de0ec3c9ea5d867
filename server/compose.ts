import type { Route } from './http/route.ts'
import type { Parts } from './parts.ts'

/** Every route of the product: one factory per noun, in the order of contract/api.ts. A test compares both lists. */
export function composeRoutes(parts: Parts): Route[] {
  return [
    // identity, organisations, projects, access
    // channels: ...channelRoutes(parts),
    // media: ...mediaRoutes(parts),
    // posts: ...postRoutes(parts),
    // live, notices
  ]
}
