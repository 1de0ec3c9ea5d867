import { useState } from 'react'
import { addDays, wallOf, type Day } from '#web/lib/dates.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { DatePicker } from '#web/ui/DatePicker.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'

/** Asks for the day on which a conversation opens again. */
export function FollowUpDialog({ onChoose, onClose }: { onChoose: (day: Day) => void; onClose: () => void }) {
  const zone = useProjectZone()
  const today = wallOf(useNow(), zone).day
  const [day, setDay] = useState(addDays(today, 1))
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Follow up on"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" onClick={() => onChoose(day)}>
            Set follow-up
          </Button>
        </>
      }
    >
      <Field label="Day" hint={`The conversation opens again at the start of this day, ${zone} time.`}>
        <DatePicker label="Day" value={day} min={addDays(today, 1)} today={today} onChange={setDay} />
      </Field>
    </Dialog>
  )
}
