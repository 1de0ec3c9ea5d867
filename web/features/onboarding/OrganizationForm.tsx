import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { ORGANIZATION, TEAM_SIZES } from '#contract/constants.ts'
import type { User } from '#contract/identity.ts'
import { createOrganization, home, NewOrganization, type orgTypes } from '#contract/organizations.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { keyOf } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { individualName } from './individualName.ts'

type OrgType = (typeof orgTypes)[number]
const types = [
  { value: 'organization', label: 'Organization' },
  { value: 'individual', label: 'Individual' },
] as const

/** The wizard's first step. Reloading home continues it. */
export function OrganizationForm({ user }: { user: User }) {
  const queries = useQueryClient()
  const form = useOrganizationForm({ orgType: 'organization', orgName: ORGANIZATION.defaultName, orgSize: '' })
  const send = useFormSend(createOrganization, form, {
    refreshes: [],
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf(home) }),
  })
  return (
    <OrganizationFields
      form={form}
      user={user}
      sending={send.isPending}
      onSubmit={(body) => send.mutate({ body: { ...body, first: true } })}
    />
  )
}

type Values = z.output<typeof NewOrganization>

export const useOrganizationForm = (defaultValues: Values) =>
  useForm<Values>({ resolver: zodResolver(NewOrganization), defaultValues })

type FieldsProps = {
  form: ReturnType<typeof useOrganizationForm>
  user: User
  sending: boolean
  onSubmit: (values: Values) => void
}

/** Type, name and size of a new or corrected organization. */
export function OrganizationFields({ form, user, sending, onSubmit }: FieldsProps) {
  const { errors } = form.formState
  const orgType = useWatch({ control: form.control, name: 'orgType' })

  // what was typed for one type is restored by switching back
  const other = useRef<{ orgName: string; orgSize: string }>(
    orgType === 'individual'
      ? { orgName: ORGANIZATION.defaultName, orgSize: '' }
      : { orgName: individualName(user), orgSize: ORGANIZATION.individualSize },
  )
  const change = (next: OrgType) => {
    if (next === orgType) return
    const { orgName, orgSize } = form.getValues()
    const { current } = other
    other.current = { orgName, orgSize }
    form.clearErrors()
    form.setValue('orgType', next)
    form.setValue('orgName', current.orgName)
    form.setValue('orgSize', current.orgSize)
  }

  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit(onSubmit)(event)} className="grid gap-4">
      <FormError errors={errors} />
      <Segmented label="Account type" options={types} value={orgType} onChange={change} />
      <Field label={orgType === 'individual' ? 'Name' : 'Organization name'} error={errors.orgName?.message}>
        <TextInput {...form.register('orgName')} size="l" autoComplete="organization" maxLength={60} />
      </Field>
      {orgType === 'organization' ? (
        <Field label="Company size" error={errors.orgSize?.message}>
          <Select
            {...form.register('orgSize')}
            size="l"
            placeholder="Choose a size"
            options={TEAM_SIZES.map((size) => ({ value: size, label: size }))}
          />
        </Field>
      ) : null}
      <Button type="submit" tone="primary" size="l" loading={sending} className="sm:justify-self-end">
        Continue
      </Button>
    </form>
  )
}
