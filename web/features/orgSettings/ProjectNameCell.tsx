import Check from 'lucide-react/icons/check'
import Pencil from 'lucide-react/icons/pencil'
import X from 'lucide-react/icons/x'
import { useEffect, useRef, useState } from 'react'
import { ProjectName } from '#contract/organizations.ts'
import { renameProject, type OrgProject } from '#contract/orgSettings.ts'
import { useSend } from '#web/lib/queries.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'

type Props = { orgId: string; project: OrgProject; mayEdit: boolean }

/** The name, edited in place: Enter or the check mark saves it if it changed, Escape cancels. */
export function ProjectNameCell({ orgId, project, mayEdit }: Props) {
  const [editing, setEditing] = useState(false)
  const pencil = useRef<HTMLButtonElement>(null)
  const close = () => {
    setEditing(false)
    // the pencil is back with the next frame
    requestAnimationFrame(() => pencil.current?.focus())
  }
  if (editing) return <NameForm orgId={orgId} project={project} onDone={close} />
  return (
    <span className="flex min-w-0 items-center gap-1">
      <bdi dir="auto" className="truncate font-semibold" title={project.projectName}>
        {project.projectName}
      </bdi>
      {mayEdit ? (
        <IconButton
          ref={pencil}
          size="s"
          label={`Rename ${project.projectName}`}
          icon={<Pencil size={13} />}
          onClick={() => setEditing(true)}
        />
      ) : null}
    </span>
  )
}

function NameForm({ orgId, project, onDone }: Omit<Props, 'mayEdit'> & { onDone: () => void }) {
  const [name, setName] = useState(project.projectName)
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  const send = useSend(renameProject, {
    handles: ['BAD_INPUT', 'NAME_TAKEN'],
    onError: (failure) => {
      if (failure.code === 'BAD_INPUT' || failure.code === 'NAME_TAKEN')
        setProblem(failure.errors['projectName']?.[0] ?? failure.detail)
    },
    onSuccess: ({ message }) => {
      toast.success(message ?? 'Project updated successfully')
      onDone()
    },
  })
  const save = () => {
    if (send.isPending) return
    if (name.trim() === project.projectName) return onDone()
    const checked = ProjectName.safeParse(name)
    if (checked.success)
      send.mutate({ params: { orgId }, body: { projectId: project.projectId, projectName: checked.data } })
    else setProblem(checked.error.issues[0]?.message)
  }
  const errorId = `project-name-${project.projectId}`
  return (
    <span className="grid min-w-0 grow gap-1">
      <span className="flex min-w-0 items-center gap-1">
        <TextInput
          ref={field}
          aria-label={`Name of ${project.projectName}`}
          aria-invalid={problem !== undefined}
          aria-describedby={problem ? errorId : undefined}
          value={name}
          maxLength={60}
          className="min-w-40 grow"
          onChange={(event) => {
            setName(event.target.value)
            setProblem(undefined)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') save()
            else if (event.key === 'Escape') onDone()
          }}
        />
        <IconButton size="s" label="Save" icon={<Check size={15} />} loading={send.isPending} onClick={save} />
        <IconButton size="s" label="Cancel" icon={<X size={15} />} onClick={onDone} />
      </span>
      {problem ? (
        <span id={errorId} role="alert" className="text-sm text-bad">
          {problem}
        </span>
      ) : null}
    </span>
  )
}
