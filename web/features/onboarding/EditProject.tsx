import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { home, ProjectName } from '#contract/organisations.ts'
import { renameProject } from '#contract/orgSettings.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { keyOf } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'

type Props = { ids: ProjectIds; name: string; onDone: () => void }

/** The wizard's second step again, for a project that exists by now: its name can be corrected. */
export function EditProject({ ids: { orgId, projectId }, name, onDone }: Props) {
  const queries = useQueryClient()
  const form = useForm({
    resolver: zodResolver(z.object({ projectName: ProjectName })),
    defaultValues: { projectName: name },
  })
  const send = useFormSend(renameProject, form, {
    handles: ['NAME_TAKEN'],
    changes: 'project',
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keyOf(home) })
      onDone()
    },
  })
  const submit = form.handleSubmit(({ projectName }) => {
    if (projectName === name) onDone()
    else send.mutate({ params: { orgId }, body: { projectId, projectName } })
  })
  const { errors } = form.formState
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <FormError errors={errors} />
      <Field
        label="Project name"
        error={errors.projectName?.message}
        hint="A brand, a client, or a team: what shares its channels."
      >
        <TextInput {...form.register('projectName')} size="l" autoComplete="off" />
      </Field>
      <Button type="submit" tone="primary" size="l" loading={send.isPending} className="sm:justify-self-end">
        Continue
      </Button>
    </form>
  )
}
