import type { FigureName } from '#contract/analytics/catalog/names.ts'
import { insightsPost } from '#contract/analytics/posts.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Spark } from '#web/ui/charts/Spark.tsx'

type Props = { postId: string; name: FigureName; /** The figure's name as it's shown. */ label: string }

/** A figure at each reading of a post since it was published, as a small line. Nothing before the second reading. */
export default function PostSpark({ postId, name, label }: Props) {
  const ids = useProjectIds()
  // one call for all figures of the post
  const { data } = useCall(insightsPost, { params: { ...ids, postId } }, { handles: true })
  const values = data?.readings.map(({ figures }) => figures[name] ?? null) ?? []
  return <Spark label={`${label} since publishing`} values={values} size={{ width: 68, height: 20 }} />
}
