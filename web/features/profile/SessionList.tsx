import Monitor from 'lucide-react/icons/monitor'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { endSession, listSessions } from '#contract/identity.ts'
import { call } from '#web/lib/client.ts'
import { localZone } from '#web/lib/dates.ts'
import { isFailure } from '#web/lib/failure.ts'
import { agoOf, count, dateOf } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import { refresh, useCall, useSend } from '#web/lib/queries.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { toast } from '#web/ui/toast.ts'

/**
 * Where the person is logged in, with buttons to end each session but this one (Log out does that), or all others at
 * once.
 */
export function SessionList() {
  const zone = localZone()
  const now = useNow()
  const sessions = useCall(listSessions, {}, { staleTime: 0, handles: true })
  const end = useSend(endSession, {
    handles: ['NOT_FOUND'],
    onSuccess: () => toast.success('Session ended'),
    onError: (failure) => failure.code === 'NOT_FOUND' && void sessions.refetch(),
  })
  const endOthers = useEndSessions()
  return (
    <Loaded query={sessions} skeleton={<SkeletonRows rows={2} />}>
      {({ sessions: list }) => {
        const others = list.filter((session) => !session.current)
        return (
          <div className="grid gap-3">
            <ul aria-label="Sessions" className="divide-y divide-line rounded-lg border border-line bg-surface">
              {list.map((session) => (
                <li key={session.sessionId} className="flex items-center gap-3 px-3 py-2.5">
                  <Monitor size={16} aria-hidden className="shrink-0 text-ink-muted" />
                  <span className="grid min-w-0 grow">
                    <span className="flex min-w-0 flex-wrap items-center gap-x-2">
                      <span className="truncate font-medium">{session.client || 'Unknown browser'}</span>
                      {session.current ? <Badge tone="ok">This session</Badge> : null}
                    </span>
                    <span className="tnum text-sm text-ink-muted">
                      Active {session.current ? 'now' : agoOf(session.lastSeenAt, now, zone)}, since{' '}
                      {dateOf(session.createdAt, zone)}
                    </span>
                  </span>
                  {session.current ? null : (
                    <Button
                      size="s"
                      loading={end.isPending && end.variables.params.sessionId === session.sessionId}
                      aria-label={`End session: ${session.client || 'Unknown browser'}`}
                      onClick={() => end.mutate({ params: { sessionId: session.sessionId } })}
                    >
                      End
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            {others.length > 1 ? (
              <Button
                loading={endOthers.isPending}
                onClick={() => endOthers.mutate(others.map((session) => session.sessionId))}
                className="justify-self-start"
              >
                End all other sessions ({others.length})
              </Button>
            ) : null}
          </div>
        )
      }}
    </Loaded>
  )
}

/** Ends sessions one after the other; one that has already ended is fine. Returns how many. */
function useEndSessions() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (sessionIds: readonly string[]) => {
      for (const sessionId of sessionIds) {
        try {
          await call(endSession, { params: { sessionId } })
        } catch (error) {
          if (!isFailure(error, 'NOT_FOUND')) throw error
        }
      }
      return sessionIds.length
    },
    onSuccess: (ended) => toast.success(`${count(ended, 'session')} ended`),
    // also after a failure halfway
    onSettled: () => refresh(queries, listSessions),
  })
}
