import { acceptInvite, inviteUsers } from '#contract/invites.ts'
import { callAs } from './api.ts'
import type { Stage } from './harness.ts'
import { withAccount, type NewPerson, type Person } from './people.ts'

/** The path of the invitation in an email. */
function invitePathIn(mail: string): string | undefined {
  // quoted-printable breaks long lines and writes = as =3D
  return /\/invite\?inviteId=[\w-]+/.exec(mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='))?.[0]
}

/** The path of the newest invitation sent to the address that is none of those already known. */
export async function inviteMailTo(
  stage: Pick<Stage, 'mailTo'>,
  email: string,
  known: readonly string[] = [],
): Promise<string> {
  const newPath = (mail: string) => {
    const path = invitePathIn(mail)
    return path !== undefined && !known.includes(path) ? path : undefined
  }
  return newPath(await stage.mailTo(email, (mail) => newPath(mail) !== undefined)) ?? ''
}

/** Someone with an account of their own who accepted the admin's invitation, by the calls of its page. */
export async function newColleague(
  stage: Stage,
  admin: Person,
  { role = 'editor', opens }: Pick<NewPerson, 'opens'> & { role?: 'admin' | 'editor' | 'user' } = {},
): Promise<Person> {
  const colleague = await withAccount(stage, { firstName: 'Grace', lastName: 'Hopper' })
  const { inviteIds } = await callAs(admin.page, inviteUsers, {
    params: admin.ids,
    body: { invites: [{ email: colleague.email, role }] },
  })
  for (const inviteId of inviteIds) await callAs(colleague.page, acceptInvite, { params: { inviteId } })
  if (opens !== undefined) {
    await colleague.page.goto(admin.at(opens))
    await colleague.page.getByRole('heading', { level: 1 }).first().waitFor()
  }
  return { ...colleague, ids: admin.ids, at: admin.at }
}
