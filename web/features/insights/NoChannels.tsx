import ChartLine from 'lucide-react/icons/chart-line'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { absenceWords, type Absence } from './absence.ts'

/** In place of a section, for people who see no channel, or none of the platform: why, and what to do about it. */
export function NoChannels({ absence = 'none', platform }: { absence?: Absence; platform?: PlatformKey | undefined }) {
  const ids = useProjectIds()
  const mayConnect = useMay([['channel', 'create']]) === 'yes'
  const { title, text } = absenceWords(absence, { platform, mayConnect })
  return (
    <EmptyState
      icon={<ChartLine size={20} />}
      title={title}
      action={
        absence === 'none' && mayConnect ? (
          <ButtonLink
            tone="primary"
            to="/$orgId/project/$projectId/channels"
            params={ids}
            search={{ connect: platform ?? 'list' }}
          >
            {platform ? `Connect ${platformName(platform)}` : 'Connect a channel'}
          </ButtonLink>
        ) : null
      }
    >
      {text}
    </EmptyState>
  )
}
