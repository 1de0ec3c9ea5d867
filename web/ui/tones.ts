export type Tone = 'neutral' | 'accent' | 'ok' | 'wait' | 'bad' | 'info'

/** Words on a soft ground. */
export const softTone: Record<Tone, string> = {
  neutral: 'bg-sunken text-ink-muted inset-ring inset-ring-line',
  accent: 'bg-accent-soft text-accent',
  ok: 'bg-ok-soft text-ok',
  wait: 'bg-wait-soft text-wait',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
}

export const inkTone: Record<Tone, string> = {
  neutral: 'text-ink-faint',
  accent: 'text-accent',
  ok: 'text-ok',
  wait: 'text-wait',
  bad: 'text-bad',
  info: 'text-info',
}
