import { addableUsers, allUsers, listOrgUsers, listUsers } from '#contract/members.ts'
import { channelsOfUser } from '#contract/channels.ts'
import { plan } from '#contract/organisations.ts'
import { listRoles, pageOfRoles } from '#contract/roles.ts'
import { postFilters } from '#contract/postLists.ts'

/** What is old once somebody was added, removed or given another role. */
export const memberChanges = [listUsers, allUsers, addableUsers, listOrgUsers, channelsOfUser, listRoles, pageOfRoles, postFilters, plan] as const
