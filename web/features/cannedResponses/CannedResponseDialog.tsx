import { zodResolver } from '@hookform/resolvers/zod'
import { useRef } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import {
  CannedResponseBody,
  createCannedResponse,
  editCannedResponse,
  fillIn,
  responseVariables,
  type CannedResponse,
} from '#contract/inbox/cannedResponses.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { typeInto } from '#web/lib/typeInto.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'
import { variableLook } from './variables.ts'

const TEXT = 2000
type Props = { /** Absent for a new one. */ response?: CannedResponse | undefined; onClose: () => void }

/** Name and text of a canned response, with its variables and what the text becomes. */
export function CannedResponseDialog({ response, onClose }: Props) {
  const ids = useProjectIds()
  const form = useForm({
    resolver: zodResolver(CannedResponseBody),
    defaultValues: { name: response?.name ?? '', text: response?.text ?? '' },
  })
  const { errors } = form.formState
  const text = useWatch({ control: form.control, name: 'text' })
  const area = useRef<HTMLTextAreaElement>(null)
  const options = {
    handles: ['NAME_TAKEN'] as const,
    onSuccess: ({ message }: { message?: string | undefined }) => {
      if (message) toast.success(message)
      onClose()
    },
  }
  const create = useFormSend(createCannedResponse, form, options)
  const edit = useFormSend(editCannedResponse, form, options)
  const submit = form.handleSubmit((body) =>
    response
      ? edit.mutate({ params: { ...ids, responseId: response.responseId }, body })
      : create.mutate({ params: ids, body }),
  )
  const insert = (variable: string) => {
    if (!area.current) return
    const { value, selectionStart: from, selectionEnd: to } = area.current
    const before = `${value.slice(0, from)}{{${variable}}}`
    typeInto(area.current, before + value.slice(to), before.length)
  }
  const { ref: register, ...registered } = form.register('text')
  return (
    <Dialog
      open
      size="m"
      onOpenChange={onClose}
      title={response ? 'Edit canned response' : 'Create canned response'}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="response" tone="primary" loading={create.isPending || edit.isPending}>
            {response ? 'Save' : 'Create canned response'}
          </Button>
        </>
      }
    >
      <form id="response" noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        <FormError errors={errors} />
        <Field label="Name" error={errors.name?.message} hint="Only your team sees it.">
          <TextInput {...form.register('name')} autoComplete="off" maxLength={60} />
        </Field>
        <div className="grid gap-2">
          <Field
            label="Text"
            error={errors.text?.message}
            aside={
              <span className="tnum">{`${text.length.toLocaleString('en')} of ${TEXT.toLocaleString('en')}`}</span>
            }
            hint="Add a fallback after a bar for when a variable is unknown: {{name|there}}."
          >
            <TextArea
              {...registered}
              ref={(element) => {
                register(element)
                area.current = element
              }}
              rows={5}
            />
          </Field>
          <div role="group" aria-label="Insert a variable" className="flex flex-wrap gap-1.5">
            {responseVariables.map((variable) => (
              <Button key={variable} size="s" onClick={() => insert(variable)}>
                {variableLook[variable].name}
              </Button>
            ))}
          </div>
        </div>
        {text.trim() ? (
          <section aria-label="Example" className="grid gap-1">
            <h3 className="text-sm font-semibold">Example</h3>
            <p dir="auto" className="rounded-lg bg-accent-soft px-3 py-2 break-words whitespace-pre-line">
              {fillIn(text, Object.fromEntries(responseVariables.map((one) => [one, variableLook[one].example])))}
            </p>
          </section>
        ) : null}
      </form>
    </Dialog>
  )
}
