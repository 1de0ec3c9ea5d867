import { count } from '#web/lib/format.ts'

/** What becomes of the posts of someone who is removed; null: how many isn't known here. */
export function RemovedUsersPosts({ scheduled }: { scheduled: number | null }) {
  return (
    <p className="mt-2">
      {scheduled ? (
        <b className="font-bold text-ink">{`Their ${count(scheduled, 'scheduled post')} will be published as planned.`}</b>
      ) : scheduled === 0 ? (
        'They have no scheduled posts.'
      ) : (
        'Their scheduled posts will be published as planned.'
      )}{' '}
      What they created stays.
    </p>
  )
}
