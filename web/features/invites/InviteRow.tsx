import { clsx } from 'clsx'
import X from 'lucide-react/icons/x'
import type { ClipboardEvent } from 'react'
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { publishingChoices, publishingWords } from '#contract/permissions.ts'
import { ChannelChoice } from '#web/ui/ChannelChoice.tsx'
import type { NamedChannel } from '#web/ui/channelSelection.ts'
import { Field } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import type { InviteFields, RoleChoice } from './inviteFields.ts'

type Props = {
  row: number
  compact: boolean
  channels: readonly NamedChannel[]
  mayAll: boolean
  roles: readonly RoleChoice[]
  onPaste: (event: ClipboardEvent<HTMLInputElement>) => void
  onRemove: (() => void) | undefined
}

const publishingOptions = publishingChoices.map((value) => ({ value, label: publishingWords[value] }))

/** One person to invite. The labels are above the first row; on phones at every field. */
export function InviteRow({ row, compact, channels, mayAll, roles, onPaste, onRemove }: Props) {
  const form = useFormContext<InviteFields>()
  const errors = form.formState.errors.invites?.[row]
  const [choice, publishing] = useWatch({
    control: form.control,
    name: [`invites.${row}.choice`, `invites.${row}.publishing`],
  })
  const publishes = roles.find(({ value }) => value === choice)?.publishes
  const size = compact ? 'l' : 'm'
  // the label's row is the first child of a Field
  const labels = row > 0 ? 'md:[&>div:first-child]:sr-only' : ''
  return (
    <fieldset
      className={clsx(
        'grid min-w-0 items-start gap-2 max-md:rounded-md max-md:border max-md:border-line max-md:p-3',
        compact
          ? 'grid-cols-[minmax(0,1fr)_6.5rem] md:grid-cols-[minmax(0,1fr)_8rem_2rem]'
          : 'grid-cols-2 md:grid-cols-[minmax(0,1fr)_7.5rem_10.5rem_9.5rem_2rem]',
      )}
    >
      <legend className="sr-only">{`Person ${row + 1}`}</legend>
      <Field label="Email" error={errors?.email?.message} className={clsx(labels, compact ? '' : 'max-md:col-span-2')}>
        <TextInput
          {...form.register(`invites.${row}.email`)}
          size={size}
          type="email"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="name@example.org"
          onPaste={onPaste}
        />
      </Field>
      <Field label="Role" error={errors?.choice?.message} className={labels}>
        <Select {...form.register(`invites.${row}.choice`)} size={size} options={roles} />
      </Field>
      {compact ? null : (
        <>
          <Field label="Channels" error={errors?.channelIds?.message} className={labels}>
            <Controller
              control={form.control}
              name={`invites.${row}.channelIds`}
              render={({ field }) => (
                <ChannelChoice
                  ref={field.ref}
                  channels={channels}
                  value={field.value}
                  onChange={field.onChange}
                  mayAll={mayAll}
                  fixed={choice === 'admin' ? 'All channels' : undefined}
                />
              )}
            />
          </Field>
          <Field
            label="Publishing"
            error={errors?.publishing?.message}
            hint={publishing === 'full' && publishes === 'approval' ? 'Posts need approval.' : undefined}
            className={clsx(labels, 'max-md:col-span-2')}
          >
            <Select {...form.register(`invites.${row}.publishing`)} options={publishingOptions} />
          </Field>
        </>
      )}
      {onRemove ? (
        <IconButton
          label={`Remove person ${row + 1}`}
          icon={<X size={15} />}
          onClick={onRemove}
          className={clsx(
            'max-md:col-span-2 max-md:justify-self-end',
            compact ? 'md:mt-1' : '',
            row === 0 ? 'md:mt-6.5' : '',
          )}
        />
      ) : null}
    </fieldset>
  )
}
