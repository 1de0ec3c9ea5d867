import ChartLine from 'lucide-react/icons/chart-line'
import { gateWords } from '#web/lib/gates.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { upgrade } from '#web/lib/upgrade.ts'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Page } from '#web/ui/Page.tsx'
import { EmptyState } from '#web/ui/states.tsx'

/** A section of the insights that the plan doesn't include. */
export function Upgrade({ title }: { title: string }) {
  const ids = useProjectIds()
  return (
    <Page title={title}>
      <EmptyState
        icon={<ChartLine size={20} />}
        title={gateWords.analytics.title}
        action={
          <span className="flex flex-wrap justify-center gap-2">
            <Button tone="primary" onClick={() => upgrade.open({ gate: 'analytics' })}>
              See plans
            </Button>
            <ButtonLink to="/$orgId/project/$projectId/insights/$" params={{ ...ids, _splat: 'post-table' }}>
              Posts of the last 7 days
            </ButtonLink>
          </span>
        }
      >
        Insights compares your channels, platforms and campaigns over any days, with their followers and audience.{' '}
        {gateWords.analytics.text}
      </EmptyState>
    </Page>
  )
}
