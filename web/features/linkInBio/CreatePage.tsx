import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch } from 'react-hook-form'
import { createBioPage } from '#contract/linkInBio/pages.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { SlugField } from './SlugField.tsx'
import { slugOf } from './slugOf.ts'

/** A new page's form. Its address follows its name until someone types one. */
export function useCreatePage(name: string, onCreated: (pageId: string) => void) {
  const ids = useProjectIds()
  const form = useForm({
    resolver: zodResolver(createBioPage.body),
    mode: 'onChange',
    defaultValues: { name, slug: slugOf(name) },
  })
  const send = useFormSend(createBioPage, form, {
    handles: ['NAME_TAKEN'],
    onSuccess: ({ pageId }) => onCreated(pageId),
  })
  return { form, creating: send.isPending, create: form.handleSubmit((body) => send.mutate({ params: ids, body })) }
}

export function CreateFields({ id, creation }: { id: string; creation: ReturnType<typeof useCreatePage> }) {
  const { form, create } = creation
  const { errors, dirtyFields } = form.formState
  const slug = useWatch({ control: form.control, name: 'slug' })
  return (
    <form id={id} noValidate onSubmit={(event) => void create(event)} className="grid gap-4">
      <FormError errors={errors} />
      <Field label="Name" hint="What visitors read first, such as your brand's name." error={errors.name?.message}>
        <TextInput
          {...form.register('name', {
            onChange: ({ target }: { target: HTMLInputElement }) => {
              if (!dirtyFields.slug) form.setValue('slug', slugOf(target.value), { shouldValidate: true })
            },
          })}
          autoComplete="off"
        />
      </Field>
      <SlugField slug={slug} error={errors.slug?.message} {...form.register('slug')} />
    </form>
  )
}
