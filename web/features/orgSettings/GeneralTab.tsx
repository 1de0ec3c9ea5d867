import { zodResolver } from '@hookform/resolvers/zod'
import { useState, type ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { ORGANIZATION, TEAM_SIZES } from '#contract/constants.ts'
import { NewOrganization } from '#contract/organizations.ts'
import { organization, updateOrganization, type Organization } from '#contract/orgSettings.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { Select } from '#web/ui/Select.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'
import { DeleteOrganizationDialog } from './DeleteOrganizationDialog.tsx'
import { KeepingSection } from './KeepingSection.tsx'
import { SecuritySection } from './SecuritySection.tsx'

const types = [
  { value: 'organization', label: 'Organization' },
  { value: 'individual', label: 'Individual' },
] as const

/**
 * Type, name and size of the organization, and its deletion. `children` are shown in between: what else belongs to the
 * whole organization.
 */
export function GeneralTab({ orgId, projectId, children }: { orgId: string; projectId: string; children?: ReactNode }) {
  const found = useCall(organization, { params: { orgId } }, { handles: true })
  return (
    <div className="grid max-w-140 gap-8">
      <Loaded query={found} skeleton={<SkeletonLines />}>
        {(org) => (
          <>
            <OrganizationForm org={org} />
            <SecuritySection org={org} projectId={projectId} />
            <KeepingSection org={org} />
            {children}
            {org.deletesAt === null ? <Deletion org={org} /> : null}
          </>
        )}
      </Loaded>
    </div>
  )
}

type Values = z.input<typeof NewOrganization>

function OrganizationForm({ org }: { org: Organization }) {
  const mayEdit = useMay([['org_settings', 'edit']], { level: 'organization' }) === 'yes'
  const stored: Values = { orgType: org.orgType, orgName: org.orgName, orgSize: org.orgSize }
  // another admin's changes come in, except where someone is typing
  const form = useForm<Values>({
    resolver: zodResolver(NewOrganization),
    values: stored,
    resetOptions: { keepDirtyValues: true },
    disabled: !mayEdit,
  })
  const { errors, dirtyFields } = form.formState
  // isDirty forgets what is being typed when the rest comes in
  const changed = Object.keys(dirtyFields).length > 0
  const orgType = useWatch({ control: form.control, name: 'orgType' })
  const send = useFormSend(updateOrganization, form, {
    onSuccess: ({ message }) => toast.success(message ?? 'Organization Details updated successfully'),
  })
  const choose = (next: Values['orgType']) => {
    form.clearErrors()
    form.setValue('orgType', next, { shouldDirty: true })
    // the stored size is restored with its type; another kind of organization has to choose its own
    form.setValue(
      'orgSize',
      next === 'individual' ? ORGANIZATION.individualSize : stored.orgType === 'organization' ? stored.orgSize : '',
      { shouldDirty: true },
    )
  }
  const submit = (body: Values) => {
    if (changed && mayEdit)
      send.mutate(
        { params: { orgId: org.orgId }, body },
        { onSuccess: () => form.reset(body, { keepDirtyValues: false }) },
      )
  }
  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)} className="grid gap-4">
      <FormError errors={errors} />
      <div className="grid justify-items-start gap-1.5">
        <span className="text-sm font-semibold">Account type</span>
        <Segmented label="Account type" options={types} value={orgType} onChange={choose} />
      </div>
      <Field label={orgType === 'individual' ? 'Name' : 'Organization name'} error={errors.orgName?.message}>
        <TextInput {...form.register('orgName')} autoComplete="organization" maxLength={60} />
      </Field>
      {orgType === 'organization' ? (
        <Field label="Company size" error={errors.orgSize?.message}>
          <Select
            {...form.register('orgSize')}
            placeholder="Choose a size"
            options={TEAM_SIZES.map((size) => ({ value: size, label: size }))}
          />
        </Field>
      ) : null}
      <Button
        type="submit"
        tone="primary"
        aria-disabled={!changed || !mayEdit}
        loading={send.isPending}
        className="justify-self-start"
      >
        Update
      </Button>
    </form>
  )
}

function Deletion({ org }: { org: Organization }) {
  const mayDelete = useMay([['org_settings', 'delete']], { level: 'organization' }) === 'yes'
  const [asked, setAsked] = useState(false)
  if (!mayDelete) return null
  return (
    <section aria-labelledby="delete-organization" className="grid justify-items-start gap-1 border-t border-line pt-5">
      <h2 id="delete-organization" className="font-bold">
        Delete organization
      </h2>
      <p className="text-pretty text-ink-muted">
        Publishing stops immediately, and only admins can open the organization. After 7 days, everything is permanently
        deleted. Until then, an admin can cancel the deletion.
      </p>
      <button
        type="button"
        onClick={() => setAsked(true)}
        className="hit-area mt-1 rounded-md font-medium text-bad underline decoration-bad/40 underline-offset-3 hover:decoration-current"
      >
        Delete
      </button>
      {asked ? <DeleteOrganizationDialog org={org} onClose={() => setAsked(false)} /> : null}
    </section>
  )
}
