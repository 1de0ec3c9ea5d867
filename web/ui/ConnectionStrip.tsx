import { useConnection, type Connection } from '#web/lib/connection.ts'
import { localZone } from '#web/lib/dates.ts'
import { agoOf } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import { Strip } from './Strip.tsx'

/**
 * While the server can't be reached: says so, how old the page is, and what is kept. `alone` for pages without data.
 */
export function ConnectionStrip({ alone = false }: { alone?: boolean }) {
  const connection = useConnection()
  return (
    <div role="status" className="sticky top-0 z-20 shrink-0">
      {connection.kind === 'online' ? null : <Lost connection={connection} alone={alone} />}
    </div>
  )
}

type Away = Exclude<Connection, { kind: 'online' }>

function Lost({ connection: { kind, since }, alone }: { connection: Away; alone: boolean }) {
  const updated = agoOf(new Date(since).toISOString(), useNow(), localZone())
  return (
    <Strip
      label="Connection"
      tone="wait"
      title={kind === 'offline' ? "You're offline." : "We can't reach Rookery."}
      text={
        alone
          ? 'This page will continue when the connection is back.'
          : `What you see was last updated ${updated}. Drafts you write are kept in this browser and saved when the connection is back.`
      }
    />
  )
}
