import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { home, onboarding } from '#contract/organizations.ts'
import { renameProject } from '#contract/orgSettings.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { keyOf, useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { ProjectFields } from './ProjectFields.tsx'
import { ProjectFormFields } from './useProjectForm.ts'

type Props = { ids: ProjectIds; onDone: () => void }

/** The wizard's second step again, for an existing project: name, description and time zone can be corrected. */
export function EditProject({ ids, onDone }: Props) {
  const project = useCall(onboarding, { params: ids }, { staleTime: 0, handles: true })
  return (
    <Loaded query={project} skeleton={<SkeletonLines lines={6} />}>
      {(data) => <Fields ids={ids} project={data} onDone={onDone} />}
    </Loaded>
  )
}

function Fields({ ids: { orgId, projectId }, project, onDone }: Props & { project: ReplyOf<typeof onboarding> }) {
  const queries = useQueryClient()
  const { projectName, projectDesc, zone } = project
  const form = useForm({ resolver: zodResolver(ProjectFormFields), defaultValues: { projectName, projectDesc, zone } })
  const send = useFormSend(renameProject, form, {
    handles: ['NAME_TAKEN'],
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keyOf(home) })
      onDone()
    },
  })
  const { isDirty, errors } = form.formState
  const submit = form.handleSubmit((body) => {
    if (isDirty) send.mutate({ params: { orgId }, body: { projectId, ...body } })
    else onDone()
  })
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <FormError errors={errors} />
      <ProjectFields form={form} />
      <Button type="submit" tone="primary" size="l" loading={send.isPending} className="sm:justify-self-end">
        Continue
      </Button>
    </form>
  )
}
