import Globe from 'lucide-react/icons/globe'
import type { PreviewCard } from './previewed.ts'

export function LinkCardView({ card }: { card: PreviewCard }) {
  return (
    <div className="overflow-hidden rounded-md border border-line">
      {card.imageUrl ? (
        <img src={card.imageUrl} alt="" className="aspect-[1.91/1] w-full bg-sunken object-cover" />
      ) : null}
      <div className="grid gap-0.5 px-3 py-2">
        <p dir="auto" className="line-clamp-2 font-bold">
          {card.title || card.uri}
        </p>
        {card.description ? (
          <p dir="auto" className="line-clamp-2 text-sm text-ink-muted">
            {card.description}
          </p>
        ) : null}
        <p className="mt-1 flex items-center gap-1 border-t border-line pt-1.5 text-xs text-ink-muted">
          <Globe size={11} aria-hidden /> {hostOf(card.uri)}
        </p>
      </div>
    </div>
  )
}

function hostOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).host.replace(/^www\./, '') : uri
}
