import Plus from 'lucide-react/icons/plus'
import { Fragment } from 'react'
import { REPORTS } from '#contract/reports/limits.ts'
import { Button } from '#web/ui/Button.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/Menu.tsx'
import { kindGroups, kindWords } from './blockWords.ts'
import { useEditor } from './EditorContext.ts'
import { KindIcon } from './kindIcons.tsx'

/** The kinds of blocks, with what each shows. */
export function AddBlock({ wide = false }: { /** As wide as its place. */ wide?: boolean }) {
  const { state, add, sources } = useEditor()
  const isFull = state.edited.content.blocks.length >= REPORTS.blocks
  if (isFull) return <p className="text-sm text-ink-muted">A report has at most {REPORTS.blocks} blocks.</p>
  return (
    <Menu
      label="Add block"
      className="w-84 max-w-[calc(100vw-32px)]"
      trigger={
        <Button data-add icon={<Plus size={15} aria-hidden />} className={wide ? 'w-full border-dashed!' : ''}>
          Add block
        </Button>
      }
    >
      {kindGroups.map(({ title, kinds }, i) => (
        <Fragment key={title}>
          {i > 0 ? <MenuSeparator /> : null}
          <MenuLabel>{title}</MenuLabel>
          {kinds.map((kind) => (
            <MenuItem
              key={kind}
              icon={<KindIcon kind={kind} />}
              {...(kind === 'bio' && sources.pages.length === 0
                ? { why: 'Your project has no link in bio page yet.' }
                : {})}
              onSelect={() => add(kind)}
            >
              {kindWords[kind].name}
              <span className="block text-sm whitespace-normal text-ink-muted">{kindWords[kind].about}</span>
            </MenuItem>
          ))}
        </Fragment>
      ))}
    </Menu>
  )
}
