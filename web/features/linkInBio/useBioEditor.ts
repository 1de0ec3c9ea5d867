import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { getBioPage, saveBioPage, type BioPage } from '#contract/linkInBio/pages.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { callOptions, useSend } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toast.ts'
import { bioReducer, isEdited, startOf } from './bioReducer.ts'
import { bodyItemsOf, withSchemes, type EditedPage } from './edited.ts'
import type { Editor } from './EditorContext.ts'
import { problemsOf, refusedFields, valueAt, type Problems } from './problems.ts'

type Refused = { problems: Problems; sent: EditedPage }

type Options = { zone: string; readOnly: boolean; /** Brings the fields into view. */ reveal: () => void }

/** A page while it's edited: its state, what's wrong with it, and saving it as a whole. */
export function useBioEditor(page: BioPage, { zone, readOnly, reveal }: Options) {
  const ids = useProjectIds()
  const params = { ...ids, pageId: page.pageId }
  const queries = useQueryClient()
  const [state, dispatch] = useReducer(bioReducer, undefined, () => startOf(page, zone))
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<Refused>()
  const root = useRef<HTMLDivElement>(null)
  const now = useNow()
  useEffect(() => dispatch({ type: 'read', page }), [page])

  const { saved, edited } = state
  const problems = useMemo(() => problemsOf(edited), [edited])
  // the server's messages are about what was sent, until it's changed
  const refusedAt = (field: string) =>
    refused && valueAt(refused.sent, field) === valueAt(edited, field) ? refused.problems.get(field) : undefined
  const editor: Editor = {
    state,
    dispatch,
    readOnly,
    problemOf: (field) => refusedAt(field) ?? (tried || left.has(field) ? problems.get(field) : undefined),
    leave: (field) => (left.has(field) ? undefined : setLeft(new Set([...left, field]))),
    now,
  }
  const focusProblem = (of: Problems) => {
    flushSync(reveal)
    const fields = root.current?.querySelectorAll<HTMLElement>('[data-field]') ?? []
    const first = [...fields].find((field) => of.has(field.dataset['field'] ?? ''))
    first?.scrollIntoView({ block: 'center' })
    first?.focus({ preventScroll: true })
  }

  const send = useSend(saveBioPage, {
    handles: ['STALE_VERSION', 'BAD_INPUT'],
    onSuccess: ({ message, ...stored }, { body }) => {
      queries.setQueryData(callOptions(getBioPage, { params }).queryKey, stored)
      setTried(false)
      setLeft(new Set())
      const wentLive = body.live && !saved.live
      toast.success(wentLive ? 'Your page is live' : (message ?? 'Page saved'))
    },
  })
  const save = (part: Partial<Pick<EditedPage, 'live'>> = {}) => {
    if (readOnly || send.isPending) return
    const sent = withSchemes({ ...edited, ...part })
    const wrong = problemsOf(sent)
    dispatch({ type: 'restored', edited: wrong.size > 0 ? withSchemes(edited) : sent })
    if (wrong.size > 0) {
      flushSync(() => setTried(true))
      return focusProblem(wrong)
    }
    const { picture, buttons: _, posts: __, ...rest } = sent
    send.mutate(
      {
        params,
        body: {
          ...rest,
          pictureAssetId: picture?.assetId ?? null,
          version: saved.version,
          ...bodyItemsOf(saved, sent),
        },
      },
      {
        onSuccess: ({ message: ___, ...stored }) => dispatch({ type: 'saved', page: stored, sent }),
        onError: (failure) => {
          if (failure.code === 'STALE_VERSION')
            void queries.invalidateQueries({ queryKey: callOptions(getBioPage, { params }).queryKey })
          if (failure.code !== 'BAD_INPUT') return
          const { problems: at, others } = refusedFields(failure.errors, sent)
          flushSync(() => setRefused({ problems: at, sent }))
          focusProblem(at)
          const [other] = at.size > 0 ? others : [others[0] ?? failure.detail ?? failure.title]
          if (other) toast.error(other)
        },
      },
    )
  }
  return {
    editor,
    root,
    save,
    saving: send.isPending,
    edited: isEdited(state),
    /** How many fields keep it from being saved, once someone tried. */
    blocked: tried ? problems.size : 0,
    showProblem: () => focusProblem(problems),
  }
}
