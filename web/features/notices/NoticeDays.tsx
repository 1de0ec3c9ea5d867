import { useId, type ReactNode } from 'react'
import type { Notice } from '#contract/notices.ts'
import { addDays, wallOf, type Day } from '#web/lib/dates.ts'
import { dateOf, timeOf } from '#web/lib/format.ts'
import { NoticeItem } from './NoticeItem.tsx'

/** Notifications grouped by the day they came, newest first. */
export function NoticeDays({
  notices,
  zone,
  now,
  onRead,
}: {
  notices: readonly Notice[]
  zone: string
  now: Date
  onRead: (noticeId: string) => void
}) {
  const today = wallOf(now, zone).day
  return (
    <div className="grid gap-5">
      {byDay(notices, zone).map(({ day, own }) => (
        <DaySection key={day} title={titleOf(day, today, own, zone)}>
          {own.map((notice) => (
            <NoticeItem
              key={notice.noticeId}
              notice={notice}
              time={timeOf(notice.createdAt, zone)}
              onRead={() => onRead(notice.noticeId)}
            />
          ))}
        </DaySection>
      ))}
    </div>
  )
}

function DaySection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-1.5 text-sm font-bold text-ink-muted">
        {title}
      </h2>
      <ul
        aria-labelledby={id}
        className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface"
      >
        {children}
      </ul>
    </section>
  )
}

function byDay(notices: readonly Notice[], zone: string): { day: Day; own: Notice[] }[] {
  const days = new Map<Day, Notice[]>()
  for (const notice of notices) {
    const { day } = wallOf(new Date(notice.createdAt), zone)
    days.set(day, [...(days.get(day) ?? []), notice])
  }
  return [...days].map(([day, own]) => ({ day, own }))
}

function titleOf(day: Day, today: Day, [first]: readonly Notice[], zone: string): string {
  if (day === today) return 'Today'
  if (day === addDays(today, -1)) return 'Yesterday'
  return first ? dateOf(first.createdAt, zone) : day
}
