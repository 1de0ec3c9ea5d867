import ExternalLink from 'lucide-react/icons/external-link'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { Channel } from '#contract/channels.ts'
import { connectAuth } from '#contract/connect.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { keepPending, type ReturnTo } from './pending.ts'
import type { Variant } from './useWays.ts'

type Props = {
  ids: ProjectIds
  platform: PlatformKey
  channel?: Channel | undefined
  variants: readonly Variant[]
  /** How a channel is reconnected; by default, as before. */ variant?: string | undefined
  returnTo: ReturnTo
  onCancel: () => void
}

/** Leaves for the platform's own page, which redirects the person to /oauth/{platform}/callback. */
export function PageConnect({ ids, platform, channel, variants, variant: again, returnTo, onCancel }: Props) {
  const prompt = platformRules[platform].server
  const [leaving, setLeaving] = useState(false)
  // a channel knows its account's server
  const form = useForm({
    defaultValues: {
      domain: channel?.domain ?? '',
      variant: variants.find(({ problem }) => problem === null)?.value ?? '',
    },
  })
  const { errors } = form.formState
  const begin = useFormSend(connectAuth, form, {
    handles: ['CHANNEL_REFUSED', 'CHANNEL_UNREACHABLE', 'CHANNEL_DELETING', 'ADDRESS_REFUSED', 'NOT_FOUND'],
    onFailure: ({ meta }) => {
      if (typeof meta['reason'] === 'string') form.setError('root.server', { message: meta['reason'] })
    },
    onSuccess: ({ url }) => {
      keepPending({
        orgId: ids.orgId,
        projectId: ids.projectId,
        platform,
        state: new URL(url).searchParams.get('state'),
        channel: channel
          ? { channelId: channel.channelId, channelName: channel.channelName, handle: channel.handle }
          : null,
        returnTo,
      })
      setLeaving(true)
      window.location.assign(url)
    },
  })
  // a channel is reconnected the way it was connected
  const chooses = variants.length > 1 && !channel
  const way = channel ? variants.find(({ value }) => value === again) : undefined
  const advice = begin.error?.meta['advice']
  const submit = form.handleSubmit(({ domain, variant }) =>
    begin.mutate({
      params: { ...ids, platform },
      query: {
        ...(domain.trim() ? { domain: domain.trim() } : {}),
        ...(channel ? { channelId: channel.channelId } : {}),
        ...(chooses ? { variant } : way ? { variant: way.value } : {}),
      },
    }),
  )
  const name = platformName(platform)

  // it appeared after its dialog closed: the focus moves to the next action
  const go = useRef<HTMLButtonElement>(null)
  const asks = prompt !== undefined && !channel
  const { setFocus } = form
  useEffect(() => {
    if (asks) setFocus('domain')
    else go.current?.focus()
  }, [asks, setFocus])

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <FormError errors={errors}>{typeof advice === 'string' ? advice : null}</FormError>
      {way ? <p>{`It will be connected as ${way.label}. ${way.description}`}</p> : null}
      <p className="text-ink-muted">{`You'll give Rookery access on ${name}'s own page, then come back here. Rookery never sees your password.`}</p>
      {chooses ? (
        <RadioGroup
          label="Connect as"
          choices={variants.map(({ value, label, description, problem }) => ({
            value,
            label,
            hint: problem ?? description,
            disabled: problem !== null,
          }))}
          input={form.register('variant')}
          error={errors.variant?.message}
        />
      ) : null}
      {asks ? (
        <Field label={prompt.label} optional={prompt.wanted === null} error={errors.domain?.message} hint={prompt.hint}>
          <TextInput
            {...form.register('domain', { validate: (text) => text.trim() !== '' || (prompt.wanted ?? true) })}
            size="l"
            placeholder={prompt.placeholder}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button
          ref={go}
          type="submit"
          tone="primary"
          loading={begin.isPending || leaving}
          icon={<ExternalLink size={14} aria-hidden />}
        >
          {channel ? `Reconnect on ${name}` : `Continue to ${name}`}
        </Button>
      </div>
    </form>
  )
}
