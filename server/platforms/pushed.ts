import type { z } from 'zod'
import type { ConversationKind } from '#contract/inbox/terms.ts'

/** How many entries of a list in a notification are looked at. Meta sends up to 1,000 (Graph API, Webhooks). */
const MOST = 1_000

/**
 * The entries of a list in a notification that make sense. Each is read by itself, because anyone who has an app may send
 * a list of anything: an error that names each of 100,000 entries takes seconds to write. Throws if the first few make no
 * sense.
 */
export function readEach<T>(list: readonly unknown[], schema: z.ZodType<T>): T[] {
  const read: T[] = []
  let senseless = 0
  for (const one of list.slice(0, MOST)) {
    const { success, data, error } = schema.safeParse(one)
    if (success) read.push(data)
    else if ((senseless += 1) >= 10 && read.length === 0) throw error
  }
  return read
}

/** The kind of conversation that a word of the platform's is about, if there is one. */
export const kindOf = (kinds: Partial<Record<string, ConversationKind>>, word: string): ConversationKind[] =>
  Object.hasOwn(kinds, word) ? [kinds[word] ?? []].flat() : []
