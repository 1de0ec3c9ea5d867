import { events } from '#contract/live.ts'
import { enterTenant } from '../db/tenant.ts'
import { Failure } from '../errors.ts'
import { admit } from '../http/access.ts'
import { handleStream, type Route } from '../http/route.ts'
import { hashToken, sessionTokenOf } from '../http/session.ts'
import type { Dependencies } from '../dependencies.ts'
import { readCursor } from './cursor.ts'
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
      const listener = {
        stream: openStream(reply.raw),
        orgId,
        projectId,
        personId: c.caller.personId,
        channelIds: c.project.channelIds,
        mayListen: () =>
          enterTenant(databases.web, ids, clock.now(), async (_, entered) =>
            isAdmitted(entered, clock.now(), c.project.channelIds),
          ),
      }
      live.join(listener, typeof seen === 'string' ? readCursor(seen) : undefined, isRecent)
    }),
  ]
}

/** Whether the person may still listen, and to the same channels: a stream covers the ones it was opened for. */
function isAdmitted(entered: Parameters<typeof admit>[1], now: Date, channelIds: readonly string[] | null): boolean {
  try {
    const { project } = admit(events.access, entered, now)
    return project !== null && asText(project.channelIds) === asText(channelIds)
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

const asText = (channelIds: readonly string[] | null): string => channelIds?.toSorted().join() ?? 'all'
