import type { ReactNode } from 'react'
import { useProjectIds } from '#web/lib/project.ts'
import { Link } from '#web/ui/Link.tsx'

const words = { channels: 'Go to Channel Settings', projects: 'Go to Project Settings' } as const

/** To the list where something can be deleted, out of the dialog that asks for it. */
export function SettingsLink({ tab, onFollow }: { tab: keyof typeof words; onFollow: () => void }) {
  return (
    <Link to="/$orgId/project/$projectId/org-settings" params={useProjectIds()} search={{ tab }} onClick={onFollow}>
      {words[tab]}
    </Link>
  )
}

/** A button within a sentence. */
export function TextButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="hit-area rounded-sm font-medium text-accent underline decoration-accent/40 underline-offset-3 hover:text-accent-hover hover:decoration-current"
    >
      {children}
    </button>
  )
}
