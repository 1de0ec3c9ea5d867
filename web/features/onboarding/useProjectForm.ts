import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { billingStatus, excess, pricing } from '#contract/billing.ts'
import { createProject, home, plan, ProjectDescription, ProjectName } from '#contract/organizations.ts'
import { listOrgUsers } from '#contract/members.ts'
import { listProjects } from '#contract/orgSettings.ts'
import { localZone } from '#web/lib/dates.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { keyOf } from '#web/lib/queries.ts'

/** The fields that the wizard and the dialog ask for. */
export const ProjectFormFields = z.object({
  projectName: ProjectName,
  projectDesc: ProjectDescription,
  zone: z.string(),
})

type Told = {
  /** The wizard's first project: if another tab created one in the meantime, that one is used. */ first?: boolean
  /** Once it exists and home knows it. */ onMade?: (projectId: string) => void
  /** The plan doesn't include it: the upgrade screen opens automatically. */ onNoRoom?: () => void
}

/** A new project. A plan that doesn't include another one opens its upgrade screen. */
export function useProjectForm(orgId: string, { first = false, onMade, onNoRoom }: Told = {}) {
  const queries = useQueryClient()
  const form = useForm({
    resolver: zodResolver(ProjectFormFields),
    defaultValues: { projectName: '', projectDesc: '', zone: localZone() },
  })
  const send = useFormSend(createProject, form, {
    handles: ['NAME_TAKEN'],
    refreshes: [listProjects, listOrgUsers, plan, billingStatus, pricing, excess],
    onFailure: ({ code }) => {
      if (code === 'NAME_TAKEN') form.setFocus('projectName', { shouldSelect: true })
      if (code === 'PLAN_LIMIT') onNoRoom?.()
    },
    onSuccess: async ({ projectId }) => {
      await queries.invalidateQueries({ queryKey: keyOf(home) })
      onMade?.(projectId)
    },
  })
  const submit = form.handleSubmit(({ projectDesc, ...body }) =>
    send.mutate({ params: { orgId }, body: { ...body, ...(projectDesc ? { projectDesc } : {}), first } }),
  )
  return { form, submit, isSending: send.isPending }
}

export type ProjectFormState = ReturnType<typeof useProjectForm>['form']
