import { inkOn, PAPER, PRODUCT_ACCENT, readableAccent } from '#contract/reports/accent.ts'

/** How a cover and a heading look: on paper, whatever the theme. */
export function BrandPreview({ accent, logo }: { accent: string | null; logo: string | null }) {
  const bar = accent ?? PRODUCT_ACCENT
  const color = readableAccent(accent)
  return (
    <figure
      aria-label="How reports look"
      className="w-full max-w-80 overflow-hidden rounded-md text-black ring ring-line"
      style={{ background: PAPER.light }}
    >
      <div className="grid h-32 content-end gap-2 p-5" style={{ background: bar, color: inkOn(bar) }}>
        <span aria-hidden className="h-0.5 w-6 bg-current" />
        <p className="text-xl font-bold">Monthly report</p>
      </div>
      <div className="flex min-h-16 items-start justify-between gap-3 p-5 pb-3">
        <p className="text-sm font-bold">01 Nov to 30 Nov 2026</p>
        {logo ? <img src={logo} alt="Logo" className="max-h-10 max-w-24 object-contain object-right-top" /> : null}
      </div>
      <div className="grid gap-1 px-5 pb-5 text-sm">
        <p className="font-bold">Top posts</p>
        <p className="border-l-2 pl-2" style={{ borderColor: color }}>
          Text in your color: <span style={{ color }}>northlight.example</span>
        </p>
      </div>
    </figure>
  )
}
