import Archive from 'lucide-react/icons/archive'
import ArchiveRestore from 'lucide-react/icons/archive-restore'
import CircleCheck from 'lucide-react/icons/circle-check'
import CirclePause from 'lucide-react/icons/circle-pause'
import CirclePlay from 'lucide-react/icons/circle-play'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Pencil from 'lucide-react/icons/pencil'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import type { Campaign } from '#contract/campaigns.ts'
import { count } from '#web/lib/format.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/Menu.tsx'
import { useCampaignActions } from './useCampaignActions.ts'

export type CampaignRights = { create: boolean; edit: boolean; remove: boolean }
type Props = {
  campaign: Campaign
  may: CampaignRights
  onEdit: () => void
  /** After it was deleted. */ onGone?: () => void
}

/** The actions that a campaign allows in its current status. */
export function CampaignMenu({ campaign, may, onEdit, onGone }: Props) {
  const actions = useCampaignActions()
  const [deleting, setDeleting] = useState(false)
  const archived = campaign.state === 'ARCHIVED'
  return (
    <>
      <Menu
        align="end"
        label={`Actions for ${campaign.name}`}
        trigger={<IconButton label={`Actions for ${campaign.name}`} icon={<Ellipsis size={16} />} />}
      >
        <MenuItem disabled={!may.edit} icon={<Pencil size={15} />} onSelect={onEdit}>
          Edit
        </MenuItem>
        {campaign.enabled ? (
          <MenuItem
            disabled={!may.edit}
            icon={<CirclePause size={15} />}
            onSelect={() => void actions.disable(campaign)}
          >
            Disable
          </MenuItem>
        ) : (
          <MenuItem disabled={!may.edit} icon={<CirclePlay size={15} />} onSelect={() => void actions.enable(campaign)}>
            Enable
          </MenuItem>
        )}
        {archived || campaign.completedAt ? null : (
          <MenuItem
            disabled={!may.edit}
            icon={<CircleCheck size={15} />}
            onSelect={() => void actions.complete(campaign)}
          >
            Complete
          </MenuItem>
        )}
        {archived || campaign.completedAt ? (
          <MenuItem
            disabled={!may.edit}
            icon={<ArchiveRestore size={15} />}
            onSelect={() => void actions.restore(campaign)}
          >
            {archived ? 'Bring back' : 'Open again'}
          </MenuItem>
        ) : null}
        {archived ? null : (
          <MenuItem disabled={!may.edit} icon={<Archive size={15} />} onSelect={() => void actions.archive(campaign)}>
            Archive
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem
          danger={may.remove}
          disabled={!may.remove}
          icon={<Trash size={15} />}
          onSelect={() => setDeleting(true)}
        >
          Delete
        </MenuItem>
        {may.edit && may.remove ? null : <MenuLabel>Your role doesn't allow editing campaigns.</MenuLabel>}
      </Menu>
      {deleting ? (
        <ConfirmDialog
          open
          onOpenChange={() => setDeleting(false)}
          title={`Delete the campaign ${campaign.name}?`}
          action="Delete campaign"
          loading={actions.removing}
          onConfirm={() =>
            actions.remove(campaign, () => {
              setDeleting(false)
              onGone?.()
            })
          }
        >
          {campaign.posts.all > 0
            ? `Its ${count(campaign.posts.all, "post isn't", "posts aren't")} deleted and will still be published if scheduled. `
            : ''}
          You can't undo this. You can archive it instead.
        </ConfirmDialog>
      ) : null}
    </>
  )
}
