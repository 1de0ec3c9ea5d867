import { Link } from '#web/ui/Link.tsx'
import { StandalonePage } from '#web/ui/StandalonePage.tsx'

type Part = { id: string; title: string; text: readonly string[]; list?: readonly string[] }

/** The other page, at the foot of each. */
const others = {
  terms: { to: '/legal/privacy-policy', title: 'Privacy policy' },
  privacy: { to: '/legal/terms-and-conditions', title: 'Terms and conditions' },
} as const

/** A legal text: its contents, then sections of plain paragraphs. When printed, it's the text alone. */
export function LegalPage({
  page,
  title,
  lead,
  parts,
}: {
  page: keyof typeof others
  title: string
  lead: string
  parts: readonly Part[]
}) {
  const other = others[page]
  return (
    <StandalonePage
      wide
      title={title}
      lead={lead}
      footer={
        <span className="print:hidden">
          See also the <Link to={other.to}>{other.title}</Link>.
        </span>
      }
    >
      <nav aria-label="Contents" className="mb-8 border-y border-line py-3 print:hidden">
        <ol className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
          {parts.map((part, index) => (
            <li key={part.id} className="tnum flex gap-2">
              <span aria-hidden className="w-4 shrink-0 text-right text-ink-faint">
                {index + 1}
              </span>
              <a
                href={`#${part.id}`}
                className="inline-block min-h-6 rounded-sm text-ink-muted underline decoration-transparent underline-offset-3 hover:text-ink hover:decoration-current"
              >
                {part.title}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <div className="grid gap-7 print:gap-4">
        {parts.map((part, index) => (
          <section
            key={part.id}
            id={part.id}
            aria-labelledby={`${part.id}-title`}
            className="grid scroll-mt-4 gap-2 break-inside-avoid"
          >
            <h2 id={`${part.id}-title`} className="text-lg font-bold">
              {index + 1}. {part.title}
            </h2>
            {part.text.map((paragraph) => (
              <p key={paragraph} className="leading-relaxed text-pretty">
                {paragraph}
              </p>
            ))}
            {part.list ? (
              <ul className="grid list-disc gap-1.5 pl-5 leading-relaxed marker:text-ink-faint">
                {part.list.map((item) => (
                  <li key={item}>{item}</li>
                ))}
              </ul>
            ) : null}
          </section>
        ))}
      </div>
    </StandalonePage>
  )
}
