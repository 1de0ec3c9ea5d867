import { zodResolver } from '@hookform/resolvers/zod'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { ConnectBluesky, connectBluesky } from '#contract/channels.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { OutsideLink } from '#web/ui/Link.tsx'
import { PasswordInput } from '#web/ui/PasswordInput.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'
import type { ConnectFormProps } from '../connectFormProps.ts'
import { DEFAULT_SERVICE, serviceOf } from './serviceOf.ts'

/** Handle, app password, and for accounts elsewhere their server's URL. */
export function ConnectBlueskyForm({ ids, channel, onConnected, onCancel }: ConnectFormProps) {
  const known = serviceOf(channel?.domain ?? null)
  const [elsewhere, setElsewhere] = useState(known !== '')
  const form = useForm({
    // an empty URL means the default one
    resolver: zodResolver(ConnectBluesky),
    defaultValues: { handle: channel?.handle.replace(/^@/, '') ?? '', appPassword: '', service: known || undefined },
  })
  const { errors } = form.formState
  const send = useFormSend(connectBluesky, form, {
    handles: [
      'CHANNEL_REFUSED',
      'CHANNEL_UNREACHABLE',
      'CHANNEL_TAKEN',
      'CHANNEL_DELETING',
      'PLAN_LIMIT',
      'ADDRESS_REFUSED',
    ],
    onFailure: ({ meta }) => {
      if (typeof meta['reason'] === 'string') form.setError('root.server', { message: meta['reason'] })
    },
    onSuccess: ({ channel: connected, reconnected, message }) => {
      toast.success(message ?? `${connected.channelName} ${reconnected ? 'reconnected' : 'connected'}`)
      onConnected(connected)
    },
  })

  // it appeared after its dialog: the focus moves to its first field
  const { setFocus } = form
  const first = channel ? 'appPassword' : 'handle'
  useEffect(() => setFocus(first), [first, setFocus])

  // the platform's reason is the title, what to do about it is below
  const advice = send.error?.meta['advice']

  return (
    <form
      noValidate
      onSubmit={(event) => void form.handleSubmit((body) => send.mutate({ params: ids, body }))(event)}
      className="grid gap-4"
    >
      <FormError errors={errors}>{typeof advice === 'string' ? advice : null}</FormError>
      <Field
        label="Handle"
        error={errors.handle?.message}
        hint={channel ? 'The account stays the same. Only the password changes.' : undefined}
      >
        <TextInput
          {...form.register('handle')}
          size="l"
          placeholder="name.bsky.social"
          readOnly={channel !== undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <Field
        label="App password"
        error={errors.appPassword?.message}
        hint={
          <>
            This isn't your account password. In Bluesky, go to Settings, Privacy and security, App passwords, and add
            one for Rookery:{' '}
            <OutsideLink href="https://bsky.app/settings/app-passwords">bsky.app/settings/app-passwords</OutsideLink>
          </>
        }
      >
        <PasswordInput
          {...form.register('appPassword')}
          size="l"
          placeholder="xxxx-xxxx-xxxx-xxxx"
          autoComplete="off"
        />
      </Field>
      {elsewhere ? (
        <Field
          label="Server"
          optional
          error={errors.service?.message}
          hint={`The address of the server that hosts your account. Leave it empty to use ${DEFAULT_SERVICE}.`}
        >
          <TextInput
            {...form.register('service', { setValueAs: (text: string | undefined) => text?.trim() || undefined })}
            size="l"
            type="url"
            inputMode="url"
            placeholder={DEFAULT_SERVICE}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
      ) : (
        <Button
          tone="quiet"
          size="s"
          icon={<ChevronRight size={14} aria-hidden />}
          onClick={() => setElsewhere(true)}
          className="-ml-2 justify-self-start"
        >
          Other server
        </Button>
      )}
      <div className="flex flex-wrap justify-end gap-2 pt-1">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" tone="primary" loading={send.isPending}>
          {channel ? 'Reconnect' : 'Connect'}
        </Button>
      </div>
    </form>
  )
}
