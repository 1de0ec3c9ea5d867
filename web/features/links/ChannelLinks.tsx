import { clsx } from 'clsx'
import { useId, useState } from 'react'
import type { Channel } from '#contract/channels.ts'
import { linkTagNames } from '#contract/links/details.ts'
import { linkSettingOf } from '#contract/links/fill.ts'
import { setChannelLinks, type LinkSetting, type LinkSettings } from '#contract/links/settings.ts'
import { useMay } from '#web/lib/permissions.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Panel, paperClass } from '#web/ui/Panel.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import { Select } from '#web/ui/Select.tsx'
import { toast } from '#web/ui/toast.ts'
import { LinkPreview } from './LinkPreview.tsx'
import { TagFields } from './TagFields.tsx'
import { useLinkForm } from './useLinkForm.ts'

type Props = { ids: ProjectIds; settings: LinkSettings; channels: readonly Channel[] }

/** Each channel: as the project, with its own tags and short links, or without. */
export function ChannelLinks({ ids, settings, channels }: Props) {
  return (
    <Panel title="Single channels">
      <ul className={clsx(paperClass, 'divide-y divide-line')}>
        {channels.map((channel) => (
          <li key={channel.channelId} className="p-3.5">
            <OneChannel ids={ids} settings={settings} channel={channel} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

type Mode = 'project' | 'own' | 'none'
const choices = [
  { value: 'project', label: 'As all channels' },
  { value: 'own', label: 'Its own' },
  { value: 'none', label: 'None' },
] as const satisfies readonly { value: Mode; label: string }[]

const none: LinkSetting = { tags: {}, shorten: false }
const isNone = ({ tags, shorten }: LinkSetting) => !shorten && linkTagNames.every((name) => !tags[name])

function OneChannel({ ids, settings, channel }: Omit<Props, 'channels'> & { channel: Channel }) {
  const nameId = useId()
  const mayEdit = useMay([['channel', 'edit']], { channelId: channel.channelId }) === 'yes'
  const own = settings.channels.find(({ channelId }) => channelId === channel.channelId)
  // "Its own" is open before it's saved
  const [opened, setOpened] = useState(false)
  const form = useLinkForm(linkSettingOf(settings, channel.channelId))
  const send = useSend(setChannelLinks, {
    handles: true,
    onSuccess: ({ message }) => {
      form.reset()
      setOpened(false)
      toast.success(message ?? 'Link settings saved')
    },
    onError: form.fail,
  })
  const stored: Mode = !own ? 'project' : isNone(own) ? 'none' : 'own'
  const mode: Mode = opened ? 'own' : stored
  const put = (setting: LinkSetting | null) =>
    send.mutate({ params: { ...ids, channelId: channel.channelId }, body: { own: setting } })
  const choose = (next: Mode) => {
    form.reset()
    setOpened(next === 'own')
    if (next !== 'own' && next !== stored) put(next === 'none' ? none : null)
  }
  const save = () => {
    const setting = form.checked()
    if (setting) put(setting)
  }
  return (
    <form
      noValidate
      aria-labelledby={nameId}
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (mode === 'own' && mayEdit) save()
      }}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <span id={nameId} className="flex min-w-0 items-center gap-2 font-semibold">
          <PlatformIcon platform={channel.platformName} named size={16} />
          <span dir="auto" className="truncate">
            {channel.handle || channel.channelName}
          </span>
        </span>
        <Select
          aria-label={`Links of ${channel.handle || channel.channelName}`}
          options={choices}
          value={mode}
          disabled={!mayEdit || send.isPending}
          className="w-44"
          onChange={({ target }) => {
            const chosen = choices.find(({ value }) => value === target.value)
            if (chosen) choose(chosen.value)
          }}
        />
      </div>
      {mode === 'own' ? (
        <>
          <TagFields
            value={form.value}
            onChange={form.change}
            errors={form.errors}
            shortUrl={settings.shortUrl}
            disabled={!mayEdit}
          />
          <LinkPreview setting={form.value} channel={channel} hosts={settings} />
        </>
      ) : null}
      {form.refused ? (
        <p role="alert" className="text-sm text-bad">
          {form.refused}
        </p>
      ) : null}
      {mode === 'own' && mayEdit ? (
        <div className="flex gap-2">
          <Button type="submit" tone="primary" disabled={stored === 'own' && !form.isChanged} loading={send.isPending}>
            Save
          </Button>
          {opened || form.isChanged ? <Button onClick={() => choose(stored)}>Cancel</Button> : null}
        </div>
      ) : null}
    </form>
  )
}
