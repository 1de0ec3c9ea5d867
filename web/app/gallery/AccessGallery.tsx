import { useState } from 'react'
import { systemRoles } from '#contract/permissions.ts'
import { Button } from '#web/ui/Button.tsx'
import { ChannelChoice } from '#web/ui/ChannelChoice.tsx'
import type { NamedChannel } from '#web/ui/channelSelection.ts'
import { Combobox } from '#web/ui/Combobox.tsx'
import { Field } from '#web/ui/Field.tsx'
import { GateNotice } from '#web/ui/GateNotice.tsx'
import { RoleSummary } from '#web/ui/RoleSummary.tsx'
import { UpgradeDialog } from '#web/ui/UpgradeDialog.tsx'
import { Part, Row } from './Part.tsx'

const names = ['Northlight', 'Roastery', 'Oat Club', 'Beans', 'Cupping', 'Harbour', 'Market', 'Beans', 'Winter']
const channels: NamedChannel[] = names.map((channelName, at) => ({
  channelId: String(at),
  channelName,
  platformName: at % 2 ? 'bluesky' : 'mastodon',
  handle: `@channel-${at}`,
  profileUrl: null,
}))
const people = ['Ada Lovelace', 'Alan Turing', 'Grace Hopper'].map((name) => ({
  value: `${name.split(' ')[0]?.toLowerCase()}@example.org`,
  name,
  shown: name,
}))

export function AccessGallery() {
  const [chosen, setChosen] = useState<string[] | null>(null)
  const [email, setEmail] = useState('')
  const [open, setOpen] = useState(false)
  return (
    <Part title="Access and plans">
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="Channels">
          <ChannelChoice channels={channels} value={chosen} onChange={setChosen} />
        </Field>
        <Field label="Email">
          <Combobox value={email} onChange={setEmail} options={people} listLabel="People" />
        </Field>
        <GateNotice gate="channels" />
        <Row>
          <Button onClick={() => setOpen(true)}>Open the upgrade dialog</Button>
        </Row>
        <RoleSummary permissions={systemRoles.user.permissions} />
      </div>
      {open ? (
        <UpgradeDialog
          gate="custom_roles"
          have="the Free plan"
          lifts={['team']}
          isAdmin={false}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </Part>
  )
}
