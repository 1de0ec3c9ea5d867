import Search from 'lucide-react/icons/search'
import { useState } from 'react'
import { TEAM_SIZES } from '#contract/constants.ts'
import { passwordChecks } from '#contract/identity.ts'
import { instantAt } from '#web/lib/dates.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Checklist } from '#web/ui/Checklist.tsx'
import { ColorPicker } from '#web/ui/ColorPicker.tsx'
import { DatePicker } from '#web/ui/DatePicker.tsx'
import { DayRange, type Days } from '#web/ui/DayRange.tsx'
import { Field } from '#web/ui/Field.tsx'
import type { LabelColor } from '#web/ui/labelLook.ts'
import { PasswordInput } from '#web/ui/PasswordInput.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { TimePicker } from '#web/ui/TimePicker.tsx'
import { ZonePicker } from '#web/ui/ZonePicker.tsx'
import { ZoneNote } from '#web/ui/ZoneNote.tsx'
import { Part, Row } from './Part.tsx'

export function FieldsGallery() {
  const [password, setPassword] = useState('Abc')
  const [zone, setZone] = useState('Europe/Berlin')
  const [color, setColor] = useState<LabelColor>('blue')
  const [day, setDay] = useState('2026-11-20')
  const [days, setDays] = useState<Days>({ from: '2026-11-10' })
  const [time, setTime] = useState('09:30')
  const [type, setType] = useState<'organization' | 'individual'>('organization')
  return (
    <Part title="Fields">
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="Email" hint="We send a code to it.">
          <TextInput type="email" placeholder="ana@northlight.example" autoComplete="off" />
        </Field>
        <Field label="Project name" error="Project name must be at least 3 characters long">
          <TextInput defaultValue="ab" />
        </Field>
        <Field label="Password" hint="Focus it to see the list.">
          <PasswordInput
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            autoComplete="new-password"
            checklist={
              <Checklist
                label="Requirements"
                items={passwordChecks.map((check) => ({ text: check.label, met: check.test(password) }))}
              />
            }
          />
        </Field>
        <ColorPicker value={color} onChange={setColor} />
        <Field label="Size" optional>
          <Select
            placeholder="Choose the size of your team"
            options={TEAM_SIZES.map((size) => ({ value: size, label: size }))}
          />
        </Field>
        <Field label="Description" aside="12 / 250" optional>
          <TextArea rows={2} defaultValue="What it is for" />
        </Field>
        <Field label="Search" labelHidden>
          <TextInput start={<Search size={14} />} placeholder="Search" />
        </Field>
        <Field label="Read only">
          <TextInput readOnly value="9f31-44ab" />
        </Field>
        <Field label="Disabled">
          <TextInput disabled value="Not now" />
        </Field>
        <Field label="Day">
          <DatePicker label="Day" value={day} onChange={setDay} today="2026-11-20" min="2026-11-10" className="w-48" />
        </Field>
        <div className="self-end justify-self-start">
          <DayRange value={days} onChange={setDays} />
        </div>
        <Field label="Time">
          <Row>
            <TimePicker value={time} onChange={setTime} />
            <ZoneNote zone={zone} at={instantAt(day, time, zone)} />
          </Row>
        </Field>
        <Field label="Zone">
          <ZonePicker value={zone} onChange={setZone} at={instantAt(day, time, zone)} />
        </Field>
      </div>
      <div className="grid gap-4 md:grid-cols-3">
        <div className="grid content-start gap-3">
          <Checkbox label="Publish to Bluesky too" defaultChecked />
          <Checkbox label="Some of them" mixed />
          <Checkbox label="With a hint" hint="What it means, in a line." />
          <Checkbox label="Disabled" disabled />
        </div>
        <div className="grid content-start gap-3">
          <Switch label="Single-key shortcuts" defaultChecked hint="Takes effect at once." />
          <Switch label="Off" />
          <Switch label="Disabled" disabled />
        </div>
        <RadioGroup
          label="Account type"
          value={type}
          onChange={setType}
          choices={[
            { value: 'organization', label: 'Organization', hint: 'A team or a company' },
            { value: 'individual', label: 'Individual', hint: 'Just me' },
          ]}
        />
      </div>
    </Part>
  )
}
