import type { RefObject } from 'react'
import { withMode, type Plan } from '#web/features/compose/plan.ts'
import type { ComposerState } from '#web/features/compose/useComposer.ts'
import { useNow } from '#web/lib/now.ts'
import { useShortcuts } from '#web/lib/shortcuts.ts'

type Options = {
  composer: ComposerState
  textField: RefObject<HTMLTextAreaElement | null>
  /** Whether the plan and the person's rights offer queues. */
  queues: boolean
}

/** The keys of the composer. */
export function useComposeShortcuts({ composer, textField, queues }: Options): void {
  const now = useNow()
  const { chosen, scope, setScope } = composer
  const setMode = (mode: Plan['mode']) => composer.changePlan((plan) => withMode(plan, mode, now))
  const neighbor = (by: 1 | -1) => {
    const scopes = ['all', ...chosen.map(({ channelId }) => channelId)]
    return scopes[(scopes.indexOf(scope) + by + scopes.length) % scopes.length] ?? 'all'
  }
  useShortcuts([
    { keys: 'e', group: 'Composer', label: 'Edit the text', run: () => textField.current?.focus() },
    { keys: 'n', group: 'Composer', label: 'Publish now', run: () => setMode('now') },
    { keys: 's', group: 'Composer', label: 'Schedule', run: () => setMode('once') },
    ...(queues ? [{ keys: 'q', group: 'Composer', label: 'Queue', run: () => setMode('queue') }] : []),
    ...(chosen.length > 1
      ? [
          { keys: ']', group: 'Composer', label: 'Next channel', run: () => setScope(neighbor(1)) },
          { keys: '[', group: 'Composer', label: 'Previous channel', run: () => setScope(neighbor(-1)) },
        ]
      : []),
  ])
}
