import { useState, type ReactNode } from 'react'
import { addCompetitor, findCompetitor, MOST_COMPETITORS } from '#contract/analytics/competitors.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { useProjectIds, type ProjectIds } from '#web/lib/project.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Link } from '#web/ui/Link.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { Select } from '#web/ui/Select.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'
import { comparablePlatforms, exampleOf, missingText, type MissingReason } from './competitorWords.ts'

type Props = {
  onClose: () => void
  /** Platforms with a connected channel. */
  connected: readonly PlatformKey[]
}

/** Looks an account up by its handle or its profile's link, shows it, and adds it. */
export default function AddCompetitor({ onClose, connected }: Props) {
  const ids = useProjectIds()
  const able = comparablePlatforms.filter((one) => connected.includes(one))
  const [platform, setPlatform] = useState<PlatformKey>(able[0] ?? comparablePlatforms[0] ?? 'bluesky')
  const [text, setText] = useState('')
  const [asked, setAsked] = useState<{ platform: PlatformKey; query: string }>()
  const found = useCall(
    findCompetitor,
    { params: ids, query: asked ?? { platform, query: 'x' } },
    { enabled: asked !== undefined, handles: true, staleTime: 0 },
  )
  const add = useSend(addCompetitor, {
    handles: true,
    onSuccess: () => {
      toast.success('Competitor added')
      onClose()
    },
  })
  const account = asked ? found.data?.account : undefined
  const failure = asked ? found.error : null
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Add competitor"
      size="m"
      description={`A project can have ${MOST_COMPETITORS} competitors. Each is read once a day.`}
      footer={
        <>
          <Button tone="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button
            tone="primary"
            disabled={!account || account.isAdded}
            loading={add.isPending}
            onClick={() => asked && add.mutate({ params: ids, body: asked })}
          >
            Add competitor
          </Button>
        </>
      }
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const query = text.trim()
          if (query) setAsked({ platform, query })
        }}
      >
        <div className="grid gap-3 sm:grid-cols-[11rem_minmax(0,1fr)]">
          <Field label="Platform">
            <Select
              value={platform}
              options={comparablePlatforms.map((one) => ({ value: one, label: platformName(one) }))}
              onChange={(event) => {
                setPlatform(PlatformKey.parse(event.target.value))
                setAsked(undefined)
              }}
            />
          </Field>
          <Field label="Handle or profile link">
            <div className="flex gap-2">
              <TextInput
                className="grow"
                value={text}
                placeholder={exampleOf(platform)}
                maxLength={300}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => {
                  setText(event.target.value)
                  setAsked(undefined)
                }}
              />
              <Button type="submit" disabled={text.trim() === ''} loading={found.isFetching}>
                Find
              </Button>
            </div>
          </Field>
        </div>
        <div aria-live="polite" className="min-h-16">
          {asked && found.isFetching ? <SkeletonRows rows={1} /> : null}
          {failure && !found.isFetching ? <Banner tone="bad" title={failure.detail ?? 'The lookup failed.'} /> : null}
          {found.data?.why && asked && !found.isFetching ? (
            <Banner
              tone="wait"
              title={missingText(found.data.why, asked.platform)}
              actions={remedyFor(found.data.why, ids)}
            />
          ) : null}
          {account && !found.isFetching ? (
            <div className="flex items-center gap-3 rounded-lg border border-line bg-surface px-3.5 py-3">
              <Avatar name={account.name} src={account.pictureUrl} size={40} platform={account.platformName} />
              <div className="min-w-0 grow">
                <p dir="auto" className="truncate font-semibold">
                  {account.name}
                </p>
                <p dir="auto" className="truncate text-sm text-ink-muted">
                  {account.handle}
                  {account.followers === null ? '' : ` · ${account.followers.toLocaleString('en')} followers`}
                </p>
              </div>
              {account.isAdded ? <span className="text-sm text-ink-muted">Already added</span> : null}
            </div>
          ) : null}
          {add.error ? <Banner tone="bad" live title={add.error.detail ?? "It couldn't be added."} /> : null}
        </div>
      </form>
    </Dialog>
  )
}

/** Where what is missing can be set up; nothing where it can't. */
function remedyFor(why: MissingReason, ids: ProjectIds): ReactNode {
  if (why === 'spending')
    return (
      <Link to="/$orgId/project/$projectId/org-settings" params={ids}>
        Organization settings
      </Link>
    )
  return why === 'signedOut' || why === 'rights' ? (
    <Link to="/$orgId/project/$projectId/channels" params={ids}>
      Channels
    </Link>
  ) : null
}
