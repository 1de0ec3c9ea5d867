import { useComposer, useOptions, useVersion } from '#web/features/compose/ComposerContext.ts'
import { planFor } from '#web/features/compose/doc.ts'
import { withMode, type Plan } from '#web/features/compose/plan.ts'
import { useNow } from '#web/lib/now.ts'
import { useShortcuts } from '#web/lib/shortcuts.ts'

/** The keys of the composer. */
export function useComposerShortcuts(): void {
  const { store, textRef } = useComposer()
  const { queues } = useOptions()
  const { chosen, scope, channelId } = useVersion()
  const now = useNow()
  const setMode = (mode: Plan['mode']) =>
    store.dispatch({
      type: 'scheduleChanged',
      channelId,
      plan: withMode(planFor(store.state().doc, channelId), mode, now),
    })
  const openVersion = (by: 1 | -1) => {
    const scopes = ['all', ...chosen.map((channel) => channel.channelId)]
    const next = scopes[(scopes.indexOf(scope) + by + scopes.length) % scopes.length] ?? 'all'
    store.dispatch({ type: 'versionOpened', scope: next })
  }
  useShortcuts([
    { keys: 'e', group: 'Composer', label: 'Edit the text', run: () => textRef.current?.focus() },
    { keys: 'n', group: 'Composer', label: 'Publish now', run: () => setMode('now') },
    { keys: 's', group: 'Composer', label: 'Schedule', run: () => setMode('once') },
    ...(queues ? [{ keys: 'q', group: 'Composer', label: 'Queue', run: () => setMode('queue') }] : []),
    ...(chosen.length > 1
      ? [
          { keys: ']', group: 'Composer', label: 'Next channel', run: () => openVersion(1) },
          { keys: '[', group: 'Composer', label: 'Previous channel', run: () => openVersion(-1) },
        ]
      : []),
  ])
}
