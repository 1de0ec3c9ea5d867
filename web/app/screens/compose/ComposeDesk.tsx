import { flushSync } from 'react-dom'
import { useBlocker, useRouter } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import type { Channel } from '#contract/channels.ts'
import type { Scope } from '#contract/posts.ts'
import { Composer } from '#web/features/compose/Composer.tsx'
import { ConflictDialog } from '#web/features/compose/ConflictDialog.tsx'
import { planFor, type Item } from '#web/features/compose/doc.ts'
import { draftOf } from '#web/features/compose/draftDoc.ts'
import { insertAt } from '#web/features/compose/insertAt.ts'
import { copyNameOf, type CopyPlace, keepCopy } from '#web/features/compose/localCopies.ts'
import { Previews } from '#web/features/compose/Previews.tsx'
import { Editors } from '#web/features/compose/Editors.tsx'
import { SaveIndicator } from '#web/features/compose/SaveIndicator.tsx'
import { Shelf } from '#web/features/compose/Shelf.tsx'
import { TextTools } from '#web/features/compose/TextTools.tsx'
import { useComposer } from '#web/features/compose/useComposer.ts'
import { useEditors } from '#web/features/compose/useEditors.ts'
import { useDraft } from '#web/features/compose/useDraft.ts'
import { WorkflowChoice } from '#web/features/compose/WorkflowChoice.tsx'
import { isUnfinished } from '#web/features/media/attachments.ts'
import { AttachmentTray } from '#web/features/media/AttachmentTray.tsx'
import { PickFiles } from '#web/features/media/PickFiles.tsx'
import { PostPreview } from '#web/features/posts/preview/PostPreview.tsx'
import { afterPaint } from '#web/lib/afterPaint.ts'
import { newId } from '#web/lib/newId.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectZone, type ProjectIds } from '#web/lib/project.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { FileTarget } from '#web/ui/FileTarget.tsx'
import { Page } from '#web/ui/Page.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { toast } from '#web/ui/toast.ts'
import { useIsPhone } from '#web/ui/useMedia.ts'
import { DeskNotes } from './DeskNotes.tsx'
import { previewOf } from './previewOf.ts'
import { FromAddress } from './FromAddress.tsx'
import { FromLibrary } from './FromLibrary.tsx'
import { showTrouble } from './showTrouble.ts'
import { SubmitBar } from './SubmitBar.tsx'
import { useAiHelp } from './useAiHelp.tsx'
import { useComposeShortcuts } from './useComposeShortcuts.ts'
import { useFiles } from './useFiles.ts'
import { beginWith, savedCard, type Session } from './useSession.ts'
import { useSending } from './useSending.ts'
import { useSubmitOptions } from './useSubmitOptions.ts'

type Props = {
  ids: ProjectIds
  session: Session
  channels: readonly Channel[]
  scheduledCap: number | undefined
  place: CopyPlace
  onBegun: (draftId: string) => void
  onReload: () => void
}

/** A composer with everything around it: pictures, preview, saving, sending. One per draft or post. */
export function ComposeDesk({ ids, session: start, channels, scheduledCap, place, onBegun, onReload }: Props) {
  const zone = useProjectZone()
  // what is being written wins over what is read again
  const [session] = useState(() => beginWith(start, channels, zone))
  const router = useRouter()
  const phone = useIsPhone()
  const now = useNow()
  const [side, setSide] = useState<'write' | 'preview'>('write')
  const [notTaken, setNotTaken] = useState<readonly string[]>([])
  const textField = useRef<HTMLTextAreaElement>(null)
  const context = useRef<HTMLDivElement>(null)
  const [sought, setSought] = useState(0)

  /** Under which this browser keeps what the server does not have. */
  const copyName = copyNameOf(session.id, session.editing)
  const takeSaved = () => {
    keepCopy(place, copyName, undefined)
    onReload()
  }
  const composer = useComposer(ids, channels, session.doc, { zone, began: session.began })
  const { doc, chosen } = composer
  const files = useFiles(ids, composer, { initial: session.attachments, onRefused: setNotTaken })
  const attachments = files.pool
  const [lost, setLost] = useState(session.unfinished)
  // attached again, it is no longer missing
  const missing = lost.filter(
    ({ fileName, bytes }) => !attachments.list.some((one) => one.fileName === fileName && one.bytes === bytes),
  )
  const unfinished = session.editing
    ? []
    : [...missing, ...attachments.list.filter(isUnfinished).map(({ fileName, bytes }) => ({ fileName, bytes }))]
  // a card that was read from a page by itself is no change of a post that is edited
  const current = draftOf(
    doc,
    { mediaOf: files.mediaOf, cardOf: session.editing ? savedCard(doc) : composer.cardOf },
    unfinished,
  )
  const draft = useDraft({
    ids,
    draftId: session.id,
    copyName,
    place,
    version: session.version,
    savedAt: session.savedAt,
    known: session.known,
    current,
    localOnly: session.editing,
    onBegun: () => onBegun(session.id),
  })
  const { editors, status } = useEditors(ids, session.id, session.post !== undefined || draft.state.kind === 'saved')
  useEffect(() => {
    if (!session.editing && status !== undefined && status !== 'DRAFTS' && status !== 'DELETED')
      draft.saver.wasSubmittedElsewhere(status)
  }, [draft.saver, session.editing, status])
  const isSubmitted = draft.state.kind === 'submitted'
  const [scope, setScope] = useState<Scope>('this')
  const [overwrite, setOverwrite] = useState(false)
  const [asked, setAsked] = useState(false)
  const [asksNow, setAsksNow] = useState(false)
  const workflowField = useRef<HTMLSelectElement>(null)
  /** A draft is written, however often it was saved; any other post is changed. */
  const edited = session.editing ? session.post : undefined
  const submitOptions = useSubmitOptions({ ids, post: edited, wantsApproval: asked || doc.workflowId !== null })

  const [firstWorkflow, ...otherWorkflows] = submitOptions.workflows ?? []
  const chosenWorkflow =
    submitOptions.workflows === undefined ||
    submitOptions.workflows.some(({ workflowId: known }) => known === doc.workflowId)
      ? doc.workflowId
      : null
  // where there is no choice nobody is asked to choose
  const workflowId =
    chosenWorkflow ??
    (submitOptions.needsApproval && otherWorkflows.length === 0 ? (firstWorkflow?.workflowId ?? null) : null)

  // a post that is queued already keeps its place
  const slots = useMemo(
    () =>
      (edited?.status === 'QUEUED' ? [] : chosen).flatMap((channel) =>
        (submitOptions.queuesOf ?? [])
          .filter(({ channelId }) => channelId === channel.channelId)
          .map((queue) => ({ channel, queue })),
      ),
    [chosen, submitOptions.queuesOf, edited],
  )
  const sending = useSending({
    ids,
    session,
    channels,
    composer,
    files,
    scheduledCap,
    saver: draft.saver,
    approve: submitOptions.mode === 'approve',
    workflowId,
    onTrouble: (broken) => {
      setSide('write')
      // the version that is open may be in order while another one is not
      if (composer.channelId !== undefined && broken.length > 0 && !broken.includes(composer.channelId))
        composer.setScope('all')
      setSought((times) => times + 1)
    },
    onDone: async (message, target, withoutSlot) => {
      keepCopy(place, copyName, undefined)
      const open = () =>
        void router.navigate({ to: '/$orgId/project/$projectId/calendar', params: ids, search: target })
      if (withoutSlot.length > 0)
        toast.warning(
          `${message}, but without a time because the queue of ${withoutSlot.map(({ channelName }) => channelName).join(', ')} is paused or has no free slot.`,
          {
            action: {
              label: 'Queue settings',
              onClick: () =>
                void router.navigate({
                  to: '/$orgId/project/$projectId/queues',
                  params: ids,
                  search: { channel: withoutSlot[0]?.channelId },
                }),
            },
          },
        )
      else toast.success(message, { action: { label: 'Open post', onClick: open } })
      open()
    },
  })

  /** By the button and by the keys alike: only in a way that is known. */
  const submit = () =>
    submitOptions.readiness === 'known' && submitOptions.mode !== 'draft' && !isSubmitted
      ? void sending.submit({ scope, overwrite })
      : undefined
  /** What would be published at once, and can't be taken back. */
  const goingNow =
    session.editing || submitOptions.mode !== 'publish'
      ? []
      : chosen.filter(({ channelId }) => planFor(doc, channelId).mode === 'now')
  /** Keys are pressed by mistake more easily than a button that says "Publish now". */
  const submitByKeys = () =>
    goingNow.length > 0 && sending.troubled.length === 0 && !sending.locked ? setAsksNow(true) : submit()
  /** What was written here goes on under an id of its own. */
  const keepAsNew = () => {
    const id = newId()
    keepCopy(place, id, { version: 0, draft: current })
    keepCopy(place, copyName, undefined)
    void router.navigate({ to: '/$orgId/project/$projectId/compose', params: ids, search: { draft: id } })
  }

  // an effect, since a refusal of the server is drawn whenever the browser comes to it
  useEffect(() => {
    if (sought > 0) showTrouble(context.current)
  }, [sought])

  useComposeShortcuts({ composer, textField, queues: submitOptions.queues })

  // the words are what people come for; on a phone the keyboard would hide everything else
  useEffect(() => {
    if (!phone) textField.current?.focus()
  }, [phone])

  const leaving = useBlocker({
    shouldBlockFn: ({ current: from, next }) => attachments.busy && from.pathname !== next.pathname,
    enableBeforeUnload: () => attachments.busy,
    withResolver: true,
  })
  /** At the caret, which stands right after it then. */
  const insert = (item: Item, words: string) => {
    const field = document.querySelector<HTMLTextAreaElement>(`textarea[data-item="${item.key}"]`)
    const { text, caret } = insertAt(item.text, field, words)
    flushSync(() => composer.changeItem(item.key, { text }))
    // the panel that it came from gives the focus back to its button first
    requestAnimationFrame(() => {
      field?.focus()
      field?.setSelectionRange(caret, caret)
    })
  }
  const ai = useAiHelp({ ids, composer, insert, describe: (key, altText) => attachments.describe(key, altText) })
  /** The one workflow is taken; of several the person chooses. */
  const askForApproval = () => {
    setAsked(true)
    if (firstWorkflow && otherWorkflows.length === 0) composer.set({ workflowId: firstWorkflow.workflowId })
    // the menu that it was chosen in gives the focus back to its button first
    else afterPaint(() => workflowField.current?.focus())
  }
  const chooseWorkflow = (chosenId: string | null) => {
    setAsked(false)
    composer.set({ workflowId: chosenId })
  }
  const keepDraft = async () => {
    await draft.saver.flush()
    const { kind } = draft.saver.state()
    if (kind === 'offline') return toast.error("We couldn't save the draft. Your text is kept in this browser.")
    // the banner or the dialog says why
    if (kind !== 'saved') return setSought((times) => times + 1)
    toast.success('Draft saved')
    void router.navigate({ to: '/$orgId/project/$projectId/posts/$tab', params: { ...ids, tab: 'draft' } })
  }
  /** A post that is published is changed at its platform. */
  const liveOn =
    edited?.status === 'PUBLISHED' && edited.channel ? platformName(edited.channel.platformName) : undefined
  const conflict = draft.state.kind === 'changedElsewhere' ? draft.state.fields : sending.stale
  const [active, setActive] = useState(doc.items[0]?.key)
  /** Files that are dropped go to the post that was written in last. */
  const target = composer.items.find(({ key }) => key === active) ?? composer.items[0]
  const addFiles = (chosenFiles: readonly File[]) =>
    target && !sending.locked ? files.add(target, chosenFiles) : undefined
  // the words are drawn first, the preview right after
  const previewed = useDeferredValue(doc)

  return (
    <Page
      title={session.editing ? 'Edit post' : 'Create post'}
      controls={
        <>
          <Editors editors={editors} />
          <SaveIndicator state={draft.state} />
        </>
      }
      bar={
        phone ? (
          <Segmented
            label="Side"
            options={[
              { value: 'write', label: 'Write' },
              { value: 'preview', label: 'Preview' },
            ]}
            value={side}
            onChange={setSide}
            className="grow"
          />
        ) : undefined
      }
    >
      <FileTarget
        words="Drop files here"
        onFiles={addFiles}
        className="grid items-start gap-x-8 gap-y-5 lg:grid-cols-[minmax(0,42rem)_minmax(20rem,26rem)]"
      >
        <div className={phone && side === 'preview' ? 'hidden' : 'grid gap-4'}>
          <DeskNotes
            ids={ids}
            session={session}
            missing={missing}
            onForgetMissing={() => setLost([])}
            state={draft.state}
            doc={doc}
            liveOn={liveOn}
            onTakeSaved={takeSaved}
            onKeepAsNew={keepAsNew}
          />
          <Composer
            ids={ids}
            channels={session.editing ? chosen : channels}
            composer={composer}
            locked={session.editing}
            now={now}
            channelError={sending.channelError}
            unable={submitOptions.unable}
            schedule={{
              error: sending.scheduleError,
              cap: sending.cap,
              series: sending.series,
              repeats: submitOptions.repeats,
              queues: submitOptions.queues,
              slots,
            }}
            errors={sending.errors}
            troubled={sending.troubled}
            live={liveOn !== undefined}
            submitting={sending.locked}
            trouble={sending.trouble}
            typeOf={(key) => files.factsOf(key)?.contentType}
            onSubmit={submitByKeys}
            rootRef={context}
            textRef={textField}
            onActive={(item) => setActive(item.key)}
            tools={(item) => (
              <>
                <PickFiles onFiles={(chosenFiles) => files.add(item, chosenFiles)} />
                <FromLibrary onPick={(picked) => files.attach(item, picked)} />
                <FromAddress ids={ids} onPick={(file) => files.attach(item, [file])} />
                <TextTools ids={ids} text={item.text} onInsert={(words) => insert(item, words)} />
                {ai.tool(item)}
              </>
            )}
            tray={(item) => (
              <>
                {ai.panel(item)}
                {item === target && notTaken.length > 0 ? (
                  <Banner
                    tone="wait"
                    live
                    title={
                      notTaken.length === 1 ? "A file wasn't attached." : `${notTaken.length} files weren't attached.`
                    }
                    onDismiss={() => setNotTaken([])}
                  >
                    <ul>
                      {notTaken.map((sentence) => (
                        <li key={sentence}>{sentence}</li>
                      ))}
                    </ul>
                  </Banner>
                ) : null}
                <AttachmentTray
                  attachments={files.of(item)}
                  check={files.check}
                  fitFor={files.fitFor}
                  altTaken={files.altTaken}
                  altMost={files.altMost}
                  thumbnails={files.thumbnails}
                  help={(one, name) => ai.altHelp(item, one, name)}
                />
              </>
            )}
            shelf={
              liveOn === undefined ? (
                <div className="flex flex-wrap items-start gap-x-6 gap-y-2.5">
                  <Shelf ids={ids} doc={doc} onChange={composer.set} campaigns={submitOptions.campaigns} />
                  {submitOptions.workflows && (!session.editing || submitOptions.mode === 'approve') ? (
                    <WorkflowChoice
                      ref={workflowField}
                      workflows={submitOptions.workflows}
                      value={workflowId}
                      onChange={chooseWorkflow}
                      optional={!submitOptions.needsApproval && !(asked && workflowId === null)}
                      lost={!session.editing && doc.workflowId !== null && workflowId === null}
                      error={sending.workflowError}
                    />
                  ) : null}
                  {submitOptions.skipsWorkflow ? (
                    <p className="text-sm text-wait">
                      A workflow was selected for this draft, but you can't send posts for approval here. It will be
                      published without approval.
                    </p>
                  ) : null}
                </div>
              ) : null
            }
            footer={
              <SubmitBar
                plan={sending.plan}
                ownTimes={
                  chosen.filter(
                    ({ channelId }) => doc.variants[channelId]?.plan && planFor(doc, channelId) !== sending.plan,
                  ).length
                }
                editing={session.editing}
                liveOn={liveOn}
                mode={submitOptions.mode}
                loading={submitOptions.readiness === 'loading'}
                onRetry={submitOptions.readiness === 'failed' ? submitOptions.retry : undefined}
                retrying={submitOptions.retrying}
                pending={sending.locked}
                capped={sending.cap !== undefined || isSubmitted}
                times={sending.times}
                broken={sending.troubled.length}
                onBroken={() => {
                  composer.setScope('all')
                  setSought((times) => times + 1)
                }}
                onSubmit={submit}
                scope={
                  edited?.series
                    ? {
                        value: scope,
                        count: edited.series.count - edited.series.index,
                        all: edited.series.count,
                        onChange: setScope,
                        overwrite,
                        onOverwrite: setOverwrite,
                      }
                    : undefined
                }
                onApprove={
                  submitOptions.workflows && submitOptions.mode === 'publish' && !session.editing
                    ? askForApproval
                    : undefined
                }
                onWithoutApproval={
                  submitOptions.mode === 'approve' && !submitOptions.needsApproval
                    ? () => chooseWorkflow(null)
                    : undefined
                }
                onKeepDraft={
                  session.editing || draft.state.kind === 'new' || isSubmitted ? undefined : () => void keepDraft()
                }
              />
            }
          />
        </div>
        <div className={phone && side === 'write' ? 'hidden' : 'lg:sticky lg:top-4'}>
          <Previews
            channels={chosen}
            active={composer.channelId}
            render={(channel) => (
              <PostPreview post={previewOf({ ids, doc: previewed, files, cardOf: composer.cardOf }, channel)} />
            )}
          />
        </div>
      </FileTarget>

      {conflict ? (
        <ConflictDialog
          ids={ids}
          postId={session.id}
          who={editors.length === 1 ? editors[0]?.name : undefined}
          fields={conflict}
          mine={doc.items.map(({ text }) => text).join('\n\n')}
          onKeepMine={(theirVersion) =>
            session.editing
              ? void sending.submit({ overVersion: theirVersion, scope, overwrite })
              : void draft.saver.overwrite(theirVersion, current)
          }
          onTakeTheirs={(theirVersion, savedAt) => {
            draft.saver.accept(theirVersion, savedAt)
            takeSaved()
          }}
        />
      ) : null}
      <ConfirmDialog
        open={asksNow}
        onOpenChange={setAsksNow}
        title="Publish now?"
        action="Publish now"
        danger={false}
        isReady
        onConfirm={() => {
          setAsksNow(false)
          submit()
        }}
      >
        This publishes to{' '}
        {goingNow.map(({ channelName, platformName: key }) => `${channelName} (${platformName(key)})`).join(', ')} right
        away.
      </ConfirmDialog>
      <ConfirmDialog
        open={leaving.status === 'blocked'}
        onOpenChange={(open) => (open ? undefined : leaving.reset?.())}
        title="Leave while files are uploading?"
        action="Leave"
        danger={false}
        onConfirm={() => leaving.proceed?.()}
      >
        Your draft keeps its text. You'll need to attach files again that haven't finished uploading.
      </ConfirmDialog>
    </Page>
  )
}
