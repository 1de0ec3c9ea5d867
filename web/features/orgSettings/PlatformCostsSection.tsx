import { useId, useState } from 'react'
import { MonthlyLimit, platformCosts, setPlatformCost } from '#contract/inbox/costs.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'

type Cost = ReplyOf<typeof platformCosts>['platforms'][number]

const dollars = (amount: number, digits = 2): string =>
  new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount)

/** What platforms charge for reading the inbox and figures, and how much that may cost a month. Nothing is read without a limit. */
export function PlatformCostsSection({ orgId }: { orgId: string }) {
  const costs = useCall(platformCosts, { params: { orgId } }).data
  if (!costs || costs.platforms.length === 0) return null
  return (
    <section aria-labelledby="platform-costs" className="grid gap-4 border-t border-line pt-5">
      <div className="grid gap-1">
        <h2 id="platform-costs" className="font-bold">
          Inbox costs
        </h2>
        <p className="text-pretty text-ink-muted">
          Some platforms charge for each item that we read for your inbox and your insights. We read nothing until you
          set a limit, and stop when it&apos;s reached.
        </p>
      </div>
      {costs.platforms.map((cost) => (
        <Limit key={cost.platformName} orgId={orgId} cost={cost} />
      ))}
    </section>
  )
}

function Limit({ orgId, cost }: { orgId: string; cost: Cost }) {
  const { platformName, readPrice, monthlyLimit, spent, channels } = cost
  const mayEdit = useMay([['org_settings', 'edit']], { level: 'organization' }) === 'yes'
  const label = platformLabel(platformName)
  const stored = monthlyLimit === null ? '' : String(monthlyLimit)
  const [typed, setTyped] = useState<string>()
  const [refused, setRefused] = useState<string>()
  const told = useId()
  const value = typed ?? stored
  const send = useSend(setPlatformCost, {
    onSuccess: ({ message }) => {
      setTyped(undefined)
      toast.success(message ?? 'Inbox costs saved')
    },
  })
  const save = (limit: number | null) => {
    setRefused(undefined)
    send.mutate({ params: { orgId }, body: { platformName, monthlyLimit: limit } })
  }
  const submit = () => {
    const text = value.trim().replace(/^\$/, '').replaceAll(',', '')
    if (text === '') return save(null)
    const parsed = MonthlyLimit.safeParse(Number(text))
    return parsed.success ? save(parsed.data) : setRefused(parsed.error.issues[0]?.message ?? 'Enter an amount')
  }
  return (
    <form
      noValidate
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (mayEdit) submit()
      }}
    >
      <Field label={`Monthly limit for ${label} in US dollars`} error={refused}>
        <TextInput
          value={value}
          inputMode="decimal"
          placeholder="Not read"
          disabled={!mayEdit}
          aria-describedby={told}
          onChange={(event) => setTyped(event.target.value)}
          className="max-w-40"
        />
      </Field>
      <p id={told} className="text-pretty text-ink-muted tabular-nums">
        {label} charges up to {dollars(readPrice, 3)} for each comment or mention, with its author.{' '}
        {monthlyLimit === null
          ? channels === 0
            ? 'No channels connected.'
            : "We don't read it."
          : `${dollars(spent)} of ${dollars(monthlyLimit)} spent this month.`}{' '}
        Replies cost extra and aren&apos;t limited.
      </p>
      <div className="flex gap-2">
        <Button type="submit" aria-disabled={!mayEdit || value === stored} loading={send.isPending}>
          Save limit
        </Button>
        {monthlyLimit === null ? null : (
          <Button tone="quiet" aria-disabled={!mayEdit} onClick={() => save(null)}>
            Stop reading
          </Button>
        )}
      </div>
    </form>
  )
}
