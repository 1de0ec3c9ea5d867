import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch } from 'react-hook-form'
import { BIO } from '#contract/linkInBio/limits.ts'
import { renameBioPage, type BioPage } from '#contract/linkInBio/pages.ts'
import { bioPath } from '#contract/linkInBio/slugs.ts'
import { addDays, dayText, wallOf } from '#web/lib/dates.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { toast } from '#web/ui/toast.ts'
import { SlugField } from './SlugField.tsx'

/** Gives a page another address, and says what happens to its present one. */
export default function RenameDialog({
  page,
  onRenamed,
  onClose,
}: {
  page: BioPage
  onRenamed: (page: BioPage) => void
  onClose: () => void
}) {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const until = addDays(wallOf(useNow(), zone).day, BIO.slugDays)
  const form = useForm({
    resolver: zodResolver(renameBioPage.body),
    mode: 'onChange',
    defaultValues: { slug: page.slug },
  })
  const { errors } = form.formState
  const slug = useWatch({ control: form.control, name: 'slug' })
  const rename = useFormSend(renameBioPage, form, {
    handles: ['NAME_TAKEN'],
    onSuccess: ({ message, ...renamed }) => {
      toast.success(message ?? 'Address changed')
      onRenamed(renamed)
      onClose()
    },
  })
  const submit = form.handleSubmit((body) =>
    body.slug === page.slug ? onClose() : rename.mutate({ params: { ...ids, pageId: page.pageId }, body }),
  )
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Change address"
      description={
        <>
          <b className="font-semibold text-ink">{bioPath(page.slug)}</b> leads to the new address until {dayText(until)}
          . After that, anyone can take it, so replace it wherever you share it.
        </>
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="bio-address" tone="primary" loading={rename.isPending}>
            Change address
          </Button>
        </>
      }
    >
      <form id="bio-address" noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        <FormError errors={errors} />
        <SlugField slug={slug} error={errors.slug?.message} {...form.register('slug')} />
      </form>
    </Dialog>
  )
}
