import Ellipsis from 'lucide-react/icons/ellipsis'
import EyeOff from 'lucide-react/icons/eye-off'
import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { inboxRules } from '#contract/platforms/inboxRegistry.ts'
import { BULK_CONVERSATIONS_MOST, HIDE_MOST } from '#contract/inbox/terms.ts'
import { wallOf } from '#web/lib/dates.ts'
import { count } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { LabelDot } from '#web/ui/LabelDot.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/Menu.tsx'
import type { Selection } from '#web/ui/useSelection.ts'
import { FollowUpDialog } from './FollowUpDialog.tsx'
import { followUpDays } from './followUpDays.ts'
import type { ConversationRow } from './heldConversations.ts'
import { nameOf } from './look.ts'
import { useBulkInbox, type BulkChange } from './useBulkInbox.ts'
import { useChoices } from './useChoices.ts'

type Props = {
  rows: readonly ConversationRow[]
  selection: Selection
}

/** What can be done to the selected conversations, and afterwards which of them weren't changed. */
export function InboxBulkBar({ rows, selection }: Props) {
  const choices = useChoices()
  const { people } = choices
  const labels = choices.labels.filter(({ state }) => state === 'ACTIVE')
  const today = wallOf(useNow(), useProjectZone()).day
  const mayEdit =
    useMay([
      ['dm', 'edit'],
      ['comment', 'edit'],
    ]) === 'yes'
  const chosen = rows.filter((row) => selection.has(row.conversationId))
  const any = chosen.length > 0
  const { run, hide, busy, skipped, forgetSkipped } = useBulkInbox()
  const canHide = chosen.some(({ channel, kind }) => inboxRules[channel.platformName].kinds[kind]?.hide)
  const [picking, setPicking] = useState(false)
  const tooMany = chosen.length > BULK_CONVERSATIONS_MOST
  const change = (what: BulkChange) =>
    void run(chosen, what).then((through) => (through ? selection.clear() : undefined))
  const most = Math.min(rows.length, BULK_CONVERSATIONS_MOST)
  return (
    <>
      {any ? (
        <div
          role="region"
          aria-label="Selected conversations"
          className="sticky bottom-3 z-20 mx-3 mt-auto flex shrink-0 flex-wrap items-center gap-1.5 rounded-lg border border-line bg-raised px-2 py-1.5 shadow-2 max-md:bottom-[calc(64px+env(safe-area-inset-bottom))]"
        >
          <div className="flex basis-full items-center gap-1.5 pr-8 pl-1.5">
            <span role="status" className="tnum mr-1 font-semibold max-md:leading-8">
              {chosen.length} selected
            </span>
            {chosen.length < most ? (
              <Button
                size="s"
                tone="quiet"
                onClick={() => selection.choose(rows.slice(0, most).map(({ conversationId }) => conversationId))}
              >
                Select {most}
              </Button>
            ) : null}
          </div>
          {tooMany ? (
            <span className="text-sm text-bad">
              You can change up to {BULK_CONVERSATIONS_MOST} conversations at once.
            </span>
          ) : (
            <>
              {mayEdit ? (
                <>
                  <Button
                    size="s"
                    loading={busy}

                    onClick={() => change({ status: 'CLOSED' })}
                  >
                    Close
                  </Button>
                  <Menu label="Follow up" side="top" trigger={<Button size="s">Follow up</Button>}>
                    {followUpDays(today).map(({ name, day, text }) => (
                      <MenuItem key={name} end={text} onSelect={() => change({ status: 'FOLLOWUP', followUpOn: day })}>
                        {name}
                      </MenuItem>
                    ))}
                    <MenuSeparator />
                    <MenuItem onSelect={() => setPicking(true)}>Pick a day</MenuItem>
                  </Menu>
                  <Menu label="Assign to" side="top" className="max-h-96" trigger={<Button size="s">Assign</Button>}>
                    {people.map(({ userId, name, profileUrl, isYou }) => (
                      <MenuItem
                        key={userId}
                        icon={<Avatar name={name} src={profileUrl} size={18} />}
                        onSelect={() => change({ userId })}
                      >
                        {isYou ? `${name} (you)` : name}
                      </MenuItem>
                    ))}
                    <MenuSeparator />
                    <MenuItem onSelect={() => change({ userId: null })}>Unassign</MenuItem>
                  </Menu>
                  <Menu label="Add a label" side="top" className="max-h-96" trigger={<Button size="s">Label</Button>}>
                    {labels.length > 0 ? (
                      labels.map(({ labelId, labelName, color }) => (
                        <MenuItem
                          key={labelId}
                          icon={<LabelDot color={color} />}
                          onSelect={() => change({ addLabelIds: [labelId] })}
                        >
                          {labelName}
                        </MenuItem>
                      ))
                    ) : (
                      <MenuItem disabled>No labels yet</MenuItem>
                    )}
                  </Menu>
                </>
              ) : null}
              <Menu
                label="More"
                side="top"
                align="end"
                trigger={<IconButton size="s" label="More actions" icon={<Ellipsis size={15} />} />}
              >
                <MenuItem onSelect={() => change({ read: true })}>Mark as read</MenuItem>
                <MenuItem onSelect={() => change({ read: false })}>Mark as unread</MenuItem>
                {mayEdit ? <MenuItem onSelect={() => change({ status: 'OPEN' })}>Open</MenuItem> : null}
                {mayEdit && canHide ? (
                  <>
                    <MenuSeparator />
                    <MenuItem
                      icon={<EyeOff size={14} aria-hidden />}
                      onSelect={() => void hide(chosen).then((through) => (through ? selection.clear() : undefined))}
                      why={
                        chosen.length > HIDE_MOST.conversations
                          ? `You can hide up to ${HIDE_MOST.conversations} conversations at once.`
                          : undefined
                      }
                    >
                      Hide on their platforms
                    </MenuItem>
                  </>
                ) : null}
              </Menu>
            </>
          )}
          <IconButton
            label="Clear selection"
            icon={<X size={15} />}
            onClick={selection.clear}
            className="absolute top-1.5 right-1.5"
          />
        </div>
      ) : null}
      {picking ? (
        <FollowUpDialog
          onClose={() => setPicking(false)}
          onChoose={(day) => {
            setPicking(false)
            change({ status: 'FOLLOWUP', followUpOn: day })
          }}
        />
      ) : null}
      {skipped.length > 0 ? (
        <Dialog
          open
          onOpenChange={forgetSkipped}
          title={`${count(skipped.length, 'conversation was', 'conversations were')} not changed`}
          description="They were deleted, your role or their platform doesn't allow it, or the assignee can't see them."
          footer={<Button onClick={forgetSkipped}>Close</Button>}
        >
          <ul className="grid gap-2">
            {skipped.map((row) => (
              <li dir="auto" key={row.conversationId} className="truncate">
                <b className="font-semibold">{nameOf(row)}</b> {row.preview}
              </li>
            ))}
          </ul>
        </Dialog>
      ) : null}
    </>
  )
}
