import {
  allows,
  viewFollows,
  type Action,
  type Permissions,
  type PermissionLevel,
  type Resource,
} from '#contract/permissions.ts'
import { actionName, actionsOf, levelNames, resourceNames } from '#web/lib/roleWords.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { grantableOf, withAction } from './choosing.ts'

// the most common permissions come first
const levels = ['channel', 'project', 'organization'] as const satisfies readonly PermissionLevel[]

type Props = {
  value: Permissions
  /** Left out for a read-only role. */
  onChange?: ((value: Permissions) => void) | undefined
  /** The person's own permissions: nobody grants more. */
  own: Permissions
}

/** Every action that a role can grant today, by level. The role's other permissions stay as they are. */
export function PermissionTable({ value, onChange, own }: Props) {
  return (
    <div className="grid gap-4">
      {levels.map((level) => {
        const rows = grantableOf(level)
        if (rows.length === 0) return null
        return (
          <section key={level} aria-label={levelNames[level]}>
            <h3 className="mb-1 text-sm font-bold">{levelNames[level]}</h3>
            <div className="divide-y divide-line rounded-md border border-line bg-surface">
              {rows.map((resource) => (
                <Row key={resource} resource={resource} value={value} onChange={onChange} own={own} />
              ))}
            </div>
          </section>
        )
      })}
    </div>
  )
}

function Row({ resource, value, onChange, own }: Props & { resource: Resource }) {
  const follows = viewFollows(value, resource)
  return (
    <fieldset className="grid gap-x-3 gap-y-1.5 px-3 py-2 sm:grid-cols-[8.5rem_minmax(0,1fr)]">
      <legend className="sr-only">{resourceNames[resource]}</legend>
      <span aria-hidden className="font-medium">
        {resourceNames[resource]}
      </span>
      <div className="flex flex-wrap gap-x-4 gap-y-2.5 py-0.5">
        {actionsOf(resource).map((action) => {
          const why = onChange ? whyFixed(action, resource, own, follows) : undefined
          const box = (
            <span>
              <Checkbox
                label={actionName(resource, action)}
                checked={allows(value, resource, action)}
                disabled={!onChange || why !== undefined}
                onChange={(event) => onChange?.(withAction(value, resource, action, event.target.checked))}
              />
            </span>
          )
          return why ? (
            <Tooltip key={action} text={why}>
              {box}
            </Tooltip>
          ) : (
            <span key={action}>{box}</span>
          )
        })}
      </div>
    </fieldset>
  )
}

function whyFixed(action: Action, resource: Resource, own: Permissions, follows: boolean): string | undefined {
  if (!allows(own, resource, action)) return "Your own role doesn't include this."
  if (resource === 'channel' && action === 'view') return 'Every role can view the channels it has access to.'
  return action === 'view' && follows ? "Included with this role's other permissions." : undefined
}
