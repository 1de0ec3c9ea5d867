import { useState } from 'react'
import { listCampaigns } from '#contract/campaigns.ts'
import { createLabel, listLabels } from '#contract/labels.ts'
import { postFilters } from '#contract/postLists.ts'
import { useMay } from '#web/lib/permissions.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { ColorPicker } from '#web/ui/ColorPicker.tsx'
import { LabelDot } from '#web/ui/LabelDot.tsx'
import type { LabelColor } from '#web/ui/labelLook.ts'
import { useComposer, useComposerState, useOptions } from './ComposerContext.ts'
import { MultiPicker } from './MultiPicker.tsx'

/** How many campaigns are offered: the newest. */
const CAMPAIGNS = 100

/** The post's labels and campaigns. */
export function LabelsAndCampaigns() {
  const { store, ids } = useComposer()
  const { campaigns } = useOptions()
  const labelIds = useComposerState(({ doc }) => doc.labelIds)
  const campaignIds = useComposerState(({ doc }) => doc.campaignIds)
  const chooseLabels = (chosen: readonly string[]) => store.dispatch({ type: 'labelsChosen', labelIds: chosen })
  const maySee = {
    labels: useMay([['label', 'view']]) === 'yes',
    campaigns: useMay([['campaign', 'view']]) === 'yes' && campaigns,
  }
  const mayCreate = useMay([['label', 'create']]) === 'yes'
  const labels = useCall(listLabels, { params: ids, query: {} }, { enabled: maySee.labels, handles: true })
  const running = useCall(
    listCampaigns,
    { params: ids, query: { state: 'active', limit: CAMPAIGNS } },
    { enabled: maySee.campaigns, handles: true },
  )
  // archived ones stay, and can't be added
  const offered = labels.data?.labels.filter(({ labelId, state }) => state === 'ACTIVE' || labelIds.includes(labelId))
  const open = running.data?.campaigns.filter(
    ({ campaignId, completedAt }) => completedAt === null || campaignIds.includes(campaignId),
  )
  if (!offered && !open) return null
  return (
    <div className="flex flex-wrap gap-2">
      {offered ? (
        <MultiPicker
          name="Labels"
          options={offered.map(({ labelId, labelName, color }) => ({
            id: labelId,
            name: labelName,
            mark: <LabelDot color={color} />,
          }))}
          chosen={labelIds}
          onChange={chooseLabels}
          create={
            mayCreate
              ? (name, done) => (
                  <NewLabel
                    ids={ids}
                    name={name}
                    onDone={(labelId) => {
                      chooseLabels([...store.state().doc.labelIds, labelId])
                      done()
                    }}
                  />
                )
              : undefined
          }
        />
      ) : null}
      {open && open.length > 0 ? (
        <MultiPicker
          name="Campaigns"
          options={open.map(({ campaignId, name, color }) => ({
            id: campaignId,
            name,
            mark: <LabelDot color={color} />,
          }))}
          chosen={campaignIds}
          onChange={(chosen) => store.dispatch({ type: 'campaignsChosen', campaignIds: chosen })}
        />
      ) : null}
    </div>
  )
}

function NewLabel({ ids, name, onDone }: { ids: ProjectIds; name: string; onDone: (labelId: string) => void }) {
  const [color, setColor] = useState<LabelColor>('blue')
  const create = useSend(createLabel, {
    refreshes: [listLabels, postFilters],
    handles: ['BAD_INPUT', 'NAME_TAKEN'],
    onSuccess: ({ labelId }) => onDone(labelId),
  })
  return (
    <div className="grid gap-2.5 border-t border-line pt-2.5">
      <ColorPicker value={color} onChange={setColor} />
      {create.error ? (
        <p role="alert" className="text-sm text-bad">
          {Object.values(create.error.errors)[0]?.[0] ?? create.error.detail}
        </p>
      ) : null}
      <Button
        tone="primary"
        size="s"
        loading={create.isPending}
        className="min-w-0 justify-self-start"
        onClick={() => create.mutate({ params: ids, body: { labelName: name, color } })}
      >
        <span dir="auto" className="truncate">
          Create label {name}
        </span>
      </Button>
    </div>
  )
}
