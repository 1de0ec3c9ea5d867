import { because } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import type { Account, Reach, Refusal } from '../platform.ts'
import { Profile, type BlueskySecret } from './schemas.ts'
import { tokenOf } from './secret.ts'
import { xrpc } from './xrpc.ts'

const PROFILE_TIMEOUT_MS = 8_000

/** What Bluesky itself shows for an account whose handle does not hold. */
const NO_HANDLE = 'handle.invalid'

/** By the syntax of atproto.com/specs/handle: a name of the domain system. */
const isHandle = (text: string): boolean =>
  text.length <= 253 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(text)

/** Whether a handle can be mentioned: the network shows accounts whose handle does not hold under one that nobody has. */
export const isNamed = (handle: string): boolean => isHandle(handle) && handle !== NO_HANDLE

/** What the account says of itself; undefined where its server doesn't tell, such as one without an app view. */
export async function profileOf(
  reach: Reach,
  secret: BlueskySecret,
  did: string,
): Promise<z.infer<typeof Profile> | undefined> {
  const profile = await xrpc(reach, {
    service: secret.pds,
    nsid: 'app.bsky.actor.getProfile',
    params: { actor: did },
    as: tokenOf(secret),
    reply: Profile,
    timeoutMs: PROFILE_TIMEOUT_MS,
  })
  return profile.kind === 'ok' ? profile.value : undefined
}

/** Name and picture for people; a server without an app view has neither, and the handle serves. */
export async function accountOf(
  reach: Reach,
  { did, handle }: { did: string; handle: string },
  secret: BlueskySecret,
  service: string,
  typed: string,
): Promise<Account> {
  const { displayName = '', avatar = null } = (await profileOf(reach, secret, did)) ?? {}
  // a server may call its account anything, also a sentence with a link in it, which would stand in mails to colleagues
  const known = [handle, typed.replace(/^@/, '')].find(isNamed) ?? NO_HANDLE
  return { remoteId: did, name: displayName.trim() || known, handle: `@${known}`, pictureUrl: avatar, service }
}

/** An account that its server knows, and does not let act. */
export function inactive(status = 'inactive'): Refusal {
  return {
    kind: 'rejected',
    reason:
      status === 'deactivated'
        ? { ...because('bluesky-account-deactivated'), platformCode: 'AccountDeactivated' }
        : { ...because('bluesky-account-inactive', { status }), platformCode: 'AccountTakedown' },
  }
}

const Claims = z.object({ exp: z.number().optional(), iat: z.number().optional(), scope: z.string().optional() })

/** What a token says of itself. It is ours, straight from the server, so that its signature is not checked. */
export function claimsOf(token: string): z.infer<typeof Claims> | undefined {
  try {
    return Claims.parse(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()))
  } catch {
    // another server may use tokens that tell nothing
    return undefined
  }
}

/** When the token ends; null where it does not say so. */
export function expiryOf(token: string): Date | null {
  const exp = claimsOf(token)?.exp
  return exp === undefined ? null : new Date(exp * 1000)
}

/** Seconds since 1970 at which the token was made, where it says so. */
export const issuedOf = (token: string): number | null => claimsOf(token)?.iat ?? null
