import { ORGANIZATION } from '#contract/constants.ts'

/** An Individual's organization name: first and last name, cleaned by the name rule and cut to its length. */
export function individualName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  const clean = `${firstName} ${lastName}`
    .replace(/[^\p{L}\p{M}\d _-]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  let name = ''
  // by characters: some are two units long
  for (const letter of clean) {
    if (name.length + letter.length > ORGANIZATION.name.max) break
    name += letter
  }
  return name.trim()
}
