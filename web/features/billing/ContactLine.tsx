type Props = {
  /** The address of whoever answers; null where the installation names none. */ contact: string | null
  /** What is to be done there. */ what: string
  transactionId: string
  /** The id stands beside it already. */ isShown?: boolean
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
