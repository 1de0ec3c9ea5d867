type Props = {
  address: string
  /** Where it leads; undefined if it stays as it is. */
  target: string | undefined
  /** Its short link, if it's published as one. */
  short: string | undefined
}

/** What becomes of a link: the address that is published, and where it leads if that's a short one. */
export function ResultingLink({ address, target, short }: Props) {
  if (target === undefined || (short === undefined && target === address))
    return (
      <span dir="auto" className="text-sm wrap-anywhere">
        {address} <span className="text-ink-muted">(stays as it is)</span>
      </span>
    )
  return (
    <span className="grid text-sm">
      {short === undefined ? null : (
        <span dir="auto" className="wrap-anywhere">
          {short} <span className="text-ink-muted">leads to</span>
        </span>
      )}
      <span className="wrap-anywhere">{target}</span>
    </span>
  )
}
