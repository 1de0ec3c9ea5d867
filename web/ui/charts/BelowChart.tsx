import type { ReactNode } from 'react'
import type { ChartData } from '#charts/data.ts'
import { finalWords } from '#charts/notes.ts'

/** What the band and the signs on the axis mean. */
export function BelowChart({ label, data }: { label: string; data: ChartData }) {
  const final = finalWords(data)
  const kinds = new Set(data.events?.map(({ kind }) => kind))
  if (final === null && kinds.size === 0) return null
  return (
    <ul aria-label={`Below ${label}`} className="flex flex-wrap gap-x-4 gap-y-1 pt-1.5 text-sm text-ink-muted">
      {final === null ? null : (
        <Sign
          text={final}
          sample={<path d="M-2,12L10,0M4,14L16,2M10,16L22,4" stroke="var(--line-strong)" strokeWidth={1} />}
        />
      )}
      {kinds.has('posts') ? (
        <Sign text="Published posts" sample={<circle cx={9} cy={5} r={3} fill="var(--ink-muted)" />} />
      ) : null}
      {kinds.has('campaign') ? (
        <Sign
          text="Campaign"
          sample={<path d="M1,1v8M1,5H17M17,1v8" stroke="var(--wait)" strokeWidth={1.5} fill="none" />}
        />
      ) : null}
    </ul>
  )
}

const Sign = ({ text, sample }: { text: string; sample: ReactNode }) => (
  <li className="flex items-center gap-1.5">
    <svg width={18} height={10} aria-hidden className="shrink-0 overflow-hidden">
      {sample}
    </svg>
    {text}
  </li>
)
