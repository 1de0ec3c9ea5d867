import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { Email } from '#contract/identity.ts'
import { addableUsers, addUser, type Person } from '#contract/members.ts'
import { myPermissions } from '#contract/organizations.ts'
import { PublishingChoice, publishingChoices, publishingWords } from '#contract/permissions.ts'
import { listRoles } from '#contract/roles.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { publishingHint } from '#web/lib/publishingHint.ts'
import { useCall, type Reading } from '#web/lib/queries.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ChannelChoice } from '#web/ui/ChannelChoice.tsx'
import { CHANNEL_WANTED, type NamedChannel } from '#web/ui/channelSelection.ts'
import { Combobox } from '#web/ui/Combobox.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { Select } from '#web/ui/Select.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { toast } from '#web/ui/toast.ts'
import { nameOf } from './rights.ts'

const Fields = z.object({
  email: Email,
  roleId: z.uuid('Choose a role'),
  channelIds: z.array(z.string()).nullable(),
  publishing: PublishingChoice,
})
/** Admins have every channel; everyone else needs at least one. */
const fieldsFor = (isAdminRole: (roleId: string) => boolean) =>
  Fields.refine(({ roleId, channelIds }) => isAdminRole(roleId) || channelIds?.length !== 0, {
    path: ['channelIds'],
    error: CHANNEL_WANTED,
    // shown with the other errors
    when: () => true,
  })

type Props = {
  ids: ProjectIds
  onClose: () => void
  /** People who aren't members of the organization yet get an email. */ onInvite: (email: string) => void
}

/** Adds a member of the organization to the project. */
export function AddUserDialog({
  channels,
  ...rest
}: Props & { channels: Reading<{ channels: readonly NamedChannel[] }> }) {
  const mine = useCall(myPermissions, { params: rest.ids }, { handles: true })
  return (
    <Dialog
      open
      onOpenChange={rest.onClose}
      title="Add New User"
      description="Add someone from your organization to this project."
    >
      <Loaded query={channels} skeleton={<SkeletonLines lines={6} />}>
        {(known) => (
          <Loaded query={mine} skeleton={<SkeletonLines lines={6} />}>
            {({ channelIds }) => <Form {...rest} channels={known.channels} mayAll={channelIds === null} />}
          </Loaded>
        )}
      </Loaded>
    </Dialog>
  )
}

function Form({
  ids,
  channels,
  mayAll,
  onClose,
  onInvite,
}: Props & { channels: readonly NamedChannel[]; mayAll: boolean }) {
  const addable = useCall(addableUsers, { params: ids }, { handles: true, staleTime: 0 })
  const roles = useCall(listRoles, { params: ids }, { handles: true }).data?.roles ?? []
  const form = useForm<z.input<typeof Fields>>({
    resolver: zodResolver(fieldsFor((roleId) => roles.some((one) => one.roleId === roleId && one.kind === 'admin'))),
    defaultValues: {
      email: '',
      roleId: '',
      channelIds: mayAll ? null : channels.map((channel) => channel.channelId),
      publishing: 'full',
    },
  })
  const { errors } = form.formState
  const [email, roleId] = useWatch({ control: form.control, name: ['email', 'roleId'] })
  const send = useFormSend(addUser, form, {
    handles: ['ALREADY_MEMBER', 'ROLE_EXCEEDS', 'NOT_FOUND'],
    onFailure: (failure) => {
      if (failure.code === 'ALREADY_MEMBER' || failure.code === 'NOT_FOUND') {
        form.clearErrors('root')
        form.setError(
          'email',
          {
            type: failure.code,
            message:
              failure.code === 'NOT_FOUND'
                ? 'Nobody in your organization uses this address.'
                : (failure.detail ?? failure.title),
          },
          { shouldFocus: true },
        )
      }
    },
    onSuccess: ({ message }) => {
      toast.success(message ?? 'User added successfully')
      onClose()
    },
  })

  const address = email.trim().toLowerCase()
  const stranger =
    addable.data !== undefined &&
    Email.safeParse(address).success &&
    !addable.data.users.some((user) => user.email === address)
  const role = roles.find((one) => one.roleId === roleId)
  const isAdmin = role?.kind === 'admin'
  const submit = form.handleSubmit((body) =>
    send.mutate({ params: ids, body: { ...body, channelIds: isAdmin ? null : body.channelIds } }),
  )

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <FormError errors={errors} />
      <Field
        label="Email"
        error={errors.email?.message}
        hint={
          stranger ? (
            <>
              Not a member yet:{' '}
              <button
                type="button"
                onClick={() => onInvite(address)}
                className="hit-area font-medium text-accent underline decoration-accent/40 underline-offset-3 hover:decoration-current"
              >
                invite instead
              </button>
            </>
          ) : addable.data?.users.length === 0 ? (
            'Everyone in your organization is already in this project. You can invite others.'
          ) : null
        }
      >
        <Controller
          control={form.control}
          name="email"
          render={({ field: { ref, ...field } }) => (
            <Combobox
              {...field}
              ref={ref}
              type="email"
              inputMode="email"
              autoCapitalize="none"
              spellCheck={false}
              placeholder="Name or email"
              listLabel="Organization members"
              options={(addable.data?.users ?? []).map((user) => ({
                value: user.email,
                name: nameOf(user),
                shown: <PersonLine user={user} />,
              }))}
            />
          )}
        />
      </Field>
      <Field label="Channels" error={errors.channelIds?.message}>
        <Controller
          control={form.control}
          name="channelIds"
          render={({ field }) => (
            <ChannelChoice
              ref={field.ref}
              channels={channels}
              value={field.value}
              onChange={field.onChange}
              mayAll={mayAll}
              fixed={isAdmin ? 'All channels' : undefined}
            />
          )}
        />
      </Field>
      <Field label="Role" error={errors.roleId?.message}>
        <Select
          {...form.register('roleId')}
          placeholder="Choose a role"
          options={roles.map((one) => ({
            value: one.roleId,
            label: one.assignable ? one.name : `${one.name} (more permissions than yours)`,
            disabled: !one.assignable,
          }))}
        />
      </Field>
      <RadioGroup
        label="Publishing"
        input={form.register('publishing')}
        choices={publishingChoices.map((value) => ({
          value,
          label: publishingWords[value],
          hint: publishingHint(value, role?.publishes),
        }))}
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" tone="primary" loading={send.isPending}>
          Add User
        </Button>
      </div>
    </form>
  )
}

function PersonLine({ user }: { user: Person }) {
  const name = nameOf(user)
  return (
    <>
      <Avatar name={name} src={user.profileUrl} size={24} />
      <span className="grid min-w-0">
        <span dir="auto" className="truncate leading-tight font-semibold">
          {name}
        </span>
        {name === user.email ? null : (
          <span className="truncate text-sm leading-tight text-ink-muted">{user.email}</span>
        )}
      </span>
    </>
  )
}
