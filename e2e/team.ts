import { until } from '#server/testing/until.ts'
import type { Stage } from './harness.ts'
import type { NewPerson, Person } from './people.ts'

/** The path of the invitation in an email. */
function invitePathIn(mail: string): string | undefined {
  // quoted-printable breaks long lines and writes = as =3D
  return /\/invite\?inviteId=[\w-]+/.exec(mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='))?.[0]
}

/** The path of the newest invitation sent to the address, once more than `before` emails have come. */
export async function inviteMailTo(
  stage: Pick<Stage, 'mailTo' | 'mailsTo'>,
  email: string,
  before = 0,
): Promise<string> {
  await until(async () => (await stage.mailsTo(email)).length > before || undefined, {
    what: `an invitation to ${email}`,
  })
  return invitePathIn(await stage.mailTo(email, (text) => invitePathIn(text) !== undefined)) ?? ''
}

/**
 * Someone with an account of their own who accepts the admin's invitation, sent with the API, and is on the dashboard.
 */
export async function newColleague(
  stage: Stage,
  admin: Person,
  { role = 'editor', ...wanted }: NewPerson & { role?: 'admin' | 'editor' | 'user' } = {},
): Promise<Person> {
  const colleague = await stage.newPerson({ firstName: 'Grace', lastName: 'Hopper', ...wanted, upTo: 'confirmed' })
  const mails = (await stage.mailsTo(colleague.email)).length
  const invited = await admin.page.request.post(`/api${admin.at('invite')}`, {
    data: { invites: [{ email: colleague.email, role }] },
  })
  if (!invited.ok()) throw new Error(await invited.text())
  await colleague.page.goto(await inviteMailTo(stage, colleague.email, mails))
  await colleague.page.getByRole('button', { name: 'Accept' }).click()
  await colleague.page.waitForURL('**/dashboard')
  return { ...colleague, ids: admin.ids, at: admin.at }
}
