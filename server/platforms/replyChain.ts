import type { RemoteItem } from './inbox.ts'

/*
 * Where platforms have one kind of post, and a comment is a post that answers another: what it is to an account follows
 * from what it answers, up to where that began.
 */

/** One post of a chain, as far as that matters. */
export type Link = { id: string; isOurs: boolean; mentionsUs: boolean }

export type ChainPlace = Pick<RemoteItem, 'conversation' | 'type' | 'threadKey'> & {
  /** The place in the chain of what the conversation is about; null where it begins the chain. */
  about: number | null
}

/**
 * Where the last post of a chain belongs, oldest first: a conversation begins with the first post of someone else that
 * answers or mentions us. Undefined where there is none: what we wrote to others unasked. `quotesUs` is said of the last.
 */
export function placeInChain(chain: readonly Link[], quotesUs = false): ChainPlace | undefined {
  const isOurs = (place: number): boolean => chain[place]?.isOurs === true
  const last = chain.length - 1
  const root = chain.findIndex(
    (one, place) => !one.isOurs && (isOurs(place - 1) || one.mentionsUs || (place === last && quotesUs)),
  )
  const begins = chain[root]
  if (!begins) return undefined
  if (isOurs(root - 1)) {
    // a thread of our own is one post here, named by its first
    let head = root - 1
    while (isOurs(head - 1)) head -= 1
    return { conversation: 'comment', type: 'REPLY', threadKey: begins.id, about: head }
  }
  const isAnswer = root > 0
  const type = root < last ? 'REPLY' : quotesUs ? 'FOREIGN_POST' : isAnswer ? 'MENTION_COMMENT' : 'MENTION_POST'
  return { conversation: 'mention', type, threadKey: begins.id, about: isAnswer ? root - 1 : null }
}
