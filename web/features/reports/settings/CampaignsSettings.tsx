import type { BlockOf } from '#contract/reports/content.ts'
import { FilterChoice } from '#web/ui/FilterChoice.tsx'
import { useEditor } from '../editor/EditorContext.ts'
import { Columns, NarrowingFields, useBlock } from './fields.tsx'
import { FiguresField } from './FiguresField.tsx'
import { figuresOffered } from './offeredFigures.ts'

/** So many campaigns, and figures of each, fit on a page. */
const [MOST_CAMPAIGNS, MOST_FIGURES] = [20, 6]

/** Which campaigns are side by side, and by which figures. */
export function CampaignsSettings({ block }: { block: BlockOf<'campaigns'> }) {
  const { sources } = useEditor()
  const { set, problem } = useBlock(block)
  return (
    <>
      <div className="grid content-start justify-items-start gap-1.5">
        <span className="text-sm font-semibold">Campaigns</span>
        <FilterChoice
          name="Campaigns"
          chosen={block.ids ?? undefined}
          most={MOST_CAMPAIGNS}
          onChange={(ids) => set({ ids: ids ?? null })}
          options={sources.campaigns.map(({ campaignId, name }) => ({ value: campaignId, name, label: name }))}
        />
        <p className="text-sm text-ink-muted">Without a choice, those with the most posts.</p>
      </div>
      <FiguresField
        label="Figures"
        offered={figuresOffered('postsPublished', sources.platforms, block.names)}
        chosen={block.names}
        most={MOST_FIGURES}
        error={problem('names')}
        onChange={(names) => set({ names })}
      />
      <Columns>
        <NarrowingFields block={block} />
      </Columns>
    </>
  )
}
