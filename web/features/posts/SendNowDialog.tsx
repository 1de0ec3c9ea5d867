import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'

/** What is published can't be undone. */
export function SendNowDialog({ onClose, onSend }: { onClose: () => void; onSend: () => void }) {
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Send this post now?"
      action="Send now"
      danger={false}
      onConfirm={() => {
        onClose()
        onSend()
      }}
    >
      It will be published right away instead of at its scheduled time.
    </ConfirmDialog>
  )
}
