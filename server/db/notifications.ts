import { Client, type ClientConfig } from 'pg'

/** Milliseconds. */
const [AGAIN, CHECK] = [1_000, 5_000]

type Subscriber = {
  /** A message of the channel, as its transaction committed. */
  heard: (message: string) => void
  /** Messages may have been missed from now on, until `listening()` is true again. */
  lost: () => void
}

type Listening = { listening: () => boolean; stop: () => void }

export type Notifications = {
  /** Hears the channel's messages from now on. Whether they all arrive is what the returned function tells. */
  listen(channel: string, subscriber: Subscriber): Listening
  /** Ends the connection. */
  close(): Promise<void>
}

/**
 * PostgreSQL's NOTIFY on one connection of its own. It's opened with the first subscriber, checked every five seconds, and opened
 * again every second while it's lost. What was said meanwhile is never heard: a subscriber must not rely on what it knew
 * before.
 */
export function openNotifications(to: ClientConfig): Notifications {
  const channels = new Map<string, Set<Subscriber>>()
  let client: Client | undefined
  let isOpen = false
  /** The channels that the connection hears. */
  let ready = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const later = (ms: number, job: () => void) => {
    clearTimeout(timer)
    timer = undefined
    if (isClosed) return
    timer = setTimeout(() => {
      timer = undefined
      job()
    }, ms)
    timer.unref()
  }
  const lose = (lost: Client) => {
    if (client !== lost) return
    client = undefined
    isOpen = false
    ready = new Set()
    lost.connection.stream.destroy()
    for (const subscribers of channels.values()) for (const { lost: tell } of subscribers) tell()
    later(AGAIN, connect)
  }
  const check = (checked: Client) => {
    if (client !== checked) return
    const tooLong = setTimeout(() => lose(checked), CHECK).unref()
    checked
      .query('select')
      .then(() => later(CHECK, () => check(checked)))
      .catch(() => lose(checked))
      .finally(() => clearTimeout(tooLong))
  }
  const ask = async (asked: Client, channel: string) => {
    await asked.query(`listen ${asked.escapeIdentifier(channel)}`)
    if (client === asked) ready.add(channel)
  }
  const connect = () => {
    const opened = new Client(to)
    client = opened
    opened.on('error', () => lose(opened))
    opened.on('end', () => lose(opened))
    opened.on('notification', ({ channel, payload = '' }) => {
      for (const { heard } of channels.get(channel) ?? []) heard(payload)
    })
    opened
      .connect()
      .then(() => {
        if (client === opened) isOpen = true
        return Promise.all([...channels.keys()].map((channel) => ask(opened, channel)))
      })
      .then(() => check(opened))
      .catch(() => lose(opened))
  }

  return {
    listen(channel, subscriber) {
      const others = channels.get(channel)
      if (others) others.add(subscriber)
      else channels.set(channel, new Set([subscriber]))
      // one that is being opened asks for all that are here by then
      if (!client && !isClosed && timer === undefined) connect()
      else if (client && isOpen && !others) {
        const asked = client
        ask(asked, channel).catch(() => lose(asked))
      }
      return {
        listening: () => ready.has(channel),
        stop: () => void channels.get(channel)?.delete(subscriber),
      }
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      const last = client
      client = undefined
      ready = new Set()
      await last?.end().catch(() => {})
    },
  }
}
