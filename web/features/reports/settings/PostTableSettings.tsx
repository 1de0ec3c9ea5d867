import { figureTitle } from '#contract/analytics/labels.ts'
import type { BlockOf } from '#contract/reports/content.ts'
import { REPORTS } from '#contract/reports/limits.ts'
import { Field } from '#web/ui/Field.tsx'
import { Select } from '#web/ui/Select.tsx'
import { useEditor } from '../editor/EditorContext.ts'
import { Columns, NarrowingFields, NumberField, useBlock } from './fields.tsx'
import { FiguresField } from './FiguresField.tsx'
import { postFiguresOffered } from './offeredFigures.ts'

/** Columns, order and number of rows of a table of posts. */
export function PostTableSettings({ block }: { block: BlockOf<'postTable'> }) {
  const { sources } = useEditor()
  const { set, pause, problem } = useBlock(block)
  const offered = postFiguresOffered(sources.platforms, block.columns)
  const sorts = ['publishedAt' as const, ...block.columns]
  return (
    <>
      <FiguresField
        label="Columns"
        offered={offered}
        chosen={block.columns}
        most={REPORTS.columns}
        error={problem('columns')}
        onChange={(columns) =>
          set({
            columns,
            // nobody would see by what it's sorted
            ...(block.sort === 'publishedAt' || columns.includes(block.sort) ? {} : { sort: 'publishedAt' as const }),
          })
        }
      />
      <Columns>
        <Field label="Sorted by" error={problem('sort')}>
          <Select
            value={block.sort}
            options={sorts.map((value) => ({
              value,
              label: value === 'publishedAt' ? 'Time of publication' : figureTitle('post', value),
            }))}
            onChange={({ target }) => {
              const sort = sorts.find((one) => one === target.value)
              if (sort) set({ sort })
            }}
          />
        </Field>
        <Field label="Order">
          <Select
            value={block.order}
            options={[
              { value: 'desc', label: block.sort === 'publishedAt' ? 'Newest first' : 'Most first' },
              { value: 'asc', label: block.sort === 'publishedAt' ? 'Oldest first' : 'Fewest first' },
            ]}
            onChange={({ target }) => set({ order: target.value === 'asc' ? 'asc' : 'desc' })}
          />
        </Field>
        <NumberField
          label="Posts at most"
          value={block.rows}
          most={REPORTS.tableRows}
          error={problem('rows')}
          onChange={(rows) => set({ rows }, 'rows')}
          onBlur={pause}
        />
        <NarrowingFields block={block} />
      </Columns>
    </>
  )
}
