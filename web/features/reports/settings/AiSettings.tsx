import Sparkles from 'lucide-react/icons/sparkles'
import { AiFailure, aiFailureText } from '#contract/aiFailure.ts'
import { ANALYSIS_CREDITS } from '#contract/analytics/analysis.ts'
import { spanText } from '#contract/days.ts'
import type { BlockOf } from '#contract/reports/content.ts'
import { writeReportText } from '#contract/reports/aiText.ts'
import type { ApiFailure } from '#web/lib/failure.ts'
import { count } from '#web/lib/format.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useHome, useProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Field } from '#web/ui/Field.tsx'
import { GateNotice } from '#web/ui/GateNotice.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { useEditor } from '../editor/EditorContext.ts'
import { useBlock } from './fields.tsx'

/** A text that AI writes from the report's figures, and people edit. */
export function AiSettings({ block }: { block: BlockOf<'ai'> }) {
  const ids = useProjectIds()
  const { state } = useEditor()
  const { set, pause, problem } = useBlock(block)
  const mayWrite = useMay([['insights', 'create']]) === 'yes'
  const isSetUp = useHome().data?.capabilities.ai ?? true
  const write = useSend(writeReportText, {
    handles: true,
    onSuccess: ({ text, about }) => set({ text, about }),
  })
  return (
    <>
      <Field
        label="Text"
        error={problem('text')}
        hint={block.about ? `Written about ${spanText(block.about)}. Edit it as you like.` : undefined}
      >
        <TextArea
          rows={5}
          value={block.text}
          onChange={({ target }) => set({ text: target.value }, 'text')}
          onBlur={pause}
        />
      </Field>
      {write.error ? <Problem error={write.error} /> : null}
      {!isSetUp ? (
        <p className="text-sm text-pretty text-ink-muted">
          AI isn't set up on this server, so write the text yourself. Your Rookery administrator can set AI up.
        </p>
      ) : mayWrite ? (
        <div className="grid justify-items-start gap-1.5">
          <Button
            icon={<Sparkles size={15} aria-hidden />}
            loading={write.isPending}
            onClick={() => write.mutate({ params: ids, body: { content: state.edited.content } })}
          >
            {block.text.trim() === '' ? 'Write' : 'Write again'} ({count(ANALYSIS_CREDITS, 'credit')})
          </Button>
          <p role="status" className="text-sm text-pretty text-ink-muted">
            {write.data
              ? `${count(write.data.creditsLeft, 'AI credit')} left this month.`
              : 'It reads the figures of the report’s days and channels, and every number is checked against them.'}
          </p>
        </div>
      ) : (
        <p className="text-sm text-pretty text-ink-muted">Your role can't spend AI credits on insights.</p>
      )}
      <Checkbox
        label="Write it again for each sending"
        hint={`Scheduled reports then have a new text for their own days, for ${count(ANALYSIS_CREDITS, 'AI credit')} each.`}
        checked={block.renew}
        onChange={({ target }) => set({ renew: target.checked })}
      />
    </>
  )
}

/** Why there's no new text. */
function Problem({ error }: { error: ApiFailure }) {
  if (error.code === 'PLAN_LIMIT')
    return <GateNotice gate={error.meta['gate'] === 'ai_credits' ? 'ai_credits' : 'plan_expired'} />
  const why = AiFailure.safeParse(error.meta['why']).data
  const text =
    error.code === 'NO_POSTS_FOUND'
      ? 'There are no figures in these days to write about.'
      : why === undefined
        ? (error.detail ?? "The text couldn't be written. Try again.")
        : why === 'unusable'
          ? 'Nothing that the AI model wrote matched your figures.'
          : why === 'declined'
            ? 'The AI model declined this request.'
            : aiFailureText[why]
  return (
    <p role="alert" className="text-sm text-pretty text-bad">
      {text} No credits were used.
    </p>
  )
}
