import { EARLY_ELEMENT, type EarlyData } from '#contract/early.ts'

/*
 * The data in the page. Each reply is used once, by the first call that asks for it, and is as current as a response:
 * the page's event stream starts where the server had read it.
 */
const found = read()
const replies = new Map(Object.entries(found?.replies ?? {}))
let events = found?.events

function read(): EarlyData | undefined {
  const text = globalThis.document?.getElementById(EARLY_ELEMENT.id)?.textContent
  // the server wrote it: each reply is what its call would have returned
  return text ? (JSON.parse(text) as EarlyData) : undefined
}

/** A call's reply, if the page has it and nothing used it yet. */
export function takeReply(address: string): { reply: unknown } | undefined {
  if (!replies.has(address)) return undefined
  const reply = replies.get(address)
  replies.delete(address)
  return { reply }
}

/** Where the page's first event stream starts; undefined if everything has to be read again once it's open. */
export function takeCursor(): Partial<EarlyData['events']> {
  const from = events ?? {}
  events = undefined
  return from
}

/** Discards unused replies after the start: later they could be outdated, or another person's. */
export function forgetReplies(): void {
  replies.clear()
}
