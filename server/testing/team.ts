import type { Permissions } from '#contract/permissions.ts'
import { createRole } from '#contract/roles.ts'
import type { TestHome, TestPerson } from './people.ts'
import type { TestApp } from './startApp.ts'

export type Team = ReturnType<typeof teamOn>

/** Custom roles and their members, for tests of access. */
export function teamOn(app: TestApp) {
  let made = 0

  /** A custom role of the project, created through the API by its owner. Returns its ID. */
  async function role(home: TestHome, permissions: Permissions, name = `Role ${++made}`): Promise<string> {
    return (await app.call(createRole, { params: home.params, body: { name, permissions } }, { as: home.person }))
      .roleId
  }

  /** A colleague with a custom role. */
  async function holder(
    home: TestHome,
    permissions: Permissions,
    options: { channelIds?: string[] | null; publishing?: 'full' | 'none' } = {},
  ): Promise<TestPerson & { roleId: string }> {
    const teammate = await app.colleague(home, 'none')
    const roleId = await role(home, permissions)
    await give(home, teammate, { roleId, ...options })
    return { ...teammate, roleId }
  }

  /** Writes an assignment to the database directly, without any checks. */
  async function give(
    home: TestHome,
    teammate: TestPerson,
    {
      roleId,
      channelIds = null,
      publishing = 'full',
    }: { roleId: string | null; channelIds?: string[] | null; publishing?: 'full' | 'none' },
  ): Promise<void> {
    await app.database.owner.query(
      'update project_member set role_id = $1, channel_ids = $2, publishing = $3 where project_id = $4 and person_id = $5',
      [roleId, channelIds, publishing, home.projectId, teammate.personId],
    )
  }

  /** Someone's permissions in the project; undefined if they aren't in it. */
  async function access(
    home: TestHome,
    teammate: { personId: string },
  ): Promise<{ role_id: string | null; channel_ids: string[] | null; publishing: string } | undefined> {
    const { rows } = await app.database.owner.query(
      'select role_id, channel_ids, publishing from project_member where project_id = $1 and person_id = $2',
      [home.projectId, teammate.personId],
    )
    return rows[0]
  }

  /** The newest audit entry of the organization. */
  async function lastAudit(
    home: Pick<TestHome, 'orgId'>,
  ): Promise<{ action: string; entity: string; entity_id: string; person_id: string; detail: unknown } | undefined> {
    const { rows } = await app.database.owner.query(
      'select action, entity, entity_id, person_id, detail from audit where org_id = $1 order by at desc, id desc limit 1',
      [home.orgId],
    )
    return rows[0]
  }

  /** Puts the organization on a plan. */
  async function plan(home: Pick<TestHome, 'orgId'>, planId: 'free' | 'individual' | 'team'): Promise<void> {
    await app.database.owner.query(
      "update plan set plan_id = $1, status = 'ACTIVE', trial_ends_at = null where org_id = $2",
      [planId, home.orgId],
    )
  }

  /** Ends the organization's plan, or its trial. */
  async function endPlan(
    home: Pick<TestHome, 'orgId'>,
    status: 'CANCELLED' | 'TRIAL_EXPIRED' = 'CANCELLED',
  ): Promise<void> {
    await app.database.owner.query('update plan set status = $1 where org_id = $2', [status, home.orgId])
  }

  return { role, holder, give, access, lastAudit, plan, endPlan }
}
