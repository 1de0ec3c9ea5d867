import { useSyncExternalStore } from 'react'

/** `offline`: the browser has no network. `unreachable`: it has, but the server doesn't answer. */
export type Connection = { kind: 'online' } | { kind: 'offline' | 'unreachable'; /** The last answer. */ since: number }

/** How often a server that doesn't answer is asked again. Milliseconds. */
const ASK_AGAIN = 5_000
/** Answers of a proxy whose app is away. */
const AWAY = [502, 503, 504]

type Tools = {
  /** Whether the server answers by now. */
  ask: () => Promise<boolean>
  hasNetwork: () => boolean
  after: (milliseconds: number, run: () => void) => () => void
  now: () => number
}

/**
 * Knows whether the server answers, from the calls that the app makes anyway and from the browser's own signs. While it
 * doesn't, it's asked again every few seconds; listeners hear of each change.
 */
export function createConnection(tools: Tools) {
  let state: Connection = { kind: 'online' }
  let answeredAt = tools.now()
  let stop: (() => void) | undefined
  let asking: Promise<void> | undefined
  const listeners = new Set<() => void>()

  const become = (next: Connection) => {
    if (next.kind === state.kind) return
    state = next
    for (const listener of listeners) listener()
  }
  const askLater = () => {
    stop ??= tools.after(ASK_AGAIN, () => {
      stop = undefined
      void check()
    })
  }
  const ask = async () => {
    if (await tools.ask()) answered()
    else lost()
    asking = undefined
  }
  /** Asks the server, since something broke off: one call may fail although it's there. */
  const check = () => (asking ??= ask())
  /** A call got an answer. */
  const answered = () => {
    answeredAt = tools.now()
    stop?.()
    stop = undefined
    become({ kind: 'online' })
  }
  /** There is no answer. */
  const lost = () => {
    become({ kind: tools.hasNetwork() ? 'unreachable' : 'offline', since: answeredAt })
    askLater()
  }
  return {
    state: () => state,
    check,
    answered,
    lost,
    /** What a call was answered: a proxy may answer for an app that is away. */
    heard: (status: number) => (AWAY.includes(status) ? void check() : answered()),
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export const connection = createConnection({
  ask: () =>
    fetch('/healthz', { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    ),
  hasNetwork: () => navigator.onLine,
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds)
    return () => clearTimeout(timer)
  },
  now: () => Date.now(),
})

/** Follows what the browser says of its network. */
export function watchNetwork(): void {
  addEventListener('offline', connection.lost)
  addEventListener('online', () => void connection.check())
}

export const useConnection = (): Connection => useSyncExternalStore(connection.subscribe, connection.state)
