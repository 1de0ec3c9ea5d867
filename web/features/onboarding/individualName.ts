import { ORGANISATION } from '#contract/constants.ts'

/** An Individual's organisation name: first and last name, cleaned to the name rule and cut to its length. */
export function individualName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  const clean = `${firstName} ${lastName}`.replace(/[^\p{L}\p{M}\d _-]/gu, '').replace(/\s+/g, ' ').trim()
  return clean.slice(0, ORGANISATION.name.max).trim()
}
