import { zodResolver } from '@hookform/resolvers/zod'
import { useId } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { z } from 'zod'
import type { myPermissions } from '#contract/organizations.ts'
import { Permissions, publishingChoices, publishingWords } from '#contract/permissions.ts'
import { createRole, editRole, RoleName, type Role } from '#contract/roles.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { count } from '#web/lib/format.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { RoleSummary } from '#web/ui/RoleSummary.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'
import { publishingOf, startOf, withPublishing } from './choosing.ts'
import { PermissionTable } from './PermissionTable.tsx'

const Fields = z.object({ name: RoleName, permissions: Permissions })
type Values = z.infer<typeof Fields>

type Props = {
  ids: ProjectIds
  /** The role being changed; left out for a new one. */
  role?: Role | undefined
  /** What a new one starts as. */
  start?: Values | undefined
  mine: ReplyOf<typeof myPermissions>
  onClose: () => void
}

/** A custom role's dialog: its name and actions, and next to them what it can do in plain words. */
export function RoleEditor({ ids, role, start, mine, onClose }: Props) {
  const id = useId()
  const form = useForm<Values>({
    resolver: zodResolver(Fields),
    defaultValues: {
      name: role?.name ?? start?.name ?? '',
      permissions: startOf(role?.permissions ?? start?.permissions ?? {}),
    },
  })
  const { errors } = form.formState
  const permissions = useWatch({ control: form.control, name: 'permissions' })
  const options = {
    handles: ['NAME_TAKEN', 'ROLE_EXCEEDS', 'OWN_ACCESS', 'SYSTEM_ROLE', 'NOT_FOUND'] as const,
    onFailure: ({
      code,
      detail,
      errors: fields,
    }: {
      code: string
      detail: string | undefined
      errors: Record<string, string[]>
    }) => {
      if (code !== 'NAME_TAKEN') return
      form.clearErrors('root')
      form.setError(
        'name',
        { type: code, message: fields['name']?.[0] ?? detail ?? 'This name is already taken.' },
        { shouldFocus: true },
      )
    },
  }
  const done = (words: string) => {
    toast.success(words)
    onClose()
  }
  const create = useFormSend(createRole, form, {
    ...options,
    onSuccess: ({ message }) => done(message ?? 'Role created successfully'),
  })
  const edit = useFormSend(editRole, form, { ...options, onSuccess: ({ message }) => done(message ?? 'Role saved') })
  const own = role !== undefined && role.roleId === mine.roleId
  const submit = form.handleSubmit((body) =>
    role ? edit.mutate({ params: { ...ids, roleId: role.roleId }, body }) : create.mutate({ params: ids, body }),
  )
  const shortcut = publishingOf(permissions, mine.project)

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={role ? `Edit ${role.name}` : 'Create role'}
      size="l"
      footer={
        <>
          {role && role.members > 0 ? (
            <p className="mr-auto self-center text-sm text-ink-muted">{`Takes effect immediately for ${count(role.members, 'member')}.`}</p>
          ) : null}
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} tone="primary" disabled={own} loading={create.isPending || edit.isPending}>
            {role ? 'Save' : 'Create role'}
          </Button>
        </>
      }
    >
      <form noValidate id={id} onSubmit={(event) => void submit(event)} className="grid gap-4">
        <FormError errors={errors} />
        {own ? (
          <Banner tone="wait" title="This is your own role.">
            You can't change your own access. Ask another admin to edit it.
          </Banner>
        ) : null}
        <div className="grid items-start gap-6 md:grid-cols-[minmax(0,1fr)_15rem]">
          <div className="grid gap-4">
            <Field label="Role name" error={errors.name?.message}>
              <TextInput {...form.register('name')} autoComplete="off" disabled={own} />
            </Field>
            <div className="grid gap-1.5">
              <span className="text-sm font-semibold">Publishing</span>
              <Segmented
                label="Publishing"
                className="justify-self-start"
                options={publishingChoices.map((value) => ({ value, label: publishingWords[value] }))}
                value={shortcut ?? 'some'}
                onChange={(choice) =>
                  own || choice === 'some'
                    ? undefined
                    : form.setValue('permissions', withPublishing(permissions, choice, mine.project), {
                        shouldDirty: true,
                      })
                }
              />
              <p className="text-sm text-ink-muted">
                A shortcut to allow everything, or nothing, for posts and queues.
              </p>
            </div>
            <Controller
              control={form.control}
              name="permissions"
              render={({ field }) => (
                <PermissionTable value={field.value} onChange={own ? undefined : field.onChange} own={mine.project} />
              )}
            />
          </div>
          <aside
            aria-label="What the role can do"
            className="rounded-md bg-sunken p-3 inset-ring inset-ring-line md:sticky md:top-0"
          >
            <RoleSummary permissions={permissions} />
          </aside>
        </div>
      </form>
    </Dialog>
  )
}
