import { allUsers } from '#contract/members.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useHome, useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'

type Assignable = { userId: string; name: string; profileUrl: string | null; isYou: boolean }

/** Whom conversations can be assigned to, oneself first. Those who may not see the project's members know themselves. */
export function usePeople(): readonly Assignable[] {
  const maySee = useMay([['user', 'view']]) === 'yes'
  const users = useCall(allUsers, { params: useProjectIds() }, { handles: true, enabled: maySee }).data?.users
  const me = useHome().data?.user
  const all = users ?? (me ? [me] : [])
  return all
    .map(({ userId, firstName, lastName, email, profileUrl }) => ({
      userId,
      name: `${firstName} ${lastName}`.trim() || email,
      profileUrl,
      isYou: userId === me?.userId,
    }))
    .toSorted((a, b) => Number(b.isYou) - Number(a.isYou))
}
