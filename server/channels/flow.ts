import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { ChannelLimits } from '#contract/platforms/limits.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import type { Caller, CallerOrg, CallerProject } from '../http/route.ts'
import { hashToken } from '../http/session.ts'
import type { Secret, SignedIn } from '../platforms/platform.ts'
import { seal, unseal, type SecretKeys } from '../sealing.ts'

/*
 * The rows of attempts to connect with a platform's page: from leaving for it until accounts are chosen. Each belongs
 * to one person, project and platform, lasts 15 minutes, and each of its two steps works once. For other people's
 * states and flows, the only answer is that they're no longer valid: CONNECT_EXPIRED.
 */

const LIFETIME_MS = 15 * 60_000
const NOTHING = Buffer.alloc(0)

export type Owner = { tx: Tx; now: Date; caller: Caller; org: CallerOrg; project: Pick<CallerProject, 'projectId'> }
export type Flow = {
  flowId: string
  channelId: string | null
  /** The app and the way that it started with. */ clientId: string | null
  variant: string | null
}

/** A random state, sent along with the browser. Only its hash is stored. */
export const newState = (): string => randomBytes(32).toString('base64url')

/** What a row's encrypted part is bound to. */
const nameOf = (orgId: string, flowId: string): string => `rookery connect ${orgId}/${flowId}`

/** Opens an attempt; what the adapter needs later is encrypted. */
export async function openFlow(
  { tx, now, caller, org, project }: Owner,
  keys: SecretKeys,
  flow: Omit<Flow, 'flowId'> & { platform: PlatformKey; state: string; keep: Secret },
): Promise<void> {
  const id = randomUUIDv7()
  const { keyId, sealed } = seal(keys, nameOf(org.orgId, id), JSON.stringify(flow.keep))
  const expires = new Date(now.getTime() + LIFETIME_MS)
  await tx
    .insertInto('connect_flow')
    .values({
      org_id: org.orgId,
      id,
      project_id: project.projectId,
      person_id: caller.personId,
      platform: flow.platform,
      state_hash: hashToken(flow.state),
      key_id: keyId,
      sealed,
      channel_id: flow.channelId,
      client_id: flow.clientId,
      variant: flow.variant,
      expires_at: expires,
    })
    .execute()
}

/** Takes the platform's answer to an attempt, once: from here on its state is used up, even on failure. */
export async function spendState(
  { tx, now, caller, org, project }: Owner,
  keys: SecretKeys,
  platform: PlatformKey,
  state: string,
): Promise<Flow & { keep: Secret }> {
  const flow = await tx
    .updateTable('connect_flow')
    .set({ answered_at: now })
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('person_id', '=', caller.personId)
    .where('platform', '=', platform)
    .where('state_hash', '=', hashToken(state))
    .where('answered_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
  if (!flow) throw fail('CONNECT_EXPIRED')
  return { ...presentFlow(flow), keep: opened(keys, org.orgId, flow) }
}

/** Stores the accounts that the platform offered, with their tokens, until they're chosen. */
export async function keepOffer(
  { tx, org }: Pick<Owner, 'tx' | 'org'>,
  keys: SecretKeys,
  { flowId }: Pick<Flow, 'flowId'>,
  accounts: readonly SignedIn[],
): Promise<void> {
  const { keyId, sealed } = seal(keys, nameOf(org.orgId, flowId), JSON.stringify({ accounts }))
  await tx
    .updateTable('connect_flow')
    .set({ key_id: keyId, sealed })
    .where('org_id', '=', org.orgId)
    .where('id', '=', flowId)
    .execute()
}

/** Takes the offered accounts, once; rolled back with the transaction, so that a refused choice can be repeated. */
export async function takeOffer(
  { tx, now, caller, org, project }: Owner,
  keys: SecretKeys,
  platform: PlatformKey,
  flowId: string,
): Promise<Flow & { accounts: SignedIn[] }> {
  const flow = await tx
    .selectFrom('connect_flow')
    .selectAll()
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('person_id', '=', caller.personId)
    .where('platform', '=', platform)
    .where('id', '=', flowId)
    .where('answered_at', 'is not', null)
    .where('finished_at', 'is', null)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst()
  const accounts = flow && offeredIn(opened(keys, org.orgId, flow))
  if (!flow || !accounts) throw fail('CONNECT_EXPIRED')
  await tx
    .updateTable('connect_flow')
    .set({ finished_at: now, sealed: NOTHING })
    .where('org_id', '=', org.orgId)
    .where('id', '=', flowId)
    .execute()
  return { ...presentFlow(flow), accounts }
}

const presentFlow = (flow: {
  id: string
  channel_id: string | null
  client_id: string | null
  variant: string | null
}): Flow => ({ flowId: flow.id, channelId: flow.channel_id, clientId: flow.client_id, variant: flow.variant })

export type LeftFlow = {
  orgId: string
  flowId: string
  platform: string
  clientId: string | null
  accounts: SignedIn[]
}

/**
 * Deletes attempts that have ended, across tenants, as the system role. Returns those whose accounts were never chosen.
 */
export async function forgetFlows(tx: Tx, keys: SecretKeys, now: Date): Promise<LeftFlow[]> {
  const flows = await tx.deleteFrom('connect_flow').where('expires_at', '<=', now).returningAll().execute()
  return flows.flatMap((flow) => {
    const accounts =
      flow.finished_at === null && flow.answered_at !== null
        ? offeredIn(openedIfAny(keys, flow.org_id, flow))
        : undefined
    return accounts
      ? [{ orgId: flow.org_id, flowId: flow.id, platform: flow.platform, clientId: flow.client_id, accounts }]
      : []
  })
}

type SealedFlow = { id: string; key_id: string; sealed: Buffer }

/** A key that was rotated away in these minutes ends the attempt like its time. */
function opened(keys: SecretKeys, orgId: string, flow: SealedFlow): Secret {
  const secret = openedIfAny(keys, orgId, flow)
  if (!secret) throw fail('CONNECT_EXPIRED')
  return secret
}

function openedIfAny(keys: SecretKeys, orgId: string, { id, key_id: keyId, sealed }: SealedFlow): Secret | undefined {
  try {
    // authenticated: it's what this file encrypted
    return JSON.parse(unseal(keys, nameOf(orgId, id), { keyId, sealed })) as Secret
  } catch {
    // its key is gone, and its content with it
    return undefined
  }
}

const Offer = z.object({
  accounts: z.array(
    z.object({
      account: z.object({
        remoteId: z.string(),
        name: z.string(),
        handle: z.string(),
        pictureUrl: z.string().nullable(),
        service: z.string().nullable(),
      }),
      secret: z.record(z.string(), z.unknown()),
      expiresAt: z.coerce.date().nullable(),
      endsAt: z.coerce.date().nullable().default(null),
      kind: z.string().optional(),
      missing: z.array(z.string()).optional(),
      limits: ChannelLimits.optional(),
    }),
  ),
})

/** Undefined for an attempt whose answer brought no accounts: it has what `begin` stored. */
const offeredIn = (secret: Secret | undefined): SignedIn[] | undefined => Offer.safeParse(secret).data?.accounts
