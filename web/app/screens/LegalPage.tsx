import { StandalonePage } from '#web/ui/StandalonePage.tsx'

type Part = { title: string; text: readonly string[] }

/** A legal text: headed parts of plain paragraphs. */
export function LegalPage({ title, lead, parts }: { title: string; lead: string; parts: readonly Part[] }) {
  return (
    <StandalonePage wide title={title} lead={lead}>
      <div className="grid gap-6">
        {parts.map((part) => (
          <section key={part.title} className="grid gap-2">
            <h2 className="text-lg font-bold">{part.title}</h2>
            {part.text.map((paragraph) => (
              <p key={paragraph} className="text-pretty text-ink-muted">
                {paragraph}
              </p>
            ))}
          </section>
        ))}
      </div>
    </StandalonePage>
  )
}
