import { conversationChoices } from '#contract/inbox/actions.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useHome, useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'

type Choices = ReplyOf<typeof conversationChoices>
type Assignable = Choices['people'][number] & { isYou: boolean }

/** What conversations can be given and filtered by: people, oneself first and always, and labels. */
export function useChoices(): { people: readonly Assignable[]; labels: Choices['labels'] } {
  const choices = useCall(conversationChoices, { params: useProjectIds() }, { handles: true }).data
  const me = useHome().data?.user
  const others = (choices?.people ?? []).filter(({ userId }) => userId !== me?.userId)
  return {
    people: [
      ...(me
        ? [
            {
              userId: me.userId,
              name: `${me.firstName} ${me.lastName}`.trim() || me.email,
              profileUrl: me.profileUrl,
              isYou: true,
            },
          ]
        : []),
      ...others.map((one) => ({ ...one, isYou: false })),
    ],
    labels: choices?.labels ?? [],
  }
}

/** Whether the person may change the project's labels, and so has a use for their list. */
export const useMayManageLabels = (): boolean =>
  useMay([
    ['label', 'create'],
    ['label', 'edit'],
    ['label', 'delete'],
  ]) === 'yes'
