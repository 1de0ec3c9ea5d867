import type { Figures, LacksRights } from './account.ts'
import type { AccountRef, Reach, Refusal, Secret } from './calls.ts'
import type { FoundPost } from './ownPosts.ts'

/*
 * Accounts of others, as a channel of ours may read them. Nothing here changes anything at the platform, so every call may be
 * repeated.
 */

export type CompetitorAccount = {
  /** The same through whichever channel it's read. */
  remoteId: string
  name: string
  /** As people write it, such as `@name`. */
  handle: string
  pictureUrl: string | null
  profileUrl: string | null
  /** Current values, such as followers; what isn't reported is missing. */
  figures: Figures
}

/** `gone`: nobody has this name, or the platform doesn't tell apps about the account. `private`: it doesn't show its posts. */
export type NotThere = { kind: 'none'; why: 'gone' | 'private' }

type Ask = [reach: Reach, secret: Secret, account: AccountRef]

export type Competitors = {
  /** The account that a person means by a handle or by the address of a profile. */
  find: (
    ...ask: [...Ask, text: string]
  ) => Promise<{ kind: 'account'; account: CompetitorAccount } | NotThere | LacksRights | Refusal>
  /** The account with at most so many of its newest posts, with figures: no replies and no reposts. */
  read: (
    ...ask: [...Ask, of: Pick<CompetitorAccount, 'remoteId' | 'handle'>, most: number]
  ) => Promise<CompetitorReading | NotThere | LacksRights | Refusal>
}

export type CompetitorReading = {
  kind: 'read'
  account: CompetitorAccount
  posts: readonly Omit<FoundPost, 'postType'>[]
  /** The list ended with these posts: the account has no older ones. */
  isAll: boolean
}

/** A handle as people write it, or the part of a profile's address that names it; undefined for an address elsewhere. */
export function namedIn(text: string, hosts: readonly string[], pattern: RegExp): string | undefined {
  const typed = text.trim()
  const isAddress = /^https?:\/\//i.test(typed) || hosts.some((host) => typed.toLowerCase().startsWith(`${host}/`))
  if (!isAddress) return typed
  const address = /^https?:/i.test(typed) ? typed : `https://${typed}`
  if (!URL.canParse(address)) return undefined
  const { hostname, pathname } = new URL(address)
  if (!hosts.includes(hostname.replace(/^(?:www|m)\./, ''))) return undefined
  return pattern.exec(decoded(pathname))?.[1]
}

/** A path as people read it; as it is if it isn't encoded properly. */
function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
