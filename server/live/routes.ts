import { events } from '#contract/live.ts'
import { enterTenant } from '../db/tenant.ts'
import { Failure } from '../errors.ts'
import { admit } from '../http/access.ts'
import { handleStream, type Route } from '../http/route.ts'
import { rightsOf } from '../http/revision.ts'
import { hashToken, sessionTokenOf } from '../http/session.ts'
import type { Dependencies } from '../dependencies.ts'
import { readCursor } from './cursor.ts'
import { sightOf } from './sight.ts'
import { openStream } from './stream.ts'

/** A page's cursor this recent is for events that still exist. Milliseconds. */
const PAGE_OPEN = 3_600_000

export function liveRoutes({ live, databases, clock, env }: Dependencies): Route[] {
  return [
    handleStream(events, (c, reply) => {
      const { orgId, projectId } = c.params
      const token = sessionTokenOf(c.request, env.publicUrl)
      const ids = { tokenHash: token ? hashToken(token) : null, orgId, projectId }
      const seen = c.request.headers['last-event-id'] ?? c.query.after
      const { readAt } = c.query
      const isRecent =
        seen === c.query.after && readAt !== undefined && clock.now().getTime() - Date.parse(readAt) < PAGE_OPEN
      const rights = rightsOf(c)
      const listener = {
        stream: openStream(reply.raw),
        orgId,
        projectId,
        personId: c.caller.personId,
        sight: sightOf(c),
        mayListen: () =>
          enterTenant(databases.web, ids, clock.now(), async (_, entered) => isAdmitted(entered, clock.now(), rights)),
      }
      live.join(listener, typeof seen === 'string' ? readCursor(seen) : undefined, isRecent)
    }),
  ]
}

/** Whether the person may still listen, with the same rights: a stream covers what they saw when it was opened. */
function isAdmitted(entered: Parameters<typeof admit>[1], now: Date, rights: string): boolean {
  try {
    return rightsOf(admit(events.access, entered, now)) === rights
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}
