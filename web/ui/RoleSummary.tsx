import Check from 'lucide-react/icons/check'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import type { Permissions } from '#contract/permissions.ts'
import { listOf, summaryOf } from '#web/lib/roleWords.ts'

/** What a role can and can't do, in plain words; the headings announce its icons. */
export function RoleSummary({ permissions, cannot = true }: { permissions: Permissions; cannot?: boolean }) {
  const summary = summaryOf(permissions)
  return (
    <div className="grid gap-3 text-sm">
      <Part title="Can">
        {summary.can.map((line) => (
          <Line key={line} mark={<Check size={13} aria-hidden className="text-ok" />}>
            {line}
          </Line>
        ))}
        {summary.looksAt.length > 0 ? (
          <Line
            mark={<Eye size={13} aria-hidden className="text-ink-muted" />}
          >{`Only see ${listOf(summary.looksAt)}`}</Line>
        ) : null}
        {summary.can.length + summary.looksAt.length === 0 ? <li className="text-ink-muted">Nothing yet</li> : null}
      </Part>
      {cannot && summary.cannot.length + summary.cannotSee.length > 0 ? (
        <Part title="Can't">
          {summary.cannot.map((line) => (
            <Line key={line} mark={<X size={13} aria-hidden className="text-ink-faint" />}>
              {line}
            </Line>
          ))}
          {summary.cannotSee.length > 0 ? (
            <Line
              mark={<EyeOff size={13} aria-hidden className="text-ink-faint" />}
            >{`See ${listOf(summary.cannotSee)}`}</Line>
          ) : null}
        </Part>
      ) : null}
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      {/* no heading: it's used at any level */}
      <p aria-hidden className="mb-1 font-bold">
        {title}
      </p>
      <ul aria-label={title} className="grid gap-1">
        {children}
      </ul>
    </div>
  )
}

function Line({ mark, children }: { mark: ReactNode; children: string }) {
  return (
    <li className="grid grid-cols-[16px_minmax(0,1fr)] items-start gap-1.5">
      <span className="mt-1">{mark}</span>
      <span className="text-ink-muted">{children}</span>
    </li>
  )
}
