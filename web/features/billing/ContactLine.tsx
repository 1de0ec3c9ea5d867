type Props = {
  /** The contact's address; null if the installation has none. */ contact: string | null
  /** What the contact can do. */ what: string
  transactionId: string
  /** The id is next to it already. */ isShown?: boolean
}

/** Whom to write to about a payment, with its id. */
export function ContactLine({ contact, what, transactionId, isShown = false }: Props) {
  const named = isShown ? 'above' : <span className="font-mono text-sm break-all">{transactionId}</span>
  if (contact === null)
    return (
      <>
        {what}: contact your Rookery administrator and include the transaction ID {named}.
      </>
    )
  return (
    <>
      {what}: email{' '}
      <a
        href={`mailto:${contact}?subject=${encodeURIComponent(`Payment ${transactionId}`)}`}
        className="rounded-sm font-medium text-accent underline decoration-accent/40 underline-offset-3 hover:text-accent-hover hover:decoration-current"
      >
        {contact}
      </a>{' '}
      and include the transaction ID {named}.
    </>
  )
}
