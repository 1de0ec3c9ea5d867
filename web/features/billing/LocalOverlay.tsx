import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { localCheckout, payLocally, type LocalCheckout } from '#contract/billing.ts'
import { money } from '#contract/format.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { useNow } from '#web/lib/now.ts'
import { useCall } from '#web/lib/queries.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Select } from '#web/ui/Select.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { Lines } from './Lines.tsx'
import { TextButton } from './links.tsx'
import { quantityText } from './planWords.ts'
import { TestPayments } from './TestPayments.tsx'
import { ReactivationNote } from './ReactivationNote.tsx'

/** Test cards and what each does. */
const CARDS = [
  ['4242 4242 4242 4242', 'pays'],
  ['4000 0000 0000 0002', 'is declined'],
  ['4000 0000 0000 3220', 'asks to confirm'],
] as const

const CardForm = z.object({
  cardNumber: z
    .string()
    .refine((number) => /^\d{16}$/.test(number.replaceAll(/[\s-]/g, '')), 'Enter the 16 digits of a test card'),
  expiryMonth: z.string(),
  expiryYear: z.string(),
  securityCode: z.string().regex(/^\d{3,4}$/, 'Enter the 3 digits on the back'),
  cardholderName: z.string().trim().min(1, 'Enter the name on the card').max(100),
})
type Values = z.infer<typeof CardForm>

type Props = { orgId: string; transactionId: string; onPaid: (facts: LocalCheckout) => void; onClose: () => void }

/** The test payments' overlay, in place of a payment provider's. */
export function LocalOverlay({ orgId, transactionId, onPaid, onClose }: Props) {
  const asked = useCall(localCheckout, { params: { orgId, transactionId } }, { staleTime: 0, handles: true })
  return (
    <Dialog open onOpenChange={onClose} title={asked.data?.purpose === 'method' ? 'Payment method' : 'Payment'}>
      <Loaded query={asked} skeleton={<SkeletonLines />}>
        {(facts) => <CardFields orgId={orgId} facts={facts} onPaid={() => onPaid(facts)} />}
      </Loaded>
    </Dialog>
  )
}

function CardFields({ orgId, facts, onPaid }: { orgId: string; facts: LocalCheckout; onPaid: () => void }) {
  const { transactionId, purpose, totals } = facts
  const thisYear = useNow().getFullYear()
  const form = useForm<Values>({
    resolver: zodResolver(CardForm),
    defaultValues: {
      cardNumber: '',
      expiryMonth: '12',
      expiryYear: String(thisYear + 2),
      securityCode: '',
      cardholderName: '',
    },
  })
  const { errors } = form.formState
  const [asksToConfirm, setAsksToConfirm] = useState(false)
  const send = useFormSend(payLocally, form, {
    refreshes: [],
    handles: ['PAYMENT_DECLINED', 'PAYMENT_REFUSED', 'PLAN_ACTION_REFUSED'],
    onSuccess: ({ outcome }) => {
      if (outcome === 'paid') onPaid()
      else setAsksToConfirm(true)
    },
  })
  const pay = (values: Values, confirmed: boolean) => {
    form.clearErrors('root')
    send.mutate({
      params: { orgId, transactionId },
      body: { ...values, expiryMonth: Number(values.expiryMonth), expiryYear: Number(values.expiryYear), confirmed },
    })
  }
  const cash = (amount: number) => money(amount, totals.currencyCode)
  const due = purpose === 'pay' ? cash(totals.grandTotal) : undefined

  if (asksToConfirm) {
    return (
      <div className="grid gap-4">
        <TestPayments brief />
        <FormError errors={errors} />
        <Banner tone="info" title="The bank asks you to confirm" live>
          {due ? `Do you agree to pay ${due}?` : 'Do you agree to use this card from now on?'}
        </Banner>
        <div className="flex flex-wrap justify-end gap-2">
          <Button
            onClick={() => {
              setAsksToConfirm(false)
              form.setError('root.server', {
                type: 'declined',
                message: "The payment wasn't confirmed. Nothing was charged.",
              })
            }}
          >
            Decline
          </Button>
          <Button tone="primary" loading={send.isPending} onClick={() => pay(form.getValues(), true)}>
            Confirm payment
          </Button>
        </div>
      </div>
    )
  }
  return (
    <form
      noValidate
      onSubmit={(event) => void form.handleSubmit((values) => pay(values, false))(event)}
      className="grid gap-4"
    >
      <TestPayments brief />
      {due ? (
        <Lines
          lines={[
            ...facts.items.map(({ name, quantity, subtotal }) => ({
              label: quantityText(name, quantity),
              amount: cash(subtotal),
            })),
            { label: 'Tax', amount: cash(totals.tax) },
            ...(totals.credit > 0 ? [{ label: 'Credits', amount: cash(-totals.credit) }] : []),
          ]}
          total={{ label: 'Due now', amount: due }}
        />
      ) : (
        <p className="text-ink-muted">Nothing is charged now. We'll use this card starting with your next payment.</p>
      )}
      <ReactivationNote wakes={facts.wakes} />
      <FormError errors={errors} />
      <Field label="Card number" error={errors.cardNumber?.message}>
        <TextInput
          {...form.register('cardNumber')}
          inputMode="numeric"
          autoComplete="off"
          maxLength={24}
          className="tnum"
        />
      </Field>
      <ul className="-mt-2 grid gap-0.5 text-sm text-ink-muted">
        {CARDS.map(([number, does]) => (
          <li key={number} className="tnum">
            <TextButton onClick={() => form.setValue('cardNumber', number, { shouldValidate: true })}>
              {number}
            </TextButton>{' '}
            {does}
          </li>
        ))}
      </ul>
      <div className="grid grid-cols-3 gap-3">
        <Field label="Month" error={errors.expiryMonth?.message}>
          <Select
            {...form.register('expiryMonth')}
            options={Array.from({ length: 12 }, (_, at) => ({
              value: String(at + 1),
              label: String(at + 1).padStart(2, '0'),
            }))}
          />
        </Field>
        <Field label="Year" error={errors.expiryYear?.message}>
          <Select
            {...form.register('expiryYear')}
            options={Array.from({ length: 11 }, (_, at) => ({
              value: String(thisYear + at),
              label: String(thisYear + at),
            }))}
          />
        </Field>
        <Field label="Security code" error={errors.securityCode?.message}>
          <TextInput
            {...form.register('securityCode')}
            inputMode="numeric"
            autoComplete="off"
            maxLength={4}
            className="tnum"
          />
        </Field>
      </div>
      <Field label="Name on the card" error={errors.cardholderName?.message}>
        <TextInput {...form.register('cardholderName')} autoComplete="off" />
      </Field>
      <Button type="submit" tone="primary" size="l" loading={send.isPending}>
        {due ? `Pay ${due}` : 'Use this card'}
      </Button>
    </form>
  )
}
