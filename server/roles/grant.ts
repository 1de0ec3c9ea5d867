import { covers, effective, type Permissions, type PublishingChoice } from '#contract/permissions.ts'
import { channelsById } from '../channels/access.ts'
import { fail, type Failure } from '../errors.ts'
import type { Granter, RoleRecord } from './access.ts'

/** What someone holds, or is to hold, in a project. Without a role they may only look. */
export type Access = {
  role: Pick<RoleRecord, 'id' | 'kind' | 'permissions'> | null
  /** Null: every channel of the project. */ channelIds: readonly string[] | null
  publishing: PublishingChoice
}
export type Grant = Access & { role: Pick<RoleRecord, 'id' | 'kind' | 'permissions'>; channelIds: string[] | null }

const CHANNEL_UNKNOWN = "This channel doesn't exist, or you don't have access to it."
const ADMIN_CHANNELS = 'Admins can access all channels in the project. Select all channels or another role.'
const OTHER_CHANNELS = "This person also works on channels you can't access. Ask an admin."

/** Whether the caller may hand these permissions out: they allow nothing that the caller lacks. Admin always reaches every channel. */
export function mayGrant(
  { project }: Pick<Granter, 'project'>,
  role: Pick<RoleRecord, 'kind' | 'permissions'>,
  publishing: PublishingChoice = 'full',
): boolean {
  return (
    covers(project.permissions, effective(role.permissions, publishing)) &&
    (role.kind !== 'admin' || project.channelIds === null)
  )
}

/**
 * What the caller hands out, checked. Throws ROLE_EXCEEDS when it allows more than the caller holds, and BAD_INPUT for
 * the role Admin with named channels and for channels that the caller doesn't reach: foreign, absent and hidden ones
 * alike.
 */
export async function checkGrant(c: Granter, grant: Grant): Promise<Grant> {
  if (!mayGrant(c, grant.role, grant.publishing)) throw fail('ROLE_EXCEEDS')
  if (grant.role.kind === 'admin' && grant.channelIds !== null)
    throw fail('BAD_INPUT', { errors: { channelIds: [ADMIN_CHANNELS] } })
  if (grant.channelIds === null) {
    if (c.project.channelIds !== null)
      throw fail('ROLE_EXCEEDS', {
        detail: 'You can only give access to channels you can access yourself.',
        errors: { channelIds: ['Choose from your channels.'] },
      })
    return grant
  }
  const wanted = [...new Set(grant.channelIds)]
  const reached = await channelsById(c, wanted)
  if (wanted.some((id) => !reached.has(id))) throw fail('BAD_INPUT', { errors: { channelIds: [CHANNEL_UNKNOWN] } })
  return { ...grant, channelIds: wanted }
}

/** Throws ROLE_EXCEEDS when the access allows more than the caller holds: nobody takes away what they couldn't give. */
export function mustCover({ project }: Pick<Granter, 'project'>, held: Access): void {
  const permissions: Permissions = held.role ? effective(held.role.permissions, held.publishing) : {}
  if (!covers(project.permissions, permissions))
    throw fail('ROLE_EXCEEDS', { detail: 'This person has more permissions than you. Ask an admin.' })
  if (hidden(project.channelIds, held.channelIds) !== 'none') throw beyondOwnChannels()
}

/**
 * The grant in place of what someone holds. Channels of theirs that the caller doesn't reach stay as they are, and so
 * does what they may do there: with such channels, role and publishing can't be changed. Throws ROLE_EXCEEDS.
 */
export async function replaceAccess(c: Granter, held: Access, grant: Grant): Promise<Grant> {
  const beyond = hidden(c.project.channelIds, held.channelIds)
  if (beyond === 'all') throw beyondOwnChannels()
  if (beyond === 'none') {
    mustCover(c, held)
    return await checkGrant(c, grant)
  }
  if (held.role?.id !== grant.role.id || held.publishing !== grant.publishing) throw beyondOwnChannels()
  mustCover({ project: { ...c.project, channelIds: null } }, held)
  const checked = await checkGrant(c, grant)
  return { ...checked, channelIds: [...(checked.channelIds ?? []), ...beyond] }
}

/** Of what someone reaches, the part outside the caller's channels. */
function hidden(own: readonly string[] | null, theirs: readonly string[] | null): 'none' | 'all' | string[] {
  if (own === null) return 'none'
  if (theirs === null) return 'all'
  const outside = theirs.filter((id) => !own.includes(id))
  return outside.length > 0 ? outside : 'none'
}

const beyondOwnChannels = (): Failure => fail('ROLE_EXCEEDS', { detail: OTHER_CHANNELS })

/** An access as the audit keeps it. */
export type AccessFacts = { roleId: string | null; channelIds: readonly string[] | null; publishing: PublishingChoice }

/** Someone's access as the audit keeps it. */
export const accessFacts = ({ role, channelIds, publishing }: Access): AccessFacts => ({
  roleId: role?.id ?? null,
  channelIds,
  publishing,
})
