import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useRef } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { importAsset, listAssets, listFolders } from '#contract/library.ts'
import { WebAddress } from '#contract/common.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'

const Fields = z.object({ url: WebAddress })

/** Imports a file from a URL into the project; closing it earlier cancels the import. */
export function ImportDialog({ onAdded, onClose }: { onAdded: (assetId: string) => void; onClose: () => void }) {
  const ids = useProjectIds()
  const form = useForm({ resolver: zodResolver(Fields), defaultValues: { url: '' } })
  const { errors } = form.formState
  const take = useFormSend(importAsset, form, {
    handles: ['MEDIA_REFUSED', 'ADDRESS_REFUSED', 'ADDRESS_UNREADABLE', 'UPLOAD_FAILED', 'LIMIT_EXCEEDED'],
    refreshes: [listAssets, listFolders],
    onSuccess: ({ assetId }) => {
      onAdded(assetId)
      onClose()
    },
  })
  const onTheWay = useRef<AbortController>(undefined)
  useEffect(() => () => onTheWay.current?.abort(), [])
  const send = (body: z.output<typeof Fields>) => {
    const started = new AbortController()
    onTheWay.current = started
    take.mutate({ params: ids, body, signal: started.signal })
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Add from a link"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="import" tone="primary" loading={take.isPending}>
            Add file
          </Button>
        </>
      }
    >
      <form id="import" noValidate onSubmit={(event) => void form.handleSubmit(send)(event)} className="grid gap-3">
        <FormError errors={errors} />
        <Field
          label="Address"
          hint="Use the link to the file itself, not to a page that shows it."
          error={errors.url?.message}
        >
          <TextInput {...form.register('url')} type="url" inputMode="url" placeholder="https://" autoComplete="off" />
        </Field>
      </form>
    </Dialog>
  )
}
