import ChevronDown from 'lucide-react/icons/chevron-down'
import FileText from 'lucide-react/icons/file-text'
import Send from 'lucide-react/icons/send'
import UserCheck from 'lucide-react/icons/user-check'
import { useEffect } from 'react'
import { afterPaint } from '#web/lib/afterPaint.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { loadMenus, Menu, MenuItem } from '#web/ui/Menu.tsx'
import { useCommands, useComposer, useComposerState, useIsLocked, useOptions } from './ComposerContext.ts'

/** The other ways to submit or keep a post, if there are any. */
export function SubmitMenu() {
  const { store, edited, workflowRef } = useComposer()
  const { keepDraft } = useCommands()
  const { mode, needsApproval, workflows } = useOptions()
  const saving = useComposerState((state) => state.saving.kind)
  const isLocked = useIsLocked()
  const canApprove = workflows !== undefined && mode === 'publish' && !edited
  const canSkipApproval = mode === 'approve' && !needsApproval
  const canKeep = !edited && saving !== 'new' && saving !== 'submitted'
  // what is written can be kept as a draft once the connection is lost, too
  useEffect(() => {
    if (canKeep) loadMenus()
  }, [canKeep])
  if (!canApprove && !canSkipApproval && !canKeep) return null
  /** Uses the only workflow; from several, the person chooses. */
  const askForApproval = () => {
    const [first, ...others] = workflows ?? []
    const only = others.length === 0 ? first?.workflowId : undefined
    store.dispatch({ type: 'approvalAsked', workflowId: only })
    // the menu first returns the focus to its button
    if (only === undefined) afterPaint(() => workflowRef.current?.focus())
  }
  return (
    <Menu
      align="end"
      side="top"
      trigger={
        <IconButton
          label="More options"
          disabled={isLocked}
          icon={<ChevronDown size={16} />}
          className="inset-ring inset-ring-line-strong"
        />
      }
    >
      {canApprove ? (
        <MenuItem icon={<UserCheck size={14} />} onSelect={askForApproval}>
          Send for approval
        </MenuItem>
      ) : null}
      {canSkipApproval ? (
        <MenuItem
          icon={<Send size={14} />}
          onSelect={() => store.dispatch({ type: 'workflowChosen', workflowId: null })}
        >
          Send without approval
        </MenuItem>
      ) : null}
      {canKeep ? (
        <MenuItem icon={<FileText size={14} />} onSelect={keepDraft}>
          Save as draft
        </MenuItem>
      ) : null}
    </Menu>
  )
}
