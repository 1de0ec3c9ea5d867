import { useState } from 'react'
import { allChannels } from '#contract/channels.ts'
import type { ProjectUser } from '#contract/members.ts'
import { myPermissions } from '#contract/organizations.ts'
import {
  effective,
  publishingChoices,
  publishingLevel,
  publishingWords,
  type PublishingChoice,
} from '#contract/permissions.ts'
import { assignRole, pageOfRoles, type Role } from '#contract/roles.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { publishingHint } from '#web/lib/publishingHint.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ChannelChoice } from '#web/ui/ChannelChoice.tsx'
import { CHANNEL_WANTED } from '#web/ui/channelSelection.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { RoleSummary } from '#web/ui/RoleSummary.tsx'
import { Select } from '#web/ui/Select.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { toast } from '#web/ui/toast.ts'
import { nameOf } from './rights.ts'

type Props = { ids: ProjectIds; user: ProjectUser; onClose: () => void }

/** Another role for a member, with a summary of what it can do. */
export function ChangeRoleDialog({ ids, user, onClose }: Props) {
  const roles = useCall(pageOfRoles, { params: ids, query: { limit: 100 } }, { handles: true })
  return (
    <Dialog open onOpenChange={onClose} title={`Change the role of ${nameOf(user)}?`} size="m">
      <Loaded query={roles} skeleton={<SkeletonLines lines={5} />}>
        {({ roles: all }) => <Choice ids={ids} user={user} roles={all} onClose={onClose} />}
      </Loaded>
    </Dialog>
  )
}

function Choice({ ids, user, roles, onClose }: Props & { roles: readonly Role[] }) {
  const channels = useCall(allChannels, { params: ids }, { handles: true }).data?.channels ?? []
  const mine = useCall(myPermissions, { params: ids }, { handles: true }).data
  const [roleId, setRoleId] = useState(user.role?.roleId ?? '')
  const [publishing, setPublishing] = useState<PublishingChoice>(user.publishing)
  const [channelIds, setChannelIds] = useState<string[] | null>(
    user.channels?.map((channel) => channel.channelId) ?? null,
  )
  const role = roles.find((one) => one.roleId === roleId)
  const mayAll = mine?.channelIds === null
  // people with some channels can only assign those
  const reached = channelIds === null && !mayAll ? channels.map((channel) => channel.channelId) : channelIds
  const send = useSend(assignRole, {
    handles: ['ROLE_EXCEEDS', 'OWN_ACCESS', 'ORG_ADMIN', 'BAD_INPUT', 'NOT_FOUND'],
    onSuccess: ({ message }) => {
      toast.success(message ?? 'Role assigned successfully')
      onClose()
    },
  })
  const nothing = reached !== null && reached.length === 0 && role?.kind !== 'admin'
  return (
    <div className="grid gap-4">
      {send.error ? (
        <Banner
          tone="bad"
          live
          title={Object.values(send.error.errors)[0]?.[0] ?? send.error.detail ?? send.error.title}
        />
      ) : null}
      <div className="grid gap-5 md:grid-cols-2">
        <div className="grid content-start gap-4">
          <Field label="Role">
            <Select
              // the form may load after the dialog, whose close button has the focus by then
              // oxlint-disable-next-line jsx-a11y/no-autofocus
              autoFocus
              value={roleId}
              onChange={(event) => setRoleId(event.target.value)}
              {...(user.role ? {} : { placeholder: 'Choose a role' })}
              options={roles.map((one) => ({
                value: one.roleId,
                label: one.assignable ? one.name : `${one.name} (more permissions than yours)`,
                disabled: !one.assignable && one.roleId !== user.role?.roleId,
              }))}
            />
          </Field>
          <Field label="Channels" error={nothing ? CHANNEL_WANTED : undefined}>
            <ChannelChoice
              channels={channels}
              value={reached}
              onChange={setChannelIds}
              mayAll={mayAll}
              fixed={role?.kind === 'admin' ? 'All channels' : undefined}
            />
          </Field>
          <RadioGroup
            label="Publishing"
            value={publishing}
            onChange={setPublishing}
            choices={publishingChoices.map((value) => ({
              value,
              label: publishingWords[value],
              hint: publishingHint(value, role && publishingLevel(role.permissions)),
            }))}
          />
        </div>
        {/* scrollable content must be reachable by keyboard */}
        <div
          className="max-h-80 overflow-y-auto rounded-md bg-sunken p-3 inset-ring inset-ring-line"
          role="region"
          aria-label="What the role can do"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
        >
          {role ? (
            <RoleSummary permissions={effective(role.permissions, publishing)} />
          ) : (
            <p className="text-sm text-ink-muted">Choose a role to see what it can do.</p>
          )}
        </div>
      </div>
      <p className="text-sm text-ink-muted">Takes effect immediately.</p>
      {/* visible on low windows too, where the form scrolls */}
      <div className="sticky -bottom-5 z-1 -mx-5 -mb-5 flex flex-wrap justify-end gap-2 border-t border-line bg-raised px-5 py-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          tone="primary"
          disabled={!role || nothing}
          loading={send.isPending}
          onClick={() =>
            send.mutate({
              params: ids,
              body: { roleId, userId: user.userId, channelIds: role?.kind === 'admin' ? null : reached, publishing },
            })
          }
        >
          Change role
        </Button>
      </div>
    </div>
  )
}
