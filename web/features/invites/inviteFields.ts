import { z } from 'zod'
import { Email } from '#contract/identity.ts'
import { INVITES_AT_ONCE, inviteRoles, type InviteRole, type NewInvite } from '#contract/invites.ts'
import type { AssignableRole } from '#contract/roles.ts'
import { PublishingChoice, type PublishingLevel } from '#contract/permissions.ts'
import { CHANNEL_WANTED } from '#web/ui/channelSelection.ts'

/** A row of the form. `choice` is one of the three roles or the ID of a custom one. */
const InviteRow = z.object({
  email: Email,
  choice: z.string(),
  /** Checked below: admins have every channel, whatever was chosen before. */
  channelIds: z.array(z.string()).nullable(),
  publishing: PublishingChoice,
})

export const InviteFields = z
  .object({ invites: z.array(InviteRow).min(1).max(INVITES_AT_ONCE) })
  .superRefine(({ invites }, check) => {
    const seen = new Set<string>()
    for (const [row, { email, choice, channelIds }] of invites.entries()) {
      if (choice !== 'admin' && channelIds?.length === 0)
        check.addIssue({ code: 'custom', path: ['invites', row, 'channelIds'], message: CHANNEL_WANTED })
      if (seen.has(email))
        check.addIssue({ code: 'custom', path: ['invites', row, 'email'], message: 'This address is listed twice' })
      seen.add(email)
    }
  })
export type InviteFields = z.input<typeof InviteFields>
export type InviteRowValue = InviteFields['invites'][number]

export const inviteRoleWords = { admin: 'Admin', editor: 'Editor', user: 'User' } as const satisfies Record<
  InviteRole,
  string
>

/** What each of the three roles may do, in one line. */
export const inviteRoleAbout = {
  admin: 'Full access to the project: channels, members, approvals and settings.',
  editor: 'Creates, publishes and approves posts. Sees channels and members.',
  user: 'Writes posts and sends them for approval.',
} as const satisfies Record<InviteRole, string>

export type RoleChoice = { value: string; label: string; disabled?: boolean; publishes?: PublishingLevel | undefined }

/** The three roles, then custom ones; those that allow more than the person's own can't be chosen. */
export function roleChoices(roles: readonly AssignableRole[] | undefined): RoleChoice[] {
  const system = inviteRoles.map((role) => ({
    value: role,
    label: inviteRoleWords[role],
    disabled: roles?.some((one) => one.kind === role && !one.assignable) ?? false,
    publishes: roles?.find((one) => one.kind === role)?.publishes,
  }))
  const custom = roles?.filter((role) => role.kind === 'custom') ?? []
  return [
    ...system,
    ...custom.map(({ roleId, name, assignable, publishes }) => ({
      value: roleId,
      label: name,
      disabled: !assignable,
      publishes,
    })),
  ]
}

/** A row as the call expects it. Admins have access to every channel, whatever was chosen before. */
export function inviteOf({
  email,
  choice,
  channelIds,
  publishing,
}: z.output<typeof InviteRow>): z.input<typeof NewInvite> {
  const role = inviteRoles.find((one) => one === choice)
  const kind = role ? { role } : { role: 'user' as const, roleId: choice }
  return { email, ...kind, channelIds: role === 'admin' ? null : channelIds, publishing }
}
