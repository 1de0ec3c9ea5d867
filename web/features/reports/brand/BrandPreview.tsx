import { PAPER, readableAccent } from '#contract/reports/accent.ts'

/** How a cover and a heading look: on paper, whatever the theme. */
export function BrandPreview({ accent, logo }: { accent: string | null; logo: string | null }) {
  const color = readableAccent(accent)
  return (
    <figure aria-label="How reports look" className="w-full max-w-80 overflow-hidden rounded-md ring ring-line">
      <div className="grid gap-4 p-5 text-black" style={{ background: PAPER.light }}>
        {logo ? <img src={logo} alt="Logo" className="max-h-10 max-w-32 justify-self-start object-contain" /> : null}
        <div className="grid gap-1">
          <p className="text-xl font-bold" style={{ color }}>
            Monthly report
          </p>
          <p className="text-sm">01 Nov to 30 Nov 2026</p>
        </div>
        <div className="grid gap-1.5 border-t-2 pt-3" style={{ borderColor: color }}>
          <p className="font-bold" style={{ color }}>
            Figures
          </p>
          <p className="text-sm">Followers 12,480, and 3.20% more than before.</p>
        </div>
      </div>
    </figure>
  )
}
