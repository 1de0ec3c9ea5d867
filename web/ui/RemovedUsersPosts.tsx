import { count } from '#web/lib/format.ts'

/** What becomes of the posts of someone who is removed. */
export function RemovedUsersPosts({ scheduled }: { scheduled: number }) {
  return (
    <p className="mt-2">
      {scheduled > 0 ? (
        <b className="font-bold text-ink">{`Their ${count(scheduled, 'scheduled post')} will be published as planned.`}</b>
      ) : (
        'They have no scheduled posts.'
      )}{' '}
      What they created stays.
    </p>
  )
}
