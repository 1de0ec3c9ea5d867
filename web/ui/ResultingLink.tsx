import { shortAddress } from '#contract/links/shortCode.ts'

type Props = {
  address: string
  /** Where it leads; undefined if it stays as it is. */
  target: string | undefined
  /** What short links begin with, if it's shortened. */
  shortUrl: string | undefined
}

/** What becomes of a link: the address that is published, and where it leads if that's a short one. */
export function ResultingLink({ address, target, shortUrl }: Props) {
  if (target === undefined || (shortUrl === undefined && target === address))
    return (
      <span className="text-sm wrap-anywhere">
        {address} <span className="text-ink-muted">(stays as it is)</span>
      </span>
    )
  return (
    <span className="grid text-sm">
      {shortUrl === undefined ? null : (
        <span className="wrap-anywhere">
          {shortAddress(shortUrl, '…')} <span className="text-ink-muted">leads to</span>
        </span>
      )}
      <span className="wrap-anywhere">{target}</span>
    </span>
  )
}
