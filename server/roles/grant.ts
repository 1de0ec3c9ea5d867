import { covers, effective, type Permissions, type PublishingChoice } from '#contract/permissions.ts'
import { channelsById } from '../access/channels.ts'
import { fail, type Failure } from '../errors.ts'
import type { Granter, RoleRecord } from './access.ts'

/** A person's current or future access to a project. Without a role, it's view-only. */
export type Access = {
  role: Pick<RoleRecord, 'id' | 'kind' | 'permissions'> | null
  /** Null: every channel of the project. */ channelIds: readonly string[] | null
  publishing: PublishingChoice
}
export type Grant = Access & { role: Pick<RoleRecord, 'id' | 'kind' | 'permissions'>; channelIds: string[] | null }

const CHANNEL_UNKNOWN = "This channel doesn't exist, or you don't have access to it."
const ADMIN_CHANNELS = 'Admins can access all channels in the project. Select all channels or another role.'
const OTHER_CHANNELS = "This person also works on channels you can't access. Ask an admin."

/**
 * Whether the caller may grant these permissions: they allow nothing that the caller lacks. Admin always includes every
 * channel.
 */
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
 * What the caller grants, checked. Throws ROLE_EXCEEDS if it allows more than the caller has, and BAD_INPUT for the
 * role Admin with specific channels and for channels the caller can't access: foreign, missing and hidden ones alike.
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

/** Throws ROLE_EXCEEDS if the access allows more than the caller has: nobody takes away what they couldn't give. */
export function mustCover({ project }: Pick<Granter, 'project'>, held: Access): void {
  const permissions: Permissions = held.role ? effective(held.role.permissions, held.publishing) : {}
  if (!covers(project.permissions, permissions))
    throw fail('ROLE_EXCEEDS', { detail: 'This person has more permissions than you. Ask an admin.' })
  if (hidden(project.channelIds, held.channelIds) !== 'none') throw beyondOwnChannels()
}

/**
 * The grant that replaces someone's access. Their channels that the caller can't access stay, and so do the permissions
 * on them: with such channels, role and publishing can't change. Throws ROLE_EXCEEDS.
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

/** The part of someone's channels outside of the caller's. */
function hidden(own: readonly string[] | null, theirs: readonly string[] | null): 'none' | 'all' | string[] {
  if (own === null) return 'none'
  if (theirs === null) return 'all'
  const outside = theirs.filter((id) => !own.includes(id))
  return outside.length > 0 ? outside : 'none'
}

const beyondOwnChannels = (): Failure => fail('ROLE_EXCEEDS', { detail: OTHER_CHANNELS })

/** An access, for the audit log. */
export type AccessFacts = { roleId: string | null; channelIds: readonly string[] | null; publishing: PublishingChoice }

/** A person's access, for the audit log. */
export const accessFacts = ({ role, channelIds, publishing }: Access): AccessFacts => ({
  roleId: role?.id ?? null,
  channelIds,
  publishing,
})
