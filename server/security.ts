import type { Tx } from './db/kysely.ts'
import type { Databases } from './db/pools.ts'
import type { AuditEntry } from './http/route.ts'
import { asSystem } from './db/system.ts'
import { limits } from './identity/limits.ts'
import { count, networkOf } from './http/attempts.ts'
import { writeAudit } from './audit/write.ts'
import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

/** What happened to the security of an account or an organization. Ids and addresses, never passwords, codes or tokens. */
export type SecurityEvent = {
  /** Such as `login.failed`: what an operator's alerts match on. */
  event: string
  /** The client's address. */
  address: string
  /** Who did it, or whose account it was tried on; null where nobody is known. */
  personId: string | null
  /** The organization whose call it was. */
  orgId?: string | null
  projectId?: string | null
  /** The error code of a refusal. */
  code?: string
  /** Method and path of the call, with the names of its parameters instead of their values. */
  endpoint?: string
}

/** Where security events are kept: in the log at `info`, and in the audit of the organizations that they concern. */
export type SecurityLog = {
  /** Never throws and isn't waited for: neither time nor failure tells who has an account. */
  record(event: SecurityEvent): void
  /** Resolves when everything recorded was written or given up. */
  close(): Promise<void>
}

type Written = Pick<AuditEntry, 'action' | 'entity'>

/** Events on an account, as the audit of each organization of its person words them. */
const onAccounts: Readonly<Record<string, Written>> = {
  'login.succeeded': { action: 'logged_in_to', entity: 'account' },
  'login.failed': { action: 'failed_to_log_in_to', entity: 'account' },
  'login.throttled': { action: 'was_locked_out_of', entity: 'account' },
}
/**
 * Refusals in an organization that its admins may want to know of. Its own people also meet pages that are gone
 * (IDENTIFIERS_ERROR), which means nothing.
 */
const inOrganizations: readonly (string | undefined)[] = [
  'FORBIDDEN',
  'ROLE_EXCEEDS',
  'SECOND_FACTOR_NEEDED',
  'ADDRESS_REFUSED',
  'RATE_LIMITED',
  'LIMIT_EXCEEDED',
]

export function createSecurityLog({
  databases,
  clock,
  log,
}: {
  databases: Pick<Databases, 'system'>
  clock: Clock
  log: Log
}): SecurityLog {
  const writing = new Set<Promise<void>>()
  return {
    record(event) {
      log.info(event, `security: ${event.event}`)
      const job = keep(databases, event, clock.now())
        .catch((error: unknown) => log.error({ err: error }, "a security event couldn't be written to the audit log"))
        .finally(() => writing.delete(job))
      writing.add(job)
    },
    close: async () => void (await Promise.all(writing)),
  }
}

async function keep({ system }: Pick<Databases, 'system'>, event: SecurityEvent, now: Date): Promise<void> {
  const { personId } = event
  if (personId === null) return
  const written = onAccounts[event.event]
  if (written) return await asSystem(system, (tx) => keepOfAccount(tx, { ...event, personId }, written, now))
  if (inOrganizations.includes(event.code) && event.orgId) {
    const { orgId } = event
    await asSystem(system, (tx) => keepOfOrganization(tx, { ...event, personId, orgId }, now))
  }
}

/** A login belongs to no organization; it's recorded in each one in which the person is a member. */
async function keepOfAccount(
  tx: Tx,
  { event, personId, address }: SecurityEvent & { personId: string },
  written: Written,
  now: Date,
): Promise<void> {
  const succeeded = event === 'login.succeeded'
  if (!succeeded && !(await isWorthKeeping(tx, `${event} ${personId} ${networkOf(address)}`, now))) return
  const members = await tx
    .selectFrom('member')
    .select('org_id')
    .where('person_id', '=', personId)
    .where('removed_at', 'is', null)
    .execute()
  const entries = members.map(({ org_id: orgId }): AuditEntry => ({
    ...written,
    orgId,
    projectId: null,
    // who tries a password isn't known
    personId: succeeded ? personId : null,
    entityId: personId,
    address,
  }))
  if (entries.length > 0) await writeAudit(tx, entries, now)
}

async function keepOfOrganization(
  tx: Tx,
  {
    event,
    personId,
    orgId,
    projectId = null,
    code,
    endpoint,
    address,
  }: SecurityEvent & { personId: string; orgId: string },
  now: Date,
): Promise<void> {
  if (!(await isWorthKeeping(tx, `${event} ${personId} ${orgId}`, now))) return
  const detail = { code, endpoint }
  await writeAudit(
    tx,
    [{ action: 'was_refused', entity: 'access', orgId, projectId, personId, entityId: personId, detail, address }],
    now,
  )
}

/** The log has all of them; the audit log, which is permanent, only so many per hour, so that nobody can fill it up. */
const isWorthKeeping = async (tx: Tx, subject: string, now: Date): Promise<boolean> =>
  (await count(tx, limits.auditedRefusals, subject, now)).allowed
