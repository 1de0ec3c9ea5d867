import { useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import { ProjectFields } from '#web/features/onboarding/ProjectFields.tsx'
import { useProjectForm } from '#web/features/onboarding/useProjectForm.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { toast } from '#web/ui/toast.ts'
import { shell } from './shellState.ts'

/** One more project of the organization whose page is open; it is opened once it is there. */
export default function NewProjectDialog() {
  const { orgId } = useProjectIds()
  const id = useId()
  const navigate = useNavigate()
  const { form, submit, isSending } = useProjectForm(orgId, {
    onMade: (projectId) => {
      shell.close()
      toast.success('Project created')
      void navigate({ to: '/$orgId/project/$projectId/dashboard', params: { orgId, projectId } })
    },
    onNoRoom: shell.close,
  })
  // what is being made can't be called back: it is opened in a moment, or refused here
  const close = () => (isSending ? undefined : shell.close())
  return (
    <Dialog
      open
      onOpenChange={close}
      title="New project"
      description="Each project has its own channels, posts, members and calendar."
      footer={
        <>
          <Button aria-disabled={isSending || undefined} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form={id} tone="primary" loading={isSending}>
            Create project
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        <FormError errors={form.formState.errors} />
        <ProjectFields form={form} />
      </form>
    </Dialog>
  )
}
