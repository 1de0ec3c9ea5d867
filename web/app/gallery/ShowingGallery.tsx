import { platformKeys } from '#contract/platforms/rules.ts'
import { postStates } from '#contract/postStates.ts'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { useState } from 'react'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { ChipList } from '#web/ui/ChipList.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { LabelChips } from '#web/ui/LabelChips.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import { Progress } from '#web/ui/Progress.tsx'
import { StatusBadge, StatusMark } from '#web/ui/StatusBadge.tsx'
import { Table } from '#web/ui/Table.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import { Timeline } from '#web/ui/Timeline.tsx'
import { Part, Row } from './Part.tsx'

const rows = [
  { id: '1', name: 'Northlight Coffee', platform: 'bluesky', on: '12 Oct 2026', status: 'ok' },
  { id: '2', name: '@northlight.coffee', platform: 'instagram', on: '03 Sep 2026', status: 'bad' },
  { id: '3', name: 'Northlight on X', platform: 'x', on: '01 Sep 2026', status: 'neutral' },
] as const
const words = { ok: 'Connected', bad: 'Token expired', neutral: 'Channel Disabled' }

export function ShowingGallery() {
  const [tab, setTab] = useState<'posts' | 'draft' | 'failed'>('posts')
  return (
    <Part title="Showing">
      <Row>
        {postStates.map((state) => (
          <StatusBadge key={state} status={state} />
        ))}
      </Row>
      <Row>
        {postStates.map((state) => (
          <StatusMark key={state} status={state} />
        ))}
        {(['neutral', 'accent', 'ok', 'wait', 'bad', 'info'] as const).map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
      </Row>
      <Row>
        {platformKeys.map((platform) => (
          <PlatformIcon key={platform} platform={platform} size={22} />
        ))}
        {platformKeys.map((platform) => (
          <PlatformIcon key={platform} platform={platform} size={15} />
        ))}
      </Row>
      <Row>
        <Avatar name="Ana Lindqvist" />
        <Avatar name="Ana Lindqvist" size={40} />
        <Avatar name="Northlight Coffee" square />
        <Avatar name="Northlight" platform="bluesky" size={36} />
        <Avatar name="broken" src="/nothing.png" platform="mastodon" size={28} />
        <Chip>Label</Chip>
        <Chip onRemove={() => undefined}>Winter roast</Chip>
        <ChipList items={['Northlight Coffee', 'Bakery', 'Roastery', 'Events']} />
        <ChipList items={[]} />
        <LabelChips
          labels={[
            { labelId: '1', labelName: 'Launch', color: 'orange' },
            { labelId: '2', labelName: 'Recipes', color: 'green' },
            { labelId: '3', labelName: 'Team', color: 'purple' },
          ]}
        />
      </Row>
      <Table
        label="Channels"
        rows={rows}
        rowKey={(row) => row.id}
        columns={[
          {
            key: 'account',
            header: 'Account',
            cell: (row) => (
              <span className="flex items-center gap-2.5">
                <Avatar name={row.name} platform={row.platform} />
                <b className="font-semibold">{row.name}</b>
              </span>
            ),
          },
          { key: 'on', header: 'Connected on', cell: (row) => row.on },
          { key: 'status', header: 'Status', cell: (row) => <Badge tone={row.status}>{words[row.status]}</Badge> },
          {
            key: 'action',
            header: 'Action',
            headerHidden: true,
            align: 'end',
            cell: (row) => <IconButton label={`Actions for ${row.name}`} icon={<Ellipsis size={16} />} />,
          },
        ]}
      />
      <Tabs
        label="Posts"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'posts', label: 'Posts', count: 128, content: <p>All posts.</p> },
          { value: 'draft', label: 'Draft', count: 7, content: <p>Drafts.</p> },
          { value: 'failed', label: 'Failed', content: <p>What failed.</p> },
        ]}
      />
      <div className="grid gap-6 md:grid-cols-2">
        <Timeline
          label="What happened"
          items={[
            { key: '1', state: 'done', text: 'Created by you', time: 'Mon 04:12 PM' },
            { key: '2', state: 'done', text: 'Approved, step 1 of 1', time: 'Tue 10:05 AM' },
            { key: '3', state: 'note', text: 'Picture fitted to 2 MB', time: 'Thu 09:29 AM' },
            {
              key: '4',
              state: 'failed',
              text: 'Refused: sign in again',
              detail: 'code 190, subcode 460',
              time: '09:30 AM',
            },
            { key: '5', state: 'next', text: 'Waits for the channel; late limit 10:30 AM' },
          ]}
        />
        <div className="grid content-start gap-4">
          <Progress label="roast.jpg" value={3.1} max={8} note="3.1 of 8 MB" />
          <Progress label="Connecting" />
        </div>
      </div>
    </Part>
  )
}
