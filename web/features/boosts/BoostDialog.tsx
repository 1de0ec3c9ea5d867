import { useState, type ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import {
  BOOST_BUDGET_MOST,
  BOOST_DAYS,
  boostAccounts,
  boostAudiences,
  postBoosts,
  startBoost,
  type AdAccount,
} from '#contract/boosts.ts'
import { count, dayAndTimeOf } from '#web/lib/format.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { newId } from '#web/lib/newId.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Select } from '#web/ui/Select.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'
import { moneyText, readMoney } from './money.ts'

const DAY = 86_400_000
const DAYS = 5

type Props = {
  title: string
  platform: string
  postId: string
  zone: string
  onClose: () => void
  onStarted: (boostId: string) => void
}

/** "Promote Facebook post": who pays, for whom, how much and for how long. */
export default function BoostDialog({ title, onClose, ...rest }: Props) {
  const ids = useProjectIds()
  const accounts = useCall(boostAccounts, { params: { ...ids, postId: rest.postId } }, { staleTime: 0, handles: true })
  return (
    <Dialog open onOpenChange={onClose} title={title} size="s">
      <Loaded
        query={accounts}
        skeleton={<SkeletonLines lines={6} label="Loading your ad accounts" />}
        isEmpty={(data) => data.accounts.length === 0}
        empty={
          <EmptyState className="py-6!" title="No ad accounts" action={<Button onClick={onClose}>Close</Button>}>
            {`The person who connected this channel doesn't have an ad account on ${rest.platform}. Create one in Ads Manager, then come back.`}
          </EmptyState>
        }
      >
        {(data) => <BoostForm {...rest} accounts={data.accounts} onClose={onClose} />}
      </Loaded>
    </Dialog>
  )
}

function BoostForm({
  accounts,
  platform,
  postId,
  zone,
  onClose,
  onStarted,
}: Omit<Props, 'title'> & { accounts: readonly AdAccount[] }) {
  const ids = useProjectIds()
  const now = useNow()
  // the same key when a response was lost and the button is pressed again
  const [boostId] = useState(newId)
  const form = useForm({
    defaultValues: {
      adAccountId: accounts.find(({ problem }) => problem === null)?.adAccountId ?? '',
      audienceId: '',
      budget: '',
      days: String(DAYS),
    },
  })
  const { errors } = form.formState
  const { adAccountId, budget, days } = useWatch({ control: form.control })
  const account = accounts.find((one) => one.adAccountId === adAccountId)
  const audiences = useCall(
    boostAudiences,
    { params: { ...ids, postId }, query: { adAccountId: account?.adAccountId ?? '' } },
    { enabled: account !== undefined, handles: true },
  )
  const start = useFormSend(startBoost, form, {
    handles: ['BOOST_REFUSED', 'BOOST_RUNNING', 'CHANNEL_REFUSED', 'CHANNEL_UNREACHABLE', 'RATE_LIMITED', 'NOT_FOUND'],
    refreshes: [postBoosts],
    onSuccess: () => {
      toast.success(`Setting up the promotion on ${platform}`)
      onStarted(boostId)
      onClose()
    },
  })
  const length = daysIn(days ?? '')
  const amount = account ? readMoney(budget ?? '', account.minorUnits) : undefined
  const least = account && account.minDaily !== null && length !== undefined ? account.minDaily * length : undefined
  const isEnough = amount !== undefined && amount > 0 && (least === undefined || amount >= least)
  const submit = form.handleSubmit((typed) => {
    // submitted before the audiences had loaded
    if (typed.audienceId === '') form.setError('audienceId', { message: 'Choose an audience' })
    else if (account && amount !== undefined && length !== undefined)
      start.mutate({
        params: { ...ids, postId },
        body: { boostId, adAccountId: typed.adAccountId, audienceId: typed.audienceId, budget: amount, days: length },
      })
  })
  const checkBudget = (text: string): string | true => {
    const typed = account ? readMoney(text, account.minorUnits) : undefined
    if (!account || typed === undefined || typed === 0) return 'Enter a budget'
    if (typed > BOOST_BUDGET_MOST) return 'This budget is too large'
    return (
      least === undefined || typed >= least || `At least ${moneyText(least, account)} for ${count(length ?? 0, 'day')}`
    )
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <FormError errors={errors} />
      <Field
        label="Ad account"
        error={errors.adAccountId?.message}
        hint={account ? `Charged in ${account.currency}.` : 'None of your ad accounts can be charged right now.'}
      >
        <Select
          {...form.register('adAccountId', {
            required: 'Choose an ad account',
            onChange: () => form.setValue('audienceId', ''),
          })}
          placeholder="Choose an ad account"
          options={accounts.map((one) => ({
            value: one.adAccountId,
            label: one.problem === null ? one.name : `${one.name} (${one.problem.replace(/\.$/, '')})`,
            disabled: one.problem !== null,
          }))}
        />
      </Field>
      <Audiences query={audiences} wanted={account !== undefined}>
        {(choices) => (
          <Field
            label="Audience"
            error={errors.audienceId?.message}
            hint={
              choices.length === 0
                ? `This account has no saved audiences. Create one in Ads Manager.`
                : 'Saved audiences from Ads Manager.'
            }
          >
            <Select
              {...form.register('audienceId', { required: 'Choose an audience' })}
              placeholder="Choose an audience"
              options={choices.map((one) => ({
                value: one.audienceId,
                label: one.name,
                disabled: one.problem !== null,
              }))}
            />
          </Field>
        )}
      </Audiences>
      <div className="grid grid-cols-[minmax(0,1fr)_7rem] gap-4">
        <Field
          label="Total budget"
          error={errors.budget?.message}
          hint={
            account && isEnough && length !== undefined
              ? `About ${moneyText(Math.floor(amount / length), account)} a day`
              : undefined
          }
        >
          <TextInput
            {...form.register('budget', { validate: checkBudget })}
            inputMode="decimal"
            autoComplete="off"
            className="tnum"
            end={<span className="pr-2 text-sm text-ink-muted">{account?.currency ?? ''}</span>}
          />
        </Field>
        <Field label="Days" error={errors.days?.message}>
          <TextInput
            {...form.register('days', {
              validate: (text) => daysIn(text) !== undefined || `Enter ${BOOST_DAYS.min} to ${BOOST_DAYS.max}`,
              deps: 'budget',
            })}
            inputMode="numeric"
            autoComplete="off"
            className="tnum"
          />
        </Field>
      </div>
      {account && isEnough && length !== undefined ? (
        <p className="rounded-md bg-sunken p-3 text-sm text-ink-muted inset-ring inset-ring-line">
          {`${platform} reviews the post first, then promotes it until about ${dayAndTimeOf(new Date(now.getTime() + length * DAY).toISOString(), zone)} and charges ${account.name} up to ${moneyText(amount, account)}. You can stop it at any time.`}
        </p>
      ) : null}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" tone="primary" loading={start.isPending}>
          {account && isEnough ? `Promote for ${moneyText(amount, account)}` : 'Promote'}
        </Button>
      </div>
    </form>
  )
}

type Choices = { audienceId: string; name: string; problem: string | null }[]

/** The audiences of the chosen account, while loading and when they can't be loaded. */
function Audiences({
  query,
  wanted,
  children,
}: {
  query: ReturnType<typeof useCall<typeof boostAudiences>>
  wanted: boolean
  children: (choices: Choices) => ReactNode
}) {
  if (!wanted) return children([])
  return (
    <Loaded query={query} skeleton={<SkeletonLines lines={2} label="Loading the audiences" />}>
      {({ audiences }) => children(audiences)}
    </Loaded>
  )
}

/** A whole number of days within the limits; undefined for anything else. */
function daysIn(text: string): number | undefined {
  const days = /^\d{1,3}$/.test(text.trim()) ? Number(text) : undefined
  return days !== undefined && days >= BOOST_DAYS.min && days <= BOOST_DAYS.max ? days : undefined
}
