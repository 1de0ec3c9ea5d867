import { z } from 'zod'
import { ConversationKind } from '#contract/inbox/terms.ts'
import { storable } from '../delivery/storable.ts'
import type { InboxPush } from '../platforms/inbox.ts'
import { isKey } from './bounded.ts'

/** Accounts that something was written to, and which kinds are worth reading: all that is kept of a notification. */
export const Told = z.array(z.object({ accountRemoteId: z.string(), kinds: z.array(ConversationKind) }))
export type Told = z.infer<typeof Told>

/** A batch of Meta's has up to 1,000 changes (Graph API, Webhooks); most are of the same few accounts. */
const MOST_ACCOUNTS = 1_000

/**
 * What a notification tells, each account once. Ids that no account of ours can have (empty, too long, or with characters
 * that the database can't store) are left out, and so is what is about nothing that's read. Throws for what makes no sense.
 */
export function toldIn(push: Pick<InboxPush, 'parse'>, raw: string): Told {
  const kindsOf = new Map<string, Set<ConversationKind>>()
  for (const { accountRemoteId: id, kinds } of push.parse(raw)) {
    if (kinds.length === 0 || !isKey(id) || storable(id) !== id) continue
    if (!kindsOf.has(id) && kindsOf.size === MOST_ACCOUNTS) continue
    kindsOf.set(id, new Set([...(kindsOf.get(id) ?? []), ...kinds]))
  }
  return [...kindsOf].map(([accountRemoteId, kinds]) => ({ accountRemoteId, kinds: [...kinds].toSorted() }))
}
