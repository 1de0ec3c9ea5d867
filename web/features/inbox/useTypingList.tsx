import { useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import { fillIn, listCannedResponses, type ResponseVariable } from '#contract/inbox/cannedResponses.ts'
import type { getConversation } from '#contract/inbox/conversations.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { isFailure } from '#web/lib/failure.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useHome, useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Link } from '#web/ui/Link.tsx'
import type { ConversationRow } from './heldConversations.ts'
import { fittingResponses, replaced, typedAt, type Typed } from './replyTyping.ts'
import { TypingList, TypingNote, type TypingOption } from './TypingList.tsx'

const MOST = 8

type Options = {
  open: ReplyOf<typeof getConversation>
  row: ConversationRow
  text: string
  onChoose: (change: { text: string; caret: number; responseId?: string }) => void
}

/** Offers canned responses while a `/` is typed, and the people of the conversation while an `@` is. */
export function useTypingList({ open, row, text, onChoose }: Options) {
  const id = useId()
  const [caret, setCaret] = useState(0)
  const [closed, setClosed] = useState(true)
  const [active, setActive] = useState(0)
  const typed = closed ? undefined : typedAt(text, caret)
  const responses = useResponses(open, row, typed?.sign === '/' ? typed.words : undefined)
  const people = typed?.sign === '@' ? peopleOf(open, row, typed.words) : []
  const options: readonly TypingOption[] = (typed?.sign === '/' ? responses.options : people).slice(0, MOST)
  const isShown = options.length > 0
  const choose = (option: TypingOption) => {
    if (!typed) return
    onChoose({
      ...replaced(text, caret, typed, option.text),
      ...(option.responseId ? { responseId: option.responseId } : {}),
    })
    setClosed(true)
  }
  return {
    caret: (at: number) => {
      setCaret(at)
      setClosed(false)
      setActive(0)
    },
    close: () => setClosed(true),
    /** Returns whether the list took the key. */
    onKey: (event: KeyboardEvent): boolean => {
      if (!isShown) return false
      if (event.key === 'Escape') setClosed(true)
      else if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
        setActive((now) => (now + (event.key === 'ArrowDown' ? 1 : -1) + options.length) % options.length)
      else if ((event.key === 'Enter' && !event.ctrlKey && !event.metaKey) || event.key === 'Tab') {
        const option = options[active]
        if (!option) return false
        choose(option)
      } else return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },
    aria: isShown
      ? { 'aria-controls': `${id}-list`, 'aria-activedescendant': `${id}-list-${active}` }
      : { 'aria-controls': undefined, 'aria-activedescendant': undefined },
    mayUseResponses: responses.mayUse,
    shown: isShown ? (
      <TypingList
        id={`${id}-list`}
        label={typed?.sign === '/' ? 'Canned responses' : 'People to mention'}
        options={options}
        active={active}
        onPick={choose}
      />
    ) : typed?.sign === '/' ? (
      whyNone(typed, responses)
    ) : null,
  }
}

function whyNone({ words }: Typed, { lacksPlan, isEmpty, ids }: ReturnType<typeof useResponses>): ReactNode {
  // someone who wants a plain slash isn't bothered
  if (words !== '' || !(lacksPlan || isEmpty)) return null
  return (
    <TypingNote>
      {lacksPlan ? "Your plan doesn't include canned responses." : 'No canned responses yet.'}{' '}
      {lacksPlan ? null : (
        <Link to="/$orgId/project/$projectId/canned-responses" params={ids}>
          Create one
        </Link>
      )}
    </TypingNote>
  )
}

/** Canned responses with their variables filled in; asked for once a `/` is typed. */
function useResponses(open: Options['open'], row: ConversationRow, words: string | undefined) {
  const ids = useProjectIds()
  const me = useHome().data?.user
  const mayUse = useMay([['canned_response', 'view']]) === 'yes'
  const list = useCall(listCannedResponses, { params: ids }, { handles: true, enabled: mayUse && words !== undefined })
  const values: Partial<Record<ResponseVariable, string>> = {
    name: row.person?.name ?? '',
    handle: row.person?.handle ?? '',
    channel: row.channel.channelName,
    post_link: open.subject?.url ?? '',
    agent: me?.firstName ?? '',
  }
  const all = list.data?.responses ?? []
  return {
    ids,
    mayUse,
    lacksPlan: isFailure(list.error, 'PLAN_LIMIT'),
    isEmpty: list.data !== undefined && all.length === 0,
    options:
      words === undefined
        ? []
        : fittingResponses(all, words).map(({ responseId, name, text }): TypingOption => {
            const filled = fillIn(text, values)
            return { key: responseId, responseId, title: name, detail: filled.replaceAll(/\s+/g, ' '), text: filled }
          }),
  }
}

/** Who takes part, by their handles: in public only, since a message has one reader. */
function peopleOf({ items }: Options['open'], row: ConversationRow, words: string): TypingOption[] {
  if (row.kind === 'message' || row.kind === 'review') return []
  const people = [row.person, ...items.map(({ person, direction }) => (direction === 'received' ? person : null))]
  const byHandle = new Map(people.flatMap((one) => (one?.handle ? [[one.handle, one] as const] : [])))
  const wanted = words.toLowerCase()
  return [...byHandle.values()]
    .filter(({ name, handle }) =>
      [name.toLowerCase(), handle.toLowerCase().replace(/^@/, '')].some((one) => one.startsWith(wanted)),
    )
    .map(({ name, handle }) => {
      const at = handle.startsWith('@') ? handle : `@${handle}`
      return { key: handle, title: name || at, detail: name ? at : '', text: `${at} ` }
    })
}
