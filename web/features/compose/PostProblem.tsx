import { Banner } from '#web/ui/Banner.tsx'
import { useCheckResults } from './ComposerContext.ts'

/** What is wrong with the post and belongs to no field. */
export function PostProblem() {
  const { trouble } = useCheckResults()
  return trouble ? <Banner tone="bad" live title={trouble} /> : null
}
