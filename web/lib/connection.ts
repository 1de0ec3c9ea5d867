import { useSyncExternalStore } from 'react'

/** `offline`: the browser has no network. `unreachable`: it has, but the server doesn't respond. */
export type Connection =
  | { kind: 'online' }
  | { kind: 'offline' | 'unreachable'; /** The last response. */ since: number }

/** How often a server that doesn't respond is tried again. Milliseconds. */
const ASK_AGAIN = 5_000
/** Statuses of a proxy whose app is unavailable. */
const AWAY = [502, 503, 504]

type Tools = {
  /** Whether the server responds now. */
  ask: () => Promise<boolean>
  hasNetwork: () => boolean
  after: (milliseconds: number, run: () => void) => () => void
  now: () => number
}

/**
 * Knows whether the server responds, from the app's calls and the browser's events. While it doesn't, it's tried every
 * few seconds; listeners receive each change.
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
  /** Asks the server after a failure: one call may fail although it's available. */
  const check = () => (asking ??= ask())
  /** A call got a response. */
  const answered = () => {
    answeredAt = tools.now()
    stop?.()
    stop = undefined
    become({ kind: 'online' })
  }
  /** There was no response. */
  const lost = () => {
    become({ kind: tools.hasNetwork() ? 'unreachable' : 'offline', since: answeredAt })
    askLater()
  }
  return {
    state: () => state,
    check,
    answered,
    lost,
    /** A call's status: a proxy may respond for an unavailable app. */
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

/** Follows the browser's network events. */
export function watchNetwork(): void {
  addEventListener('offline', connection.lost)
  addEventListener('online', () => void connection.check())
}

export const useConnection = (): Connection => useSyncExternalStore(connection.subscribe, connection.state)
