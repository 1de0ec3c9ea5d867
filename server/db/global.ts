/** Tables without an organisation, and why. Every other table is a tenant table; a test walks the catalogue. */
export const globalTables = {
  instance: 'which database this is',
  person: 'people belong to several organisations',
  session: 'a person signs in before choosing an organisation',
  verification_code: 'belongs to a person',
  reset_link: 'belongs to a person',
  human_solution: 'solved before anybody is known',
  budget: 'counts per window across tenants: logins, codes, platform credentials',
  trial_channel: 'a platform account counts once across all trials',
  node: 'the programs at work',
  kill_switch: 'operators stop publishing across tenants',
  punctuality: 'a figure of the whole installation',
} as const satisfies Record<string, string>
