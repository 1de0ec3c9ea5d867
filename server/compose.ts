import type { Route } from './http/route.ts'
import { identityRoutes } from './identity/routes.ts'
import { liveRoutes } from './live/routes.ts'
import { noticeRoutes } from './notices/routes.ts'
import { organisationRoutes } from './organisations/routes.ts'
import type { Parts } from './parts.ts'
import { projectRoutes } from './projects/routes.ts'

/** Every route of the product: one factory per noun, in the order of contract/api.ts. A test compares both lists. */
export function composeRoutes(parts: Parts): Route[] {
  return [
    ...identityRoutes(parts),
    ...organisationRoutes(parts),
    ...projectRoutes(parts),
    // channels: ...channelRoutes(parts),
    // media: ...mediaRoutes(parts),
    // posts: ...postRoutes(parts),
    ...liveRoutes(parts),
    ...noticeRoutes(),
  ]
}
