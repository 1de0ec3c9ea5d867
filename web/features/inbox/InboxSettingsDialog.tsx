import { useState } from 'react'
import {
  changeInboxSettings,
  inboxSettings,
  InboxSettings as Settings,
  type BusinessHours,
} from '#contract/inbox/settings.ts'
import type { z } from 'zod'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Select } from '#web/ui/Select.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'
import { minuteText } from '#contract/inbox/businessHours.ts'

type Value = z.infer<typeof Settings>
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
/** What a day begins with that is switched on: nine to five. */
const WORKDAY = [540, 1020]
const [HALF_HOUR, DAY] = [30, 1440]

/** What the project wants of its inbox: how soon people answer, and when they do. */
export default function InboxSettingsDialog({ onClose }: { onClose: () => void }) {
  const read = useCall(inboxSettings, { params: useProjectIds() }, { handles: true })
  if (read.data) return <Form settings={read.data} onClose={onClose} />
  return (
    <Dialog open onOpenChange={onClose} title="Inbox settings" size="m">
      <Loaded query={read} skeleton={<SkeletonLines lines={8} label="Loading the settings" />}>
        {() => null}
      </Loaded>
    </Dialog>
  )
}

function Form({ settings, onClose }: { settings: Value; onClose: () => void }) {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const [replyCloses, setReplyCloses] = useState(settings.replyCloses)
  const [reminds, setReminds] = useState(settings.answerHours !== null)
  const [hours, setHours] = useState(String(settings.answerHours ?? 8))
  const [open, setOpen] = useState<BusinessHours>(settings.businessHours)
  const [refused, setRefused] = useState<string>()
  const save = useSend(changeInboxSettings, {
    onSuccess: ({ message }) => {
      toast.success(message ?? 'Inbox settings saved')
      onClose()
    },
  })
  const submit = () => {
    const parsed = Settings.safeParse({ replyCloses, answerHours: reminds ? Number(hours) : null, businessHours: open })
    if (parsed.success) return save.mutate({ params: ids, body: parsed.data })
    const [issue] = parsed.error.issues
    return setRefused(issue?.path[0] === 'answerHours' ? 'Choose between 1 and 240 hours.' : issue?.message)
  }
  const set = (day: number, value: BusinessHours[number]) =>
    setOpen(open.map((one, place) => (place === day ? value : one)))
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Inbox settings"
      size="m"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="inbox-settings" tone="primary" loading={save.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form
        id="inbox-settings"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
        className="grid gap-5"
      >
        <Checkbox
          label="Close a conversation when you reply"
          hint="A new message opens it again."
          checked={replyCloses}
          onChange={({ target }) => setReplyCloses(target.checked)}
        />
        <div className="grid gap-3">
          <Checkbox
            label="Remind us when someone waits too long for a reply"
            hint="We notify the assignee, or everyone who can reply if nobody is assigned."
            checked={reminds}
            onChange={({ target }) => setReminds(target.checked)}
          />
          {reminds ? (
            <Field label="Business hours until a reply is due" className="pl-6.5">
              <TextInput
                type="number"
                min={1}
                max={240}
                value={hours}
                onChange={({ target }) => {
                  setHours(target.value)
                  setRefused(undefined)
                }}
                className="w-28"
              />
            </Field>
          ) : null}
        </div>
        <fieldset className="grid gap-2">
          <legend className="mb-2 font-semibold">Business hours</legend>
          {open.map((value, day) => {
            const name = weekdays[day] ?? ''
            const [from = 0, to = 0] = value ?? []
            return (
              <div key={name} className="flex min-h-8 flex-wrap items-center gap-2">
                <Checkbox
                  label={name}
                  checked={value !== null}
                  onChange={({ target }) => set(day, target.checked ? (settings.businessHours[day] ?? WORKDAY) : null)}
                  className="w-32"
                />
                {value ? (
                  <>
                    <Half name={`${name}, from`} value={from} onChange={(start) => set(day, [start, to])} />
                    <span>to</span>
                    <Half name={`${name}, to`} value={to} onChange={(end) => set(day, [from, end])} />
                  </>
                ) : (
                  <span className="text-ink-muted">Closed</span>
                )}
              </div>
            )
          })}
          <p className="text-sm text-ink-muted">Times are in the project's time zone, {zone}.</p>
        </fieldset>
        {refused ? (
          <p role="alert" className="text-sm text-bad">
            {refused}
          </p>
        ) : null}
      </form>
    </Dialog>
  )
}

/** A time of day in steps of half an hour; one in between stays as it is until it's changed. */
function Half({ name, value, onChange }: { name: string; value: number; onChange: (minute: number) => void }) {
  const steps = Array.from({ length: DAY / HALF_HOUR + 1 }, (_, step) => step * HALF_HOUR)
  const all = [...new Set([...steps, value])].toSorted((a, b) => a - b)
  return (
    <Select
      aria-label={name}
      className="w-30"
      value={String(value)}
      onChange={({ target }) => onChange(Number(target.value))}
      options={all.map((minute) => ({ value: String(minute), label: minuteText(minute) }))}
    />
  )
}
