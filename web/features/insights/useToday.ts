import { wallOf, type Day } from '#web/lib/dates.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectZone } from '#web/lib/project.ts'

/** Today in the project's zone. */
export const useToday = (): Day => wallOf(useNow(), useProjectZone()).day
