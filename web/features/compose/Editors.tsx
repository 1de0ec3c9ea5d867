import { Avatar } from '#web/ui/Avatar.tsx'
import { useOtherEditors } from './ComposerContext.ts'

/** Who else is editing. */
export function Editors() {
  const editors = useOtherEditors()
  if (editors.length === 0) return null
  const names = editors.map(({ name }) => name)
  return (
    <span role="status" className="flex min-w-0 items-center gap-1.5 text-sm text-ink-muted">
      <span className="flex -space-x-1.5">
        {editors.slice(0, 3).map(({ userId, name, profileUrl }) => (
          <Avatar key={userId} name={name} src={profileUrl} size={22} />
        ))}
      </span>
      <span className="truncate">
        {names.length === 1
          ? `${names[0]} is editing too`
          : `${names.slice(0, 2).join(', ')}${names.length > 2 ? ` and ${names.length - 2} more` : ''} are editing too`}
      </span>
    </span>
  )
}
