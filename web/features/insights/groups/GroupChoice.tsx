import { MOST_COMPARED } from '#contract/analytics/compared.ts'
import type { postFilters } from '#contract/postLists.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { FilterChoice } from '#web/ui/FilterChoice.tsx'
import { LabelDot } from '#web/ui/LabelDot.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { useGroups, type GroupKind } from './useGroups.ts'

type Known = Pick<ReplyOf<typeof postFilters>, 'campaigns' | 'labels'>

/** Campaigns or labels, and which of them are compared. */
export function GroupChoice({
  known,
}: {
  /** The project's; undefined until they're known. */ known: Known | undefined
}) {
  const { kind, chosen, onKind, onChoose } = useGroups()
  const options =
    kind === 'campaign'
      ? (known?.campaigns ?? []).map(({ campaignId, name }) => ({ value: campaignId, name, label: name }))
      : (known?.labels ?? []).map(({ labelId, labelName, color }) => ({
          value: labelId,
          name: labelName,
          label: (
            <span className="flex min-w-0 items-center gap-2">
              <LabelDot color={color} />
              <span dir="auto" className="truncate">
                {labelName}
              </span>
            </span>
          ),
        }))
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Segmented
        label="Compare"
        value={kind}
        options={[
          { value: 'campaign' satisfies GroupKind, label: 'Campaigns' },
          { value: 'label' satisfies GroupKind, label: 'Labels' },
        ]}
        onChange={onKind}
      />
      {options.length > 0 ? (
        <FilterChoice
          name={kind === 'campaign' ? 'Campaigns' : 'Labels'}
          chosen={chosen}
          onChange={onChoose}
          options={options}
          most={MOST_COMPARED}
          before={
            <p className="text-sm text-pretty text-ink-muted">
              Up to {MOST_COMPARED}. If none is chosen, you see those with the most posts.
            </p>
          }
        />
      ) : null}
    </div>
  )
}
