import { useState } from 'react'
import { enableChannel, type Channel } from '#contract/channels.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { count } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { toast } from '#web/ui/toast.ts'

type Late = BodyOf<typeof enableChannel>['late']

/** Resumes a channel: says how many posts continue, and asks what to do with late ones. */
export function EnableDialog({
  ids,
  channel,
  verb = 'Enable',
  onClose,
}: {
  ids: ProjectIds
  channel: Channel
  /** One that the plan paused is reactivated. */ verb?: 'Enable' | 'Reactivate'
  onClose: () => void
}) {
  const [late, setLate] = useState<Late>('wait')
  const enable = useSend(enableChannel, {
    onSuccess: ({ message }) => {
      toast.success(message ?? 'Channel Enabled')
      onClose()
    },
    // the upgrade dialog replaces it
    onError: ({ code }) => {
      if (code === 'PLAN_LIMIT') onClose()
    },
  })
  const { latenessMinutes } = channel
  const latePosts = channel.latePosts ?? 0
  const inTime = Math.max(0, (channel.scheduledPosts ?? 0) - latePosts)
  const them = latePosts === 1 ? 'it' : 'them'
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${verb} ${channel.channelName}?`}
      description={
        inTime > 0
          ? `${count(inTime, 'paused post')} will be published as planned.`
          : channel.scheduledPosts === null
            ? 'Its paused posts will be published as planned. Overdue ones wait for a decision.'
            : `You'll be able to schedule and publish to this channel again. ${latePosts > 0 ? 'All its paused posts are overdue.' : 'It has no paused posts.'}`
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            loading={enable.isPending}
            onClick={() => enable.mutate({ params: { ...ids, channelId: channel.channelId }, body: { late } })}
          >
            {verb}
          </Button>
        </>
      }
    >
      {latePosts > 0 ? (
        <RadioGroup
          label={`${count(latePosts, 'post')} ${latePosts === 1 ? 'is' : 'are'} more than ${count(latenessMinutes, 'minute')} late`}
          value={late}
          onChange={setLate}
          choices={[
            {
              value: 'wait',
              label: 'Decide later',
              hint: `${latePosts === 1 ? "It won't" : "They won't"} be published until you decide.`,
            },
            {
              value: 'publish',
              label: 'Publish now',
              hint:
                latePosts === 1
                  ? 'It will be published right away.'
                  : "They'll be published right away, one after another.",
            },
            {
              value: 'drafts',
              label: latePosts === 1 ? 'Make it a draft' : 'Make them drafts',
              hint: `You can change ${them} and give ${them} a new time.`,
            },
          ]}
        />
      ) : null}
    </Dialog>
  )
}
