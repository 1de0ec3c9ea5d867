import { zodResolver } from '@hookform/resolvers/zod'
import Plus from 'lucide-react/icons/plus'
import { Fragment, useState, type ClipboardEvent, type ReactNode } from 'react'
import { FormProvider, useFieldArray, useForm } from 'react-hook-form'
import { INVITES_AT_ONCE, inviteRoles, inviteUsers } from '#contract/invites.ts'
import { myPermissions } from '#contract/organizations.ts'
import type { Gate } from '#contract/plans.ts'
import { listRoles } from '#contract/roles.ts'
import type { ApiFailure } from '#web/lib/failure.ts'
import { showFieldErrors } from '#web/lib/formErrors.ts'
import { count } from '#web/lib/format.ts'
import { gateOf } from '#web/lib/onFailure.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import type { NamedChannel } from '#web/ui/channelSelection.ts'
import { FormError } from '#web/ui/FormError.tsx'
import { GateNotice } from '#web/ui/GateNotice.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { toast } from '#web/ui/toast.ts'
import { addressesIn } from './addresses.ts'
import {
  InviteFields,
  inviteOf,
  inviteRoleAbout,
  inviteRoleWords,
  roleChoices,
  type InviteRowValue,
} from './inviteFields.ts'
import { InviteRow } from './InviteRow.tsx'

type Props = {
  ids: ProjectIds
  /** The channels of the project, to choose from. */
  channels: readonly NamedChannel[]
  /** After the invitations were sent. */
  onDone: () => void
  /** Only email and role, as in the wizard: every channel, Full Publishing. */
  compact?: boolean
  /** The email to start with. */
  email?: string | undefined
  /** Shown before the submit button, such as Cancel or Skip. */
  beside?: ReactNode
}

/** Invites people by email, one row each; several pasted addresses become rows. Either all are sent or none. */
export function InviteForm(props: Props) {
  const mine = useCall(myPermissions, { params: props.ids }, { handles: true })
  // nobody can assign channels that they can't access themselves
  return (
    <Loaded query={mine} skeleton={<SkeletonLines lines={3} />}>
      {({ channelIds }) => <Rows {...props} mayAll={channelIds === null} />}
    </Loaded>
  )
}

function Rows({ ids, channels, onDone, compact = false, email = '', beside, mayAll }: Props & { mayAll: boolean }) {
  const roles = useCall(listRoles, { params: ids }, { handles: true })
  const fresh = (): InviteRowValue => ({
    email: '',
    choice: 'editor',
    channelIds: mayAll ? null : channels.map((channel) => channel.channelId),
    publishing: 'full',
  })

  const form = useForm({ resolver: zodResolver(InviteFields), defaultValues: { invites: [{ ...fresh(), email }] } })
  const rows = useFieldArray({ control: form.control, name: 'invites' })
  const [gate, setGate] = useState<Gate>()
  const send = useSend(inviteUsers, {
    handles: ['BAD_INPUT', 'PLAN_LIMIT', 'ALREADY_MEMBER', 'ROLE_EXCEEDS', 'NOT_FOUND', 'RATE_LIMITED'],
    onError: (failure) => (failure.code === 'PLAN_LIMIT' ? setGate(gateOf(failure) ?? 'users') : showFailure(failure)),
    onSuccess: ({ message }) => {
      toast.success(message ?? 'Users Invited Successfully')
      form.reset({ invites: [fresh()] })
      onDone()
    },
  })

  const showFailure = (failure: ApiFailure) => {
    const parts = ['email', 'channelIds', 'publishing'] as const
    const fields = rows.fields.flatMap((_, row) => parts.map((part) => `invites.${row}.${part}` as const))
    // a role is called `role` in the API and may be a custom one here
    const errors = Object.fromEntries(
      Object.entries(failure.errors).map(([path, messages]) => [path.replace(/\.(role|roleId)$/, '.choice'), messages]),
    )
    const choices = rows.fields.map((_, row) => `invites.${row}.choice` as const)
    const unplaced = showFieldErrors({ errors }, form.setError, [...fields, ...choices])
    if (unplaced.length > 0 || Object.keys(errors).length === 0)
      form.setError('root.server', { type: failure.code, message: unplaced[0] ?? failure.detail ?? failure.title })
  }

  const submit = () => {
    setGate(undefined)
    // rows that nobody filled in aren't invitations
    const { invites } = form.getValues()
    const filled = invites.filter((invite) => invite.email.trim() !== '')
    if (filled.length > 0 && filled.length < invites.length) rows.replace(filled)
    void form.handleSubmit(({ invites: ready }) =>
      send.mutate({ params: ids, body: { invites: ready.map(inviteOf) } }),
    )()
  }

  const paste = (row: number) => (event: ClipboardEvent<HTMLInputElement>) => {
    const [first, ...more] = addressesIn(event.clipboardData.getData('text'))
    if (first === undefined || more.length === 0) return
    event.preventDefault()
    const { invites } = form.getValues()
    const same = invites[row] ?? fresh()
    const known = new Set(invites.filter((_, at) => at !== row).map((invite) => invite.email.trim().toLowerCase()))
    const added = [first, ...more].filter((address) => !known.has(address)).map((email) => ({ ...same, email }))
    // empty rows make room for the pasted ones
    const before = invites.slice(0, row)
    const after = invites.slice(row + 1).filter((invite) => invite.email.trim() !== '')
    const room = INVITES_AT_ONCE - before.length - after.length
    if (added.length > room)
      toast.warning(
        `You can invite up to ${INVITES_AT_ONCE} people at once. ${count(added.length - room, 'address was', 'addresses were')} left out.`,
      )
    rows.replace([...before, ...added.slice(0, room), ...after])
  }

  const remove = (row: number) => {
    rows.remove(row)
    // the focus stays in the form
    if (row > 0) form.setFocus(`invites.${row - 1}.email`)
  }

  return (
    <FormProvider {...form}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
        className="grid gap-4"
      >
        {gate ? <GateNotice gate={gate} /> : null}
        <FormError errors={form.formState.errors} />
        <div className="grid gap-2 max-md:gap-3">
          {rows.fields.map((field, row) => (
            <InviteRow
              key={field.id}
              row={row}
              compact={compact}
              channels={channels}
              mayAll={mayAll}
              roles={roleChoices(compact ? undefined : roles.data?.roles)}
              onPaste={paste(row)}
              onRemove={rows.fields.length > 1 ? () => remove(row) : undefined}
            />
          ))}
        </div>
        <Button
          tone="quiet"
          className="justify-self-start"
          icon={<Plus size={15} aria-hidden />}
          disabled={rows.fields.length >= INVITES_AT_ONCE}
          onClick={() => {
            const { choice = 'editor', channelIds = null, publishing = 'full' } = form.getValues().invites.at(-1) ?? {}
            rows.append(
              { email: '', choice, channelIds, publishing },
              { focusName: `invites.${rows.fields.length}.email` },
            )
          }}
        >
          Add another
        </Button>
        {compact ? (
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">
            {inviteRoles.map((role) => (
              <Fragment key={role}>
                <dt className="font-semibold">{inviteRoleWords[role]}</dt>
                <dd className="text-pretty text-ink-muted">{inviteRoleAbout[role]}</dd>
              </Fragment>
            ))}
          </dl>
        ) : null}
        <p className="text-sm text-ink-muted">Each person gets an email with a link that works for 7 days.</p>
        <div className="flex flex-wrap justify-end gap-2">
          {beside}
          <Button type="submit" tone="primary" size={compact ? 'l' : 'm'} loading={send.isPending}>
            {rows.fields.length > 1 ? `Invite ${rows.fields.length} people` : 'Invite User'}
          </Button>
        </div>
      </form>
    </FormProvider>
  )
}
