import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { BillingDetails, billingStatus, updateBillingDetails } from '#contract/billing.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'

type Props = { orgId: string; details: BillingDetails | null; onClose: () => void }

/** The recipient on future invoices; issued ones stay as they are. */
export function BillingDetailsDialog({ orgId, details, onClose }: Props) {
  const form = useForm<BillingDetails>({
    resolver: zodResolver(BillingDetails),
    defaultValues: details ?? { name: '', email: '', address: '', taxId: '' },
  })
  const { errors } = form.formState
  const send = useFormSend(updateBillingDetails, form, {
    refreshes: [billingStatus],
    onSuccess: () => {
      toast.success('Billing details saved')
      onClose()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Billing details"
      description="They appear on your next invoices. Leave a field empty to use your organization's name and the email of the person who pays."
    >
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => void form.handleSubmit((body) => send.mutate({ params: { orgId }, body }))(event)}
      >
        <FormError errors={errors} />
        <Field label="Name or company" error={errors.name?.message}>
          <TextInput {...form.register('name')} autoComplete="organization" />
        </Field>
        <Field label="Billing email" error={errors.email?.message}>
          <TextInput {...form.register('email')} type="email" autoComplete="email" />
        </Field>
        <Field label="Address" error={errors.address?.message}>
          <TextArea {...form.register('address')} rows={3} autoComplete="street-address" />
        </Field>
        <Field label="Tax ID" error={errors.taxId?.message}>
          <TextInput {...form.register('taxId')} autoComplete="off" />
        </Field>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" loading={send.isPending}>
            Save billing details
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
