import Sparkles from 'lucide-react/icons/sparkles'

/** Marks a draft whose first text was written by AI. */
export function AiMark() {
  return (
    <span className="flex shrink-0 items-center gap-1 text-sm text-ink-muted">
      <Sparkles size={12} aria-hidden /> Written by AI
    </span>
  )
}
