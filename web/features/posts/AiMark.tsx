import Sparkles from 'lucide-react/icons/sparkles'
import { Badge } from '#web/ui/Badge.tsx'

/** Stands by a draft whose first text was written by AI. */
export function AiMark() {
  return (
    <Badge icon={<Sparkles size={12} aria-hidden />}>
      <span className="sr-only">Written by </span>AI
    </Badge>
  )
}
