import { clsx } from 'clsx'
import type { Channel } from '#contract/channels.ts'
import { linkTagNames } from '#contract/links/details.ts'
import { setProjectLinks, type LinkSettings } from '#contract/links/settings.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Panel, paperClass } from '#web/ui/Panel.tsx'
import { toast } from '#web/ui/toast.ts'
import { LinkPreview } from './LinkPreview.tsx'
import { TagFields } from './TagFields.tsx'
import { useLinkForm } from './useLinkForm.ts'

type Props = {
  ids: ProjectIds
  settings: LinkSettings
  /** Of the example. */ channel: Channel | undefined
  mayEdit: boolean
}

/** What most projects begin with. */
const SUGGESTED = { utm_source: '{platform}', utm_medium: 'social', utm_campaign: '{campaign}' }

/** The tags and short links of all channels without settings of their own. */
export function ProjectLinks({ ids, settings, channel, mayEdit }: Props) {
  const form = useLinkForm(settings.project)
  const send = useSend(setProjectLinks, {
    handles: true,
    onSuccess: ({ message }) => {
      form.reset()
      toast.success(message ?? 'Link settings saved')
    },
    onError: form.fail,
  })
  const save = () => {
    const body = form.checked()
    if (body) send.mutate({ params: ids, body })
  }
  const isEmpty = linkTagNames.every((name) => !form.value.tags[name])
  return (
    <Panel title="All channels">
      <form
        noValidate
        className={clsx(paperClass, 'grid gap-4 p-3.5')}
        onSubmit={(event) => {
          event.preventDefault()
          if (mayEdit) save()
        }}
      >
        <p className="text-pretty text-ink-muted">
          Added to links in posts when they&apos;re published, except to links to social networks. Posts that are
          already scheduled keep what they have.
        </p>
        <TagFields
          value={form.value}
          onChange={form.change}
          errors={form.errors}
          shortUrl={settings.shortUrl}
          disabled={!mayEdit}
        />
        {isEmpty && mayEdit ? (
          <Button
            tone="quiet"
            size="s"
            className="justify-self-start"
            onClick={() => form.change({ ...form.value, tags: SUGGESTED })}
          >
            Use the usual tags
          </Button>
        ) : null}
        <LinkPreview setting={form.value} channel={channel} hosts={settings} />
        {form.refused ? (
          <p role="alert" className="text-sm text-bad">
            {form.refused}
          </p>
        ) : null}
        {mayEdit ? (
          <div className="flex gap-2">
            <Button type="submit" tone="primary" disabled={!form.isChanged} loading={send.isPending}>
              Save
            </Button>
            {form.isChanged ? <Button onClick={form.reset}>Discard</Button> : null}
          </div>
        ) : null}
      </form>
    </Panel>
  )
}
