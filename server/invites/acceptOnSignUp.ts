import { asSystem } from '../db/system.ts'
import { Failure } from '../errors.ts'
import { rememberProject } from '../people/person.ts'
import { emit } from '../live/emit.ts'
import { writeAudit } from '../audit/write.ts'
import type { Dependencies } from '../dependencies.ts'
import { inviteById } from './access.ts'
import { acceptInvite } from './accept.ts'

type NewPerson = { personId: string; email: string; inviteId: string; address: string; now: Date }

/**
 * Accepts the invitation that a person signed up from, once their address is confirmed, so that they continue in the
 * project. If the invitation ended in the meantime or there's no seat, nothing happens and it isn't an error: the
 * address stays confirmed, and open invitations are offered at /onboarding. Never throws.
 */
export async function acceptOnSignUp(
  { databases, log }: Pick<Dependencies, 'databases' | 'log'>,
  { personId, email, inviteId, address, now }: NewPerson,
): Promise<void> {
  try {
    await asSystem(databases.system, async (tx) => {
      const found = await inviteById(tx, inviteId, now)
      if (!found) return
      const { orgId, projectId, invite } = await acceptInvite(tx, found, { personId, email }, now)
      const { roleId, channelIds, publishing } = invite
      const detail = { roleId, channelIds, publishing }
      await writeAudit(
        tx,
        [{ orgId, projectId, personId, action: 'accepted', entity: 'invite', entityId: inviteId, detail, address }],
        now,
      )
      await rememberProject(tx, personId, orgId, projectId)
      await emit(tx, { orgId, projectId: null, kind: 'member', ref: personId }, now)
    })
  } catch (error) {
    if (error instanceof Failure)
      log.info({ personId, inviteId, code: error.code }, "a sign-up couldn't accept its invitation")
    else log.error({ err: error, personId, inviteId }, "a sign-up couldn't accept its invitation")
  }
}
