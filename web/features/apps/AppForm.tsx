import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch } from 'react-hook-form'
import { AppCredentials, putApp, type PlatformApp } from '#contract/apps.ts'
import type { AppSetup } from '#contract/platforms/rules.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { PasswordInput } from '#web/ui/PasswordInput.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'

/** The two values that the platform issued. The secret has to be entered again each time: it is never shown again. */
export function AppForm({ orgId, app, setup }: { orgId: string; app: PlatformApp; setup: AppSetup }) {
  const isOwn = app.state === 'organization'
  const form = useForm({
    resolver: zodResolver(AppCredentials),
    defaultValues: { clientId: isOwn ? (app.clientId ?? '') : '', clientSecret: '', sandbox: isOwn && app.sandbox },
  })
  const { errors } = form.formState
  const save = useFormSend(putApp, form, {
    handles: ['APP_NOT_TAKEN'],
    onSuccess: ({ message }) => toast.success(message ?? 'Saved'),
  })
  const typedId = useWatch({ control: form.control, name: 'clientId' }).trim()
  const loses = isOwn && app.channels > 0 && typedId !== '' && typedId !== app.clientId
  return (
    <form
      noValidate
      onSubmit={(event) =>
        void form.handleSubmit((body) => save.mutate({ params: { orgId, app: app.app }, body }))(event)
      }
      className="grid gap-4"
    >
      <FormError errors={errors} />
      <Field label={setup.clientId} error={errors.clientId?.message}>
        <TextInput {...form.register('clientId')} autoComplete="off" autoCapitalize="none" spellCheck={false} />
      </Field>
      <Field
        label={setup.clientSecret}
        error={errors.clientSecret?.message}
        hint={
          isOwn
            ? 'We never show the saved secret. Enter it again, or enter a new one.'
            : 'Stored encrypted and never shown again.'
        }
      >
        <PasswordInput {...form.register('clientSecret')} autoComplete="off" />
      </Field>
      {setup.sandbox ? <Checkbox {...form.register('sandbox')} label="Use the sandbox" hint={setup.sandbox} /> : null}
      {loses ? (
        <p className="text-sm text-pretty text-wait">{`${channelsOf(app.channels)} connected with the previous app will need to be reconnected when their sign-in expires.`}</p>
      ) : null}
      <Button type="submit" tone="primary" loading={save.isPending} className="justify-self-start">
        Save
      </Button>
    </form>
  )
}

export const channelsOf = (channels: number): string =>
  channels === 1 ? '1 channel that is' : `${channels} channels that are`
