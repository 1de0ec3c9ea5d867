import { useState } from 'react'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Popover } from '#web/ui/Popover.tsx'
import { Sheet } from '#web/ui/Sheet.tsx'
import { StatusBadge } from '#web/ui/StatusBadge.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { Part, Row } from './Part.tsx'

type Open = 'dialog' | 'confirm' | 'typed' | 'sheet' | 'beside' | null

export function OverlaysGallery() {
  const [open, setOpen] = useState<Open>(null)
  const state = (which: Open) => ({
    open: open === which,
    onOpenChange: (next: boolean) => setOpen(next ? which : null),
  })
  return (
    <Part title="Overlays and banners">
      <Row>
        <Button onClick={() => setOpen('dialog')}>Dialog</Button>
        <Button onClick={() => setOpen('confirm')}>Confirm</Button>
        <Button onClick={() => setOpen('typed')}>Confirm by name</Button>
        <Button onClick={() => setOpen('sheet')}>Sheet</Button>
        <Button onClick={() => setOpen('beside')}>Sheet beside</Button>
        <Popover label="Filter" trigger={<Button>Popover</Button>}>
          <Field label="Name">
            <TextInput />
          </Field>
        </Popover>
      </Row>
      <Banner
        tone="bad"
        title="Instagram no longer accepts this connection."
        actions={
          <>
            <Button tone="primary">Reconnect Instagram</Button>
            <Button tone="quiet">See the 4 posts</Button>
          </>
        }
      >
        The password of @northlight.coffee was changed on 18 Nov. Nothing was posted. 4 more posts this week use this
        channel.
      </Banner>
      <Banner tone="wait" title="The clocks change inside this range." onDismiss={() => undefined}>
        Before 25 Oct the zone is GMT+2, after it GMT+1.
      </Banner>
      <Banner tone="info" title="Your trial ends in 5 days." />
      <Banner tone="ok" title="All 12 posts are scheduled." />

      <Dialog
        {...state('dialog')}
        title="Reconnect Bluesky"
        description="Enter a new app password from the settings of Bluesky."
        footer={<Button tone="primary">Reconnect</Button>}
      >
        <Field label="App password">
          <TextInput />
        </Field>
      </Dialog>
      <ConfirmDialog
        {...state('confirm')}
        title="Disable this channel?"
        action="Disable"
        danger={false}
        onConfirm={() => setOpen(null)}
      >
        Its 12 queued and scheduled posts will be paused until you enable it again.
      </ConfirmDialog>
      <ConfirmDialog
        {...state('typed')}
        title="Delete this organization?"
        action="Delete organization"
        typedName="Northlight Coffee"
        onConfirm={() => setOpen(null)}
      >
        3 projects, 9 channels and 412 posts go with it. What is published stays on its platforms.
      </ConfirmDialog>
      {(['sheet', 'beside'] as const).map((which) => (
        <Sheet
          key={which}
          {...state(which)}
          beside={which === 'beside'}
          title="Post"
          head={
            <>
              <StatusBadge status="FAILED" />
              <time className="text-ink-muted">Thu 19 Nov 2026, 09:30 AM</time>
            </>
          }
          footer={
            <>
              <Button>Edit</Button>
              <Button>Reschedule</Button>
            </>
          }
        >
          <Banner
            tone="bad"
            title="Instagram no longer accepts this connection."
            actions={<Button tone="primary">Reconnect Instagram</Button>}
          >
            Nothing was posted.
          </Banner>
        </Sheet>
      ))}
    </Part>
  )
}
