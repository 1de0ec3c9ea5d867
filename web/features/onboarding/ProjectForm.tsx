import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { PROJECT } from '#contract/constants.ts'
import { createProject, home, ProjectDescription, ProjectName } from '#contract/organisations.ts'
import { localZone } from '#web/lib/dates.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { keyOf } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { ZonePicker } from '#web/ui/ZonePicker.tsx'

const Fields = z.object({ projectName: ProjectName, projectDesc: ProjectDescription, zone: z.string() })

/** The wizard's second step. The home answer, read again, moves it on. */
export function ProjectForm({ orgId }: { orgId: string }) {
  const queries = useQueryClient()
  const [now] = useState(() => new Date())
  const form = useForm({ resolver: zodResolver(Fields), defaultValues: { projectName: '', projectDesc: '', zone: localZone() } })
  const { errors } = form.formState
  const written = useWatch({ control: form.control, name: 'projectDesc' }).length
  const send = useFormSend(createProject, form, {
    handles: ['NAME_TAKEN', 'PLAN_LIMIT'],
    onFailure: (failure) => {
      if (failure.code === 'NAME_TAKEN') form.setFocus('projectName', { shouldSelect: true })
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf(home) }),
  })
  const submit = form.handleSubmit(({ projectDesc, ...body }) => send.mutate({ params: { orgId }, body: { ...body, ...(projectDesc ? { projectDesc } : {}) } }))

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <FormError errors={errors} />
      <Field label="Project name" error={errors.projectName?.message} hint="A brand, a client, or a team: what shares its channels.">
        <TextInput {...form.register('projectName')} size="l" autoComplete="off" />
      </Field>
      <Field label="Description" optional error={errors.projectDesc?.message} aside={<span className="tnum">{`${written} of ${PROJECT.description}`}</span>}>
        <TextArea {...form.register('projectDesc')} rows={2} />
      </Field>
      <Field label="Time zone" error={errors.zone?.message} hint="Posts are planned in it. Each channel can have its own later.">
        <Controller control={form.control} name="zone" render={({ field }) => <ZonePicker value={field.value} onChange={field.onChange} at={now} />} />
      </Field>
      <Button type="submit" tone="primary" size="l" loading={send.isPending} className="justify-self-start">
        Continue
      </Button>
    </form>
  )
}
