import { Part } from './Part.tsx'

const grounds = [
  'canvas',
  'surface',
  'raised',
  'sunken',
  'accent',
  'accent-soft',
  'ok-soft',
  'wait-soft',
  'bad-soft',
  'info-soft',
  'line',
  'line-strong',
]
const inks = ['ink', 'ink-muted', 'ink-faint', 'accent', 'ok', 'wait', 'bad', 'info']
const sizes = ['xs', 'sm', 'base', 'lg', 'xl', '2xl']

export function TokensGallery() {
  return (
    <Part title="Tokens">
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-2">
        {grounds.map((name) => (
          <li key={name} className="grid gap-1 text-sm">
            <span className="h-10 rounded-md border border-line" style={{ background: `var(--${name})` }} />
            {name}
          </li>
        ))}
      </ul>
      <p className="flex flex-wrap gap-4">
        {inks.map((name) => (
          <span key={name} style={{ color: `var(--${name})` }}>
            {name}: the quick fox
          </span>
        ))}
      </p>
      <p className="flex flex-wrap items-baseline gap-4">
        {sizes.map((size) => (
          <span key={size} style={{ fontSize: `var(--text-${size})` }}>
            Northlight {size} 0123
          </span>
        ))}
      </p>
    </Part>
  )
}
