import * as contract from '#contract/analytics/goals.ts'
import { apartOf } from '../analytics/scope.ts'
import type { Dependencies } from '../dependencies.ts'
import { handle, type Route } from '../http/route.ts'
import { mustHaveGate, mustHaveRunning } from '../plans/gates.ts'
import { createGoal, deleteGoal, updateGoal } from './change.ts'
import { readGoals } from './read.ts'

/** `env` names the platforms whose further terms on figures the operator has accepted. */
export const goalRoutes = ({ env }: Pick<Dependencies, 'env'>): Route[] => [
  handle(contract.listGoals, async (c) => {
    mustHaveGate(c, 'analytics')
    return { goals: await readGoals(c, env.analyticsTerms) }
  }),
  handle(contract.createGoal, async (c) => {
    mustHaveRunning(c, 'analytics')
    const goalId = await createGoal(c, c.body, apartOf(env.analyticsTerms))
    await c.audit({ entityId: goalId })
    await c.emit({ kind: 'goal', ref: goalId })
    return { goalId, message: 'Goal created' }
  }),
  handle(contract.updateGoal, async (c) => {
    mustHaveRunning(c, 'analytics')
    await updateGoal(c, c.params.goalId, c.body, apartOf(env.analyticsTerms))
    await c.audit({ entityId: c.params.goalId })
    await c.emit({ kind: 'goal', ref: c.params.goalId })
    return { message: 'Goal updated' }
  }),
  handle(contract.deleteGoal, async (c) => {
    mustHaveGate(c, 'analytics')
    await c.audit({ entityId: c.params.goalId })
    await deleteGoal(c, c.params.goalId)
    await c.emit({ kind: 'goal', ref: c.params.goalId })
    return { message: 'Goal deleted' }
  }),
]
