import type { ReactNode } from 'react'
import { rulesOf } from '#web/features/compose/checks.ts'
import {
  CardsContext,
  ChecksContext,
  CommandsContext,
  EditorsContext,
  useComposer,
  useComposerState,
  useOptions,
  useVersion,
} from '#web/features/compose/ComposerContext.ts'
import { itemsFor } from '#web/features/compose/doc.ts'
import { draftOf } from '#web/features/compose/draftDoc.ts'
import { copyNameOf, type CopyPlace } from '#web/features/compose/localCopies.ts'
import { leadingPlan } from '#web/features/compose/submission.ts'
import { useAutosave } from '#web/features/compose/useAutosave.ts'
import { useChecks } from '#web/features/compose/useChecks.ts'
import { useEditors } from '#web/features/compose/useEditors.ts'
import { useLinkCards } from '#web/features/compose/useLinkCards.ts'
import { useSubmit } from '#web/features/compose/useSubmit.ts'
import { useComposerFiles } from './FilesContext.tsx'
import { missingOf } from './missingFiles.ts'
import { useComposerCommands } from './useComposerCommands.ts'
import { useComposerShortcuts } from './useComposerShortcuts.ts'
import { useProblemsInView } from './useProblemsInView.ts'
import { useSubmitted } from './useSubmitted.ts'
import { savedCard, type Session } from './useSession.ts'

type Props = {
  session: Session
  place: CopyPlace
  onBegun: (draftId: string) => void
  onReload: () => void
  children: ReactNode
}

/** What follows from what is written: link cards, checks, saving, sending. It runs with every key; its children don't. */
export function ComposerEffects({ session, place, onBegun, onReload, children }: Props) {
  const { ids, channels } = useComposer()
  const doc = useComposerState((state) => state.doc)
  const unfinished = useComposerState(({ notices }) => notices.filesUnfinished)
  const { chosen } = useVersion()
  const options = useOptions()
  const files = useComposerFiles()

  // a page is read, and its picture kept, only for a channel that shows the card
  const texts = chosen
    .filter((channel) => rulesOf(channel, doc.variants[channel.channelId]?.postType)?.linkCard)
    .map((channel) => itemsFor(doc, channel.channelId)[0]?.text ?? '')
  const { cardState, cardOf } = useLinkCards(ids, doc, texts)
  const checks = useChecks({ cardOf, files })

  const { editing } = session
  const current = draftOf(
    doc,
    // a card that was read from a page is no change of a post that is edited
    { mediaOf: files.mediaOf, cardOf: editing ? savedCard(doc) : cardOf },
    editing ? [] : [...missingOf(unfinished, files.list), ...files.unfinished],
  )
  const copyName = copyNameOf(session.id, editing)
  const { version, savedAt, known } = session
  const saver = useAutosave({
    place,
    copyName,
    version,
    savedAt,
    known,
    current,
    onBegun: () => onBegun(session.id),
  })
  const editors = useEditors(saver, session.post === undefined)

  const onDone = useSubmitted({ place, copyName })
  const submit = useSubmit({
    written: {
      doc,
      channels,
      chosen,
      plan: leadingPlan(doc, chosen),
      mediaOf: files.mediaOf,
      cardOf,
      approve: options.mode === 'approve',
      workflowId: options.workflowId,
    },
    checks,
    saver,
    version,
    onDone,
  })
  const commands = useComposerCommands({
    submit,
    isBroken: () => checks.obstacles() !== undefined,
    saver,
    current,
    place,
    copyName,
    onReload,
  })

  useComposerShortcuts()
  useProblemsInView()

  return (
    <CardsContext value={cardState}>
      <ChecksContext value={checks.results}>
        <EditorsContext value={editors}>
          <CommandsContext value={commands}>{children}</CommandsContext>
        </EditorsContext>
      </ChecksContext>
    </CardsContext>
  )
}
