import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from './ConfirmDialog.tsx'

type Place = { pathname: string; search: object }
type Props = {
  unsaved: boolean
  /** What the changes belong to, as people call it. */
  of: string
  /** Whether two addresses show the same thing; by default those of one path do. */
  isSame?: (one: Place, other: Place) => boolean
}

const samePath = (one: Place, other: Place): boolean => one.pathname === other.pathname

/** Asks before unsaved changes are left behind. */
export function LeaveQuestion({ unsaved, of, isSame = samePath }: Props) {
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => unsaved && !isSame(current, next),
    enableBeforeUnload: () => unsaved,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      open={leaving.status === 'blocked'}
      onOpenChange={(open) => (open ? undefined : leaving.reset?.())}
      title="Leave without saving?"
      action="Leave"
      dismiss="Stay"
      onConfirm={() => leaving.proceed?.()}
    >
      Your unsaved changes to this {of} will be lost.
    </ConfirmDialog>
  )
}
