import { isZone, paginationOf } from '#contract/common.ts'
import * as settings from '#contract/orgSettings.ts'
import * as contract from '#contract/organizations.ts'
import { asSystem } from '../db/system.ts'
import { fail } from '../errors.ts'
import { rightsOf } from '../http/revision.ts'
import { handle, type Route } from '../http/route.ts'
import { limitOffset } from '../http/limitOffset.ts'
import { rememberProject } from '../people/person.ts'
import { addresseesIn } from '../members/access.ts'
import { projectDeletedMail } from '../members/mails.ts'
import type { Dependencies } from '../dependencies.ts'
import { takeAllowance } from '../plans/allowance.ts'
import { viewOnlyByPlan } from '../members/readers.ts'
import { nameOf } from '../people/names.ts'
import { createProject } from './create.ts'
import { deleteProject } from './delete.ts'
import { countContents } from './contents.ts'
import { effectivePermissions } from './permissions.ts'
import { countProjects, findProjects } from './queries.ts'
import { describeProject, renameProject } from './rename.ts'

export function projectRoutes(deps: Dependencies): Route[] {
  return [
    handle(contract.createProject, async (c) => {
      const { projectName: name, projectDesc: description } = c.body
      // one at a time per organization, so that two simultaneous calls can't exceed the plan's limit together
      const { entitlements } = await takeAllowance(c.tx, c.org.orgId, c.now)
      const projects = await c.tx
        .selectFrom('project')
        .select(['id', 'zone'])
        .where('org_id', '=', c.org.orgId)
        .where('deleted_at', 'is', null)
        .orderBy('created_at')
        .execute()
      if (c.body.first && projects[0]) {
        await c.audit([])
        return { projectId: projects[0].id }
      }
      if (projects.length >= entitlements.projects) throw fail('PLAN_LIMIT', { meta: { gate: 'projects' } })
      const zone = c.body.zone ?? projects[0]?.zone ?? 'UTC'
      if (!isZone(zone)) throw fail('BAD_INPUT', { errors: { zone: ['Unknown time zone'] } })
      // the wizard only covers the first project
      const step = projects.length === 0 ? 'addChannels' : 'done'
      const { projectId } = await createProject(
        c.tx,
        { orgId: c.org.orgId, personId: c.caller.personId, name, description, zone, step },
        c.now,
      )
      await c.audit({ entityId: projectId, projectId, detail: { zone } })
      await c.emit({ kind: 'project', ref: projectId })
      return { projectId }
    }),

    handle(settings.listProjects, async (c) => {
      const [projects, total] = await Promise.all([findProjects(c, limitOffset(c.query)), countProjects(c)])
      return { projects, pagination: paginationOf(c.query, total) }
    }),
    handle(settings.renameProject, async (c) => {
      const { projectId, projectName, projectDesc, zone } = c.body
      const nameBefore = await renameProject(c, projectId, projectName)
      const before = await describeProject(c, projectId, { description: projectDesc, zone })
      await c.audit({
        entityId: projectId,
        projectId,
        detail: {
          before: { projectName: nameBefore, description: before.description, zone: before.zone },
          after: { projectName, description: projectDesc, zone },
        },
      })
      await c.emit({ kind: 'project', ref: projectId, projectId })
      return { message: 'Project updated successfully' }
    }),
    handle(settings.projectContents, (c) => countContents(c, c.params.id)),
    handle(settings.deleteProject, async (c) => {
      const { id } = c.params
      const { channels, projectName } = await deleteProject(c, id)
      const [people, deletedBy] = [await addresseesIn(c, id), await nameOf(c.tx, c.caller.personId)]
      c.afterCommit(() => {
        for (const person of people) deps.mailer.post(projectDeletedMail(person, projectName, deletedBy))
      })
      await c.audit({ entityId: id, projectId: id, detail: { channels } })
      await c.emit({ kind: 'project', ref: id, projectId: id })
      return { message: 'Project deleted successfully' }
    }),

    handle(contract.onboarding, async (c) => {
      const project = await c.tx
        .selectFrom('project')
        .select(['onboarding_step', 'name', 'description', 'zone'])
        .where('org_id', '=', c.org.orgId)
        .where('id', '=', c.project.projectId)
        .executeTakeFirstOrThrow()
      return {
        step: contract.OnboardingStep.parse(project.onboarding_step),
        projectName: project.name,
        projectDesc: project.description,
        zone: project.zone,
      }
    }),
    handle(contract.setOnboardingStep, async (c) => {
      await c.tx
        .updateTable('project')
        .set({ onboarding_step: c.body.step })
        .where('org_id', '=', c.org.orgId)
        .where('id', '=', c.project.projectId)
        .execute()
      return {}
    }),

    handle(contract.myPermissions, async (c) => {
      const { personId } = c.caller
      // every screen of a project makes this call first, so it records where people were last
      c.afterCommit(
        () =>
          void asSystem(deps.databases.system, (tx) =>
            rememberProject(tx, personId, c.org.orgId, c.project.projectId),
          ).catch((error: unknown) => deps.log.warn({ err: error }, "the last project couldn't be stored")),
      )
      return {
        isOrgAdmin: c.org.isAdmin,
        roleId: c.project.roleId,
        roleName: c.project.roleName,
        publishing: c.project.publishing,
        channelIds: c.project.channelIds && [...c.project.channelIds],
        viewOnlyByPlan: await viewOnlyByPlan(c),
        ...(await effectivePermissions(c)),
        rights: rightsOf(c),
      }
    }),
  ]
}
