import type { ProjectIds } from '#web/lib/project.ts'
import { Panel } from '#web/ui/Panel.tsx'
import { StatusPosts } from './StatusPosts.tsx'

/** The drafts of a project that has nothing else yet. */
export function Drafts({ ids, zone }: { ids: ProjectIds; zone: string }) {
  return (
    <Panel title="Drafts">
      <StatusPosts ids={ids} zone={zone} status="draft" mayCreate={false} />
    </Panel>
  )
}
