import FlaskConical from 'lucide-react/icons/flask-conical'

/** Shown wherever there are prices while only test cards work. `brief`: above a page that says more. */
export function TestPayments({ brief = false }: { brief?: boolean }) {
  return (
    <p className="flex items-start gap-2 rounded-md bg-wait-soft px-3 py-2 text-pretty text-ink">
      <FlaskConical size={15} aria-hidden className="mt-0.5 shrink-0 text-wait" />
      <span>
        <b className="font-bold">Test payments</b>:{' '}
        {brief ? 'no real money is charged.' : 'no real money is charged, and only test cards work.'}
      </span>
    </p>
  )
}
