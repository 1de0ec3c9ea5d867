/** How much of a limit is used, as a ring that fills. The numbers are next to it. */
export function CountRing({ part, over, near }: { part: number; over: boolean; near: boolean }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" fill="none" strokeWidth="2.5" aria-hidden className="-rotate-90">
      <circle cx="8" cy="8" r="6" stroke="var(--line)" />
      <circle
        cx="8"
        cy="8"
        r="6"
        stroke={over ? 'var(--bad)' : near ? 'var(--wait)' : 'var(--accent)'}
        strokeDasharray="37.7"
        strokeDashoffset={37.7 * (1 - Math.min(1, part))}
      />
    </svg>
  )
}
