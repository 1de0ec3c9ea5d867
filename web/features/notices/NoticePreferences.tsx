import { useQueryClient } from '@tanstack/react-query'
import {
  alwaysMailed,
  noticePreferences,
  setNoticePreference,
  topicWords,
  type NoticePreferences as Preferences,
} from '#contract/notices.ts'
import { callOptions, useCall, useSend } from '#web/lib/queries.ts'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { Switch } from '#web/ui/Switch.tsx'

type Choice = Preferences['topics'][number]
const ways = [
  { key: 'inApp', label: 'In the app' },
  { key: 'mail', label: 'By email' },
] as const

/** What the person is notified about, and how: a switch for each topic and channel, saved at once. */
export function NoticePreferences() {
  const chosen = useCall(noticePreferences, {}, { handles: true })
  const choose = useChoose()
  return (
    <Loaded query={chosen} skeleton={<SkeletonRows rows={6} label="Loading notification settings" />}>
      {({ topics }) => (
        <div className="max-w-160 overflow-hidden rounded-lg border border-line bg-surface">
          <table aria-label="Notification settings" className="w-full border-collapse">
            <thead>
              <tr className="border-b border-line bg-sunken text-xs font-bold text-ink-muted">
                <th scope="col" className="h-8 px-3 text-left">
                  Topic
                </th>
                {ways.map((way) => (
                  <th key={way.key} scope="col" className="w-22 px-3 text-left whitespace-nowrap">
                    {way.label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {topics.map((choice) => (
                <tr key={choice.topic} className="border-line not-last:border-b">
                  <th scope="row" className="px-3 py-2 text-left font-normal">
                    <span className="block font-medium">{topicWords[choice.topic].label}</span>
                    <span className="block text-sm text-pretty text-ink-muted">
                      {topicWords[choice.topic].about}
                      {alwaysMailed.includes(choice.topic) ? ' Always sent by email.' : null}
                    </span>
                  </th>
                  {ways.map((way) => (
                    <td key={way.key} className="px-3 py-2 align-middle">
                      <Switch
                        label={`${topicWords[choice.topic].label}, ${way.label.toLowerCase()}`}
                        labelHidden
                        checked={choice[way.key]}
                        disabled={way.key === 'mail' && alwaysMailed.includes(choice.topic)}
                        onChange={(event) => choose({ ...choice, [way.key]: event.target.checked })}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Loaded>
  )
}

/** Shows the choice at once; if it is refused, the topic goes back to what it was, with a message. */
function useChoose(): (choice: Choice) => void {
  const queries = useQueryClient()
  const { queryKey } = callOptions(noticePreferences, {})
  const put = (choice: Choice) =>
    queries.setQueryData(
      queryKey,
      (known) => known && { topics: known.topics.map((one) => (one.topic === choice.topic ? choice : one)) },
    )
  const send = useSend(setNoticePreference, {
    onMutate: async ({ body }) => {
      await queries.cancelQueries({ queryKey })
      const before = queries.getQueryData(queryKey)?.topics.find((one) => one.topic === body.topic)
      put(body)
      return before
    },
    onError: (_failure, _sent, before) => {
      if (before) put(before)
    },
  })
  return (body) => send.mutate({ body })
}
