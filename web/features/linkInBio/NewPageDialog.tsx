import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { CreateFields, useCreatePage } from './CreatePage.tsx'

/** One more page. */
export default function NewPageDialog({
  onCreated,
  onClose,
}: {
  onCreated: (pageId: string) => void
  onClose: () => void
}) {
  const creation = useCreatePage('', onCreated)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="New page"
      description="Only your project sees it until you make it live."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="new-bio-page" tone="primary" loading={creation.creating}>
            Create page
          </Button>
        </>
      }
    >
      <CreateFields id="new-bio-page" creation={creation} />
    </Dialog>
  )
}
