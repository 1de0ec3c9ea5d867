import { Banner } from '#web/ui/Banner.tsx'
import { useCheckResults } from './ComposerContext.ts'

/** The post's problems without a field. */
export function PostProblem() {
  const { trouble } = useCheckResults()
  return trouble ? <Banner tone="bad" live title={trouble} /> : null
}
