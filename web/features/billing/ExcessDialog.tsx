import { useState } from 'react'
import { excess, keepActive, type Excess } from '#contract/billing.ts'
import { allChannels, listChannels, myChannels } from '#contract/channels.ts'
import { listOrgUsers, listUsers } from '#contract/members.ts'
import { home, plan } from '#contract/organisations.ts'
import { listOrgChannels, listProjects } from '#contract/orgSettings.ts'
import { useHome } from '#web/lib/project.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { toast } from '#web/ui/toast.ts'

const kinds = ['projects', 'channels', 'users'] as const
type Kind = (typeof kinds)[number]
const words = { projects: 'Projects', channels: 'Channels', users: 'Users' } as const
type Item = { id: string; name: string; note: string; locked: boolean }

function itemsOf(facts: Excess, kind: Kind): Item[] {
  switch (kind) {
    case 'projects':
      return facts.projects.items.map(({ projectId, name, locked }) => ({ id: projectId, name, note: '', locked }))
    case 'channels':
      return facts.channels.items.map(({ channelId, name, platform, projectName, locked }) => ({ id: channelId, name, note: `${platformName(platform)}, ${projectName}`, locked }))
    case 'users':
    default:
      return facts.users.items.map(({ userId, name, isOrgAdmin, locked }) => ({ id: userId, name, note: isOrgAdmin ? 'Organization admin' : '', locked }))
  }
}

/** Whether the organisation has more of something than its plan, or something is locked. */
const isBeyond = (facts: Excess): boolean => kinds.some((kind) => facts[kind].items.length > facts[kind].allowed || itemsOf(facts, kind).some(({ locked }) => locked))

/** Says that more is there than the plan allows, and leads to the choice; nothing when all fits. */
export function ExcessNotice({ orgId, choosing, onChoosing }: { orgId: string; choosing: boolean; onChoosing: (on: boolean) => void }) {
  const facts = useCall(excess, { params: { orgId } }, { handles: true }).data
  if (!facts || !isBeyond(facts)) return null
  return (
    <>
      <Banner tone="wait" title="There is more here than the plan allows" actions={<Button onClick={() => onChoosing(true)}>Choose what stays active</Button>}>
        The rest can be read, and nothing of it is deleted.
      </Banner>
      {choosing ? <ExcessDialog orgId={orgId} facts={facts} onClose={() => onChoosing(false)} /> : null}
    </>
  )
}

function ExcessDialog({ orgId, facts, onClose }: { orgId: string; facts: Excess; onClose: () => void }) {
  const me = useHome().data?.user.userId
  const [kept, setKept] = useState<Record<Kind, readonly string[]>>(() => {
    // whoever chooses stays: somebody has to be able to choose again
    const active = (kind: Kind) =>
      itemsOf(facts, kind)
        .filter(({ locked }) => !locked)
        .toSorted((one, other) => Number(other.id === me) - Number(one.id === me))
        .map(({ id }) => id)
        .slice(0, facts[kind].allowed)
    return { projects: active('projects'), channels: active('channels'), users: active('users') }
  })
  const send = useSend(keepActive, {
    refreshes: [excess, plan, home, listOrgChannels, listProjects, listChannels, allChannels, myChannels, listUsers, listOrgUsers],
    handles: ['BAD_INPUT', 'PLAN_LIMIT'],
    onSuccess: () => {
      toast.success('Your choice is active')
      onClose()
    },
  })
  const beyond = kinds.filter((kind) => facts[kind].items.length > facts[kind].allowed || itemsOf(facts, kind).some(({ locked }) => locked))
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="m"
      title="Choose what stays active"
      description="Locked channels send nothing, locked users may only look. A larger plan unlocks everything again."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" loading={send.isPending} onClick={() => send.mutate({ params: { orgId }, body: { projectIds: [...kept.projects], channelIds: [...kept.channels], userIds: [...kept.users] } })}>
            Keep these active
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        {send.error?.code === 'BAD_INPUT' || send.error?.code === 'PLAN_LIMIT' ? <Banner tone="bad" live title={send.error.detail ?? send.error.title} /> : null}
        {beyond.map((kind) => (
          <fieldset key={kind} className="grid gap-2">
            <legend className="mb-2 flex w-full items-baseline justify-between gap-4 font-bold">
              {words[kind]}
              <span className="tnum text-sm font-normal text-ink-muted">
                {kept[kind].length} of {facts[kind].allowed} chosen
              </span>
            </legend>
            {itemsOf(facts, kind).map(({ id, name, note }) => {
              const checked = kept[kind].includes(id)
              return (
                <Checkbox
                  key={id}
                  label={name}
                  hint={id === me ? 'You' : note || undefined}
                  checked={checked}
                  disabled={(id === me && checked) || (!checked && kept[kind].length >= facts[kind].allowed)}
                  onChange={() => setKept({ ...kept, [kind]: checked ? kept[kind].filter((one) => one !== id) : [...kept[kind], id] })}
                />
              )
            })}
          </fieldset>
        ))}
      </div>
    </Dialog>
  )
}
