import { EARLY_ELEMENT, type EarlyData } from '#contract/early.ts'

/*
 * What came with the page. Each reply is taken once, by the first call that asks for it, and is as true as an answer of
 * that moment: the page's event stream begins where the server had read it.
 */
const found = read()
const replies = new Map(Object.entries(found?.replies ?? {}))
let events = found?.events

function read(): EarlyData | undefined {
  const text = globalThis.document?.getElementById(EARLY_ELEMENT.id)?.textContent
  // the server wrote it: each reply is what its call would have answered
  return text ? (JSON.parse(text) as EarlyData) : undefined
}

/** The reply to a call, if it came with the page and nobody took it yet. */
export function takeReply(address: string): { reply: unknown } | undefined {
  if (!replies.has(address)) return undefined
  const reply = replies.get(address)
  replies.delete(address)
  return { reply }
}

/** Where the page's first event stream begins; nothing where everything has to be read again once it's open. */
export function takeCursor(): Partial<EarlyData['events']> {
  const from = events ?? {}
  events = undefined
  return from
}

/** Forgets what nobody asked for at the start: later it could be old, or another person's. */
export function forgetReplies(): void {
  replies.clear()
}
