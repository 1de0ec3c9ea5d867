import ArrowDownUp from 'lucide-react/icons/arrow-down-up'
import type { InboxSorting } from '#contract/inbox/terms.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu, MenuChoice } from '#web/ui/Menu.tsx'
import { SearchBox } from '#web/ui/SearchBox.tsx'
import { ReadNow } from './ReadNow.tsx'

const sortings = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'waiting', label: 'Waiting longest' },
] as const

type Props = {
  words: string
  onSearch: (words: string) => void
  /** The search also finds what the view leaves out otherwise. */
  isWidened: boolean
  /** Undefined where the view has an order of its own. */
  sort: InboxSorting | undefined
  onSort: (sort: InboxSorting) => void
  /** Some channel is read from time to time. */
  isRead: boolean
}

/** Over the list: what is searched, and its order. */
export function ListHead({ words, onSearch, isWidened, sort, onSort, isRead }: Props) {
  return (
    <div className="sticky top-0 z-10 flex shrink-0 flex-wrap items-center gap-1.5 border-b border-line bg-surface px-3 py-2">
      <SearchBox label="Search conversations" value={words} onSearch={onSearch} className="min-w-0 grow" />
      {sort ? (
        <Menu
          align="end"
          label="Sort"
          trigger={
            <IconButton
              label={`Sort: ${sortings.find(({ value }) => value === sort)?.label ?? ''}`}
              icon={<ArrowDownUp size={15} />}
            />
          }
        >
          <MenuChoice label="Sort" value={sort} options={sortings} onChange={onSort} />
        </Menu>
      ) : null}
      {isRead ? <ReadNow /> : null}
      {isWidened ? <p className="w-full text-xs text-ink-muted">Searching conversations of any status</p> : null}
    </div>
  )
}
