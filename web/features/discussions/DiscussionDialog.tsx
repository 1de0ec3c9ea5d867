import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, useForm } from 'react-hook-form'
import { createDiscussion, editDiscussion, NewDiscussion, type Discussion } from '#contract/discussions.ts'
import { allUsers } from '#contract/members.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'
import type { DiscussionsAbout } from './DiscussionsLink.tsx'

const Fields = NewDiscussion.pick({ title: true, text: true, memberIds: true }).required()
type Props = {
  /** Absent for a new one. */ discussion?: Discussion | undefined
  /** What a new one is about. */ about?: DiscussionsAbout | undefined
  onClose: () => void
  onStarted?: (discussionId: string) => void
}

/** Starts a discussion, or changes its title and who takes part. */
export default function DiscussionDialog({ discussion, about, onClose, onStarted }: Props) {
  const ids = useProjectIds()
  const maySee = useMay([['user', 'view']]) === 'yes'
  const users = useCall(allUsers, { params: ids }, { handles: true, enabled: maySee }).data?.users ?? []
  const people = users.map(({ userId, firstName, lastName, email }) => ({
    userId,
    name: `${firstName} ${lastName}`.trim() || email,
  }))
  const form = useForm({
    resolver: zodResolver(Fields),
    defaultValues: {
      title: discussion?.title ?? '',
      // an existing one has its first message, which this form doesn't change
      text: discussion ? '–' : '',
      memberIds: discussion?.members.map(({ userId }) => userId) ?? [],
    },
  })
  const { errors } = form.formState
  const start = useFormSend(createDiscussion, form, {
    onSuccess: ({ message, discussionId }) => {
      toast.success(message ?? 'Discussion started')
      onStarted?.(discussionId)
    },
  })
  const edit = useFormSend(editDiscussion, form, {
    onSuccess: ({ message }) => {
      toast.success(message ?? 'Discussion updated')
      onClose()
    },
  })
  const submit = form.handleSubmit(({ title, text, memberIds }) =>
    discussion
      ? edit.mutate({ params: { ...ids, discussionId: discussion.discussionId }, body: { title, memberIds } })
      : start.mutate({ params: ids, body: { ...about, title, text, memberIds } }),
  )
  return (
    <Dialog
      open
      size="m"
      onOpenChange={onClose}
      title={discussion ? 'Edit discussion' : 'Start a discussion'}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="discussion" tone="primary" loading={start.isPending || edit.isPending}>
            {discussion ? 'Save' : 'Start discussion'}
          </Button>
        </>
      }
    >
      <form id="discussion" noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        <FormError errors={errors} />
        <Field label="Title" error={errors.title?.message}>
          <TextInput {...form.register('title')} autoComplete="off" maxLength={130} />
        </Field>
        {discussion ? null : (
          <Field label="Message" error={errors.text?.message}>
            <TextArea {...form.register('text')} rows={4} />
          </Field>
        )}
        {people.length > 0 ? (
          <Controller
            control={form.control}
            name="memberIds"
            render={({ field: { value, onChange } }) => (
              <fieldset className="grid gap-2">
                <legend className="mb-1 text-sm font-semibold">Members</legend>
                <p className="text-sm text-ink-muted">We'll notify them of every new message.</p>
                <div className="grid max-h-48 gap-1.5 overflow-y-auto">
                  {people.map(({ userId, name }) => (
                    <Checkbox
                      key={userId}
                      label={name}
                      checked={value.includes(userId)}
                      onChange={(event) =>
                        onChange(
                          event.currentTarget.checked
                            ? [...value, userId]
                            : value.filter((chosen) => chosen !== userId),
                        )
                      }
                    />
                  ))}
                </div>
                {errors.memberIds?.message ? (
                  <p role="alert" className="text-sm text-bad">
                    {errors.memberIds.message}
                  </p>
                ) : null}
              </fieldset>
            )}
          />
        ) : null}
      </form>
    </Dialog>
  )
}
