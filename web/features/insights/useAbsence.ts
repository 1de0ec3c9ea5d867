import { allChannels } from '#contract/channels.ts'
import { myPermissions } from '#contract/organizations.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { absenceOf, type Absence } from './absence.ts'

/** Why the person sees no channel, or none of the platform; undefined if there's one, or while that isn't known. */
export function useAbsence(ids: ProjectIds, platform?: PlatformKey): Absence | undefined {
  const known = useCall(allChannels, { params: ids }, { handles: true }).data
  const mine = useCall(myPermissions, { params: ids }, { handles: true }).data
  return known && mine ? absenceOf({ channels: known.channels, channelIds: mine.channelIds, platform }) : undefined
}
