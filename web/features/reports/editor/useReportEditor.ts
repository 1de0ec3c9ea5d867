import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useReducer, useState } from 'react'
import { getReport, saveReport, type Report } from '#contract/reports/reports.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { callOptions, useSend } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toast.ts'
import { differences, editedOf, type EditedReport } from './edited.ts'
import { problemsOf, refusedFields, type Problems } from './problems.ts'
import { isEdited, reportReducer, startOf } from './reportReducer.ts'

type Refused = { problems: Problems; sent: EditedReport }

/** A report while it's edited: its state, what's wrong with it, and saving it as a whole. */
export function useReportEditor(report: Report, onProblem: (field: string) => void) {
  const ids = useProjectIds()
  const params = { ...ids, reportId: report.reportId }
  const queries = useQueryClient()
  const [state, dispatch] = useReducer(reportReducer, report, startOf)
  const [refused, setRefused] = useState<Refused>()
  useEffect(() => dispatch({ type: 'read', report }), [report])

  const { saved, edited } = state
  const wrong = useMemo(() => problemsOf(edited), [edited])
  // the server's messages are about what was sent, until something is changed
  const problems = refused && differences(refused.sent, edited).length === 0 ? refused.problems : wrong
  const tell = (of: Problems) => {
    const [first] = of.keys()
    if (first !== undefined) onProblem(first)
  }
  const send = useSend(saveReport, { handles: ['STALE_VERSION', 'BAD_INPUT', 'NOT_FOUND'] })
  const save = () => {
    if (send.isPending) return
    const parsed = saveReport.body.safeParse({ ...edited, version: saved.version })
    if (!parsed.success) return tell(problemsOf(edited))
    const { version: _, ...stored } = parsed.data
    send.mutate(
      { params, body: { ...edited, version: saved.version } },
      {
        onSuccess: ({ message, version }) => {
          const next = { ...saved, ...stored, version }
          queries.setQueryData(callOptions(getReport, { params }).queryKey, next)
          dispatch({ type: 'saved', report: next, sent: edited })
          toast.success(message ?? 'Report saved')
        },
        onError: (failure) => {
          if (failure.code === 'BAD_INPUT') {
            const at = refusedFields(failure.errors, edited)
            setRefused({ problems: at, sent: edited })
            tell(at)
            if (at.size === 0) toast.error(failure.detail ?? failure.title)
          } else if (failure.code === 'STALE_VERSION' || failure.code === 'NOT_FOUND')
            void queries.invalidateQueries({ queryKey: callOptions(getReport, { params }).queryKey })
        },
      },
    )
  }
  return {
    state,
    dispatch,
    problems,
    save,
    saving: send.isPending,
    edited: isEdited(state),
    unsaved: differences(editedOf(saved), edited),
    showProblem: () => tell(problems),
  }
}
export type ReportEditing = ReturnType<typeof useReportEditor>
