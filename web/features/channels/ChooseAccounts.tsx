import { useState } from 'react'
import type { Channel } from '#contract/channels.ts'
import { connectConfirm, type OfferedAccount } from '#contract/connect.ts'
import type { Gate } from '#contract/plans.ts'
import { gates } from '#contract/plans.ts'
import type { ApiFailure } from '#web/lib/failure.ts'
import { count } from '#web/lib/format.ts'
import { useSend } from '#web/lib/queries.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { GateNotice } from '#web/ui/GateNotice.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import type { Pending } from './pending.ts'
import { cannotWithout } from './rights.ts'

type Props = {
  pending: Pending
  flowId: string
  accounts: readonly OfferedAccount[]
  onConnected: (channels: Channel[], message: string | undefined) => void
  onCancel: () => void
}

/** Which of the accounts that the platform offered become channels; all of the chosen, or none. */
export function ChooseAccounts({ pending, flowId, accounts, onConnected, onCancel }: Props) {
  const { orgId, projectId, platform } = pending
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [asked, setAsked] = useState(false)
  const confirm = useSend(connectConfirm, {
    handles: ['BAD_INPUT', 'CONNECT_EXPIRED', 'CHANNEL_REFUSED', 'CHANNEL_TAKEN', 'CHANNEL_DELETING', 'PLAN_LIMIT'],
    onSuccess: ({ channels, message }) => onConnected(channels, message),
  })
  const toggle = (remoteId: string, on: boolean) =>
    setChosen((before) => (on ? [...before, remoteId] : before.filter((one) => one !== remoteId)))
  const submit = () => {
    setAsked(true)
    if (chosen.length > 0)
      confirm.mutate({ params: { orgId, projectId, platform }, body: { flowId, profiles: [...chosen] } })
  }
  const none = asked && chosen.length === 0

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onCancel()
      }}
      title={`Choose ${platformName(platform)} accounts`}
      description="Each account you choose becomes a channel in this project."
      footer={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          <Button tone="primary" loading={confirm.isPending} onClick={submit}>
            {chosen.length > 1 ? `Connect ${count(chosen.length, 'account')}` : 'Connect'}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <ConfirmFailure failure={confirm.error} />
        <fieldset aria-describedby={none ? 'choose-accounts-error' : undefined} className="grid gap-1">
          <legend className="sr-only">Accounts</legend>
          {accounts.map((account) => (
            <Checkbox
              key={account.remoteId}
              className="rounded-md border border-line bg-surface px-3 py-2.5 items-center! not-last:mb-1"
              checked={chosen.includes(account.remoteId)}
              onChange={(event) => toggle(account.remoteId, event.target.checked)}
              label={
                <span className="flex min-w-0 items-center gap-3">
                  <Avatar name={account.name} src={account.profileUrl} platform={platform} size={30} />
                  <span className="grid min-w-0 leading-snug">
                    <span className="flex min-w-0 items-center gap-2">
                      <span dir="auto" className="truncate font-semibold">
                        {account.name}
                      </span>
                      {account.kind ? <Badge>{account.kind}</Badge> : null}
                    </span>
                    <span dir="auto" className="truncate text-sm text-ink-muted">
                      {account.handle}
                    </span>
                    {account.connected ? (
                      <span className="text-sm text-ink-muted">Already connected. Choose it to reconnect it.</span>
                    ) : null}
                    {account.missing.length > 0 ? (
                      <span className="text-sm text-pretty text-wait">{`Not allowed to ${cannotWithout(platform, account.missing)}.`}</span>
                    ) : null}
                  </span>
                </span>
              }
            />
          ))}
          {none ? (
            <p id="choose-accounts-error" role="alert" className="text-sm text-bad">
              Choose an account
            </p>
          ) : null}
        </fieldset>
      </div>
    </Dialog>
  )
}

/** Why the chosen accounts couldn't be connected: the plan's gate, or the platform's reason with what to do. */
export function ConfirmFailure({ failure }: { failure: ApiFailure | null }) {
  if (!failure) return null
  const gate = gateOf(failure)
  // capacity isn't the problem
  if (gate)
    return (
      <GateNotice
        gate={gate}
        {...(failure.meta['usedOnTrial'] === true && failure.detail ? { title: failure.detail } : {})}
      />
    )
  const { reason, advice } = failure.meta
  return (
    <Banner tone="bad" live title={typeof reason === 'string' ? reason : (failure.detail ?? failure.title)}>
      {typeof advice === 'string' ? advice : null}
    </Banner>
  )
}

function gateOf(failure: ApiFailure): Gate | undefined {
  return failure.code === 'PLAN_LIMIT' ? gates.find((gate) => gate === failure.meta['gate']) : undefined
}
