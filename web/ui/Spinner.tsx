/** A spinner inside a control. Whole areas show skeletons instead. */
export function Spinner({ size = 14 }: { size?: number }) {
  return (
    <svg
      className="animate-turn shrink-0"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      aria-hidden
    >
      <circle cx="8" cy="8" r="6" opacity="0.25" />
      <path d="M14 8a6 6 0 0 0-6-6" strokeLinecap="round" />
    </svg>
  )
}
