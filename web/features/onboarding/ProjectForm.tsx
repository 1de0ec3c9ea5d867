import { Button } from '#web/ui/Button.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { ProjectFields } from './ProjectFields.tsx'
import { useProjectForm } from './useProjectForm.ts'

/** The wizard's second step. Reloading home continues it. */
export function ProjectForm({ orgId }: { orgId: string }) {
  const { form, submit, isSending } = useProjectForm(orgId, { first: true })
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <FormError errors={form.formState.errors} />
      <ProjectFields form={form} />
      <Button type="submit" tone="primary" size="l" loading={isSending} className="sm:justify-self-end">
        Continue
      </Button>
    </form>
  )
}
