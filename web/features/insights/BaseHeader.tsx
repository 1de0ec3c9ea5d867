/** The header of a column of figures, in a table that says elsewhere what all of them are of: screen readers hear it in each. */
export const BaseHeader = ({ title, base }: { title: string; /** "in these days" */ base: string }) => (
  <>
    {title} <span className="sr-only">{base}</span>
  </>
)
