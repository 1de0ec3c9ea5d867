import { useState } from 'react'
import { excess, keepActive, type BillingStatus, type Excess } from '#contract/billing.ts'
import { allChannels, listChannels, myChannels } from '#contract/channels.ts'
import { listOrgUsers, listUsers } from '#contract/members.ts'
import { home, plan } from '#contract/organizations.ts'
import { listOrgChannels, listProjects } from '#contract/orgSettings.ts'
import { useHome } from '#web/lib/project.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { remember } from '#web/lib/remember.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import {
  beyondOf,
  excessKinds,
  firstChoice,
  isBeyond,
  isFull,
  itemsOf,
  platformAllows,
  restsWithProject,
  toggled,
  type ExcessKind,
  type Kept,
} from './excessChoice.ts'
import { channelsKey, newsMemory } from './planNews.ts'

const words = { projects: 'Projects', channels: 'Channels', users: 'Users' } as const satisfies Record<
  ExcessKind,
  string
>

type Props = {
  orgId: string
  planStatus: BillingStatus['planStatus']
  choosing: boolean
  onChoosing: (on: boolean) => void
}

/** Says that more exists than the plan allows, and leads to the choice; nothing if all fits. */
export function ExcessNotice({ orgId, planStatus, choosing, onChoosing }: Props) {
  const facts = useCall(excess, { params: { orgId } }, { handles: true }).data
  if (!facts || beyondOf(facts).length === 0) return null
  // after a plan has ended, only Free is left
  const ended = planStatus === 'TRIAL_EXPIRED' || planStatus === 'CANCELLED'
  const fits = !excessKinds.some((kind) => isBeyond(facts, kind))
  return (
    <>
      <Banner
        tone="wait"
        title={
          fits
            ? 'Some channels or teammates are paused although your plan has room for them'
            : ended
              ? 'Your organization is over the limits of Free'
              : 'Your organization is over the limits of your plan'
        }
        actions={<Button onClick={() => onChoosing(true)}>Choose what stays active</Button>}
      >
        {fits
          ? 'Choose them to make them active again.'
          : ended
            ? 'To continue with Free, choose what stays active. The rest is paused, and nothing is deleted. A larger plan keeps more of it active.'
            : 'The rest is paused, and nothing is deleted.'}
      </Banner>
      {choosing ? <ExcessDialog orgId={orgId} facts={facts} onClose={() => onChoosing(false)} /> : null}
    </>
  )
}

function ExcessDialog({ orgId, facts, onClose }: { orgId: string; facts: Excess; onClose: () => void }) {
  const me = useHome().data?.user.userId
  const [kept, setKept] = useState<Kept>(() => firstChoice(facts, me))
  const send = useSend(keepActive, {
    refreshes: [
      excess,
      plan,
      home,
      listOrgChannels,
      listProjects,
      listChannels,
      allChannels,
      myChannels,
      listUsers,
      listOrgUsers,
    ],
    handles: ['BAD_INPUT', 'PLAN_LIMIT'],
    onSuccess: (after) => {
      remember(newsMemory(orgId), channelsKey(after.channels.items.filter(({ locked }) => locked).length))
      toast.success('Your choice was saved')
      onClose()
    },
  })
  const beyond = beyondOf(facts)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="m"
      title="Choose what stays active"
      description="Everything else is paused: channels don't publish, and users can only view. Nothing is deleted. If you upgrade, paused items become active again, up to your plan's limits. To choose a different one, clear one first."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            loading={send.isPending}
            onClick={() =>
              send.mutate({
                params: { orgId },
                body: { projectIds: [...kept.projects], channelIds: [...kept.channels], userIds: [...kept.users] },
              })
            }
          >
            Keep these active
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        {send.error?.code === 'BAD_INPUT' || send.error?.code === 'PLAN_LIMIT' ? (
          <Banner tone="bad" live title={send.error.detail ?? send.error.title} />
        ) : null}
        {beyond.map((kind) => (
          <fieldset key={kind} className="grid gap-2">
            <legend className="mb-2 flex w-full items-baseline justify-between gap-4 font-bold">
              {words[kind]}
              <span className="tnum text-sm font-normal text-ink-muted">
                {kept[kind].length} of {facts[kind].allowed} chosen
              </span>
            </legend>
            {itemsOf(facts, kind).map((item) => {
              const { id, name, note } = item
              const checked = kept[kind].includes(id)
              const rests = restsWithProject(kept, item)
              return (
                <Checkbox
                  key={id}
                  label={name}
                  hint={
                    id === me
                      ? 'You'
                      : [
                          note,
                          platformAllows(facts, item) === 0
                            ? 'not included in your plan'
                            : rests
                              ? 'paused with its project'
                              : '',
                        ]
                          .filter(Boolean)
                          .join(', ') || undefined
                  }
                  checked={checked}
                  disabled={(id === me && checked) || rests || (!checked && isFull(facts, kept, kind, item))}
                  onChange={() => setKept(toggled(facts, kept, kind, id))}
                />
              )
            })}
          </fieldset>
        ))}
      </div>
    </Dialog>
  )
}
