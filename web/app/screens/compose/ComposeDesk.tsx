import { useBlocker, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { Channel } from '#contract/channels.ts'
import { MEDIA_FALLBACK } from '#contract/constants.ts'
import { readAsset } from '#contract/media.ts'
import { Composer } from '#web/features/compose/Composer.tsx'
import { fileErrors, mostImages, postTypeFor, rulesOf } from '#web/features/compose/checks.ts'
import { ConflictDialog } from '#web/features/compose/ConflictDialog.tsx'
import { draftOf } from '#web/features/compose/doc.ts'
import { type CopyPlace, keepCopy } from '#web/features/compose/localCopies.ts'
import { Previews } from '#web/features/compose/Previews.tsx'
import { SaveIndicator } from '#web/features/compose/SaveIndicator.tsx'
import { useComposer } from '#web/features/compose/useComposer.ts'
import { useDraft } from '#web/features/compose/useDraft.ts'
import { AttachmentTray } from '#web/features/media/AttachmentTray.tsx'
import { FileTarget, PickFiles } from '#web/features/media/FileTarget.tsx'
import { useAttachments } from '#web/features/media/useAttachments.ts'
import { PostPreview } from '#web/features/posts/preview/PostPreview.tsx'
import { addressOf } from '#web/lib/client.ts'
import { useNow } from '#web/lib/now.ts'
import { useMay } from '#web/lib/permissions.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { toast } from '#web/ui/toast.ts'
import { useIsPhone } from '#web/ui/useMedia.ts'
import { SubmitBar } from './SubmitBar.tsx'
import type { Session } from './useSession.ts'
import { useSending } from './useSending.ts'

type Props = { ids: ProjectIds; session: Session; channels: readonly Channel[]; scheduledCap: number | undefined; place: CopyPlace; onBegun: (draftId: string) => void; onReload: () => void }

/** A composer with everything around it: pictures, preview, saving, sending. One per draft or post. */
export function ComposeDesk({ ids, session: start, channels, scheduledCap, place, onBegun, onReload }: Props) {
  // what is being written wins over what is read again
  const [session] = useState(start)
  const [restored, setRestored] = useState(session.restored)
  const router = useRouter()
  const phone = useIsPhone()
  const now = useNow()
  const [side, setSide] = useState<'write' | 'preview'>('write')
  const [notTaken, setNotTaken] = useState<readonly string[]>([])
  const textField = useRef<HTMLTextAreaElement>(null)
  const mayPublish = useMay([['post', 'publish']])

  const composer = useComposer(ids, channels, session.doc)
  const { doc, chosen } = composer
  const check = (file: Parameters<typeof fileErrors>[1]) => fileErrors(chosen.length > 0 ? chosen : channels.slice(0, 1), file)
  const attachments = useAttachments(ids, { initial: session.attachments, most: mostImages(chosen), check, onRefused: setNotTaken })
  const current = draftOf(doc, attachments.media, composer.card.card)
  const draft = useDraft({ ids, draftId: session.editing ? `edit-${session.id}` : session.id, place, version: session.version, savedAt: session.savedAt, known: session.known, current, localOnly: session.editing, onBegun: () => onBegun(session.id) })

  const sending = useSending({
    ids,
    session,
    channels,
    composer,
    attachments,
    scheduledCap,
    begun: draft.state.kind !== 'new',
    onDone: async (message, target) => {
      await draft.saver.finish()
      keepCopy(place, session.editing ? `edit-${session.id}` : session.id, undefined)
      const open = () => void router.navigate({ to: '/$orgId/project/$projectId/calendar', params: ids, search: target })
      toast.success(message, { action: { label: 'Open post', onClick: open } })
      open()
    },
  })

  // the words are what people come for; on a phone the keyboard would hide everything else
  useEffect(() => {
    if (!phone) textField.current?.focus()
  }, [phone])

  const leaving = useBlocker({ shouldBlockFn: ({ current: from, next }) => attachments.busy && from.pathname !== next.pathname, enableBeforeUnload: () => attachments.busy, withResolver: true })
  const conflict = draft.state.kind === 'changedElsewhere' || sending.isStale
  const fitFor = chosen[0] ?? channels[0]

  return (
    <Page
      title={session.editing ? 'Edit post' : 'Create post'}
      controls={<SaveIndicator state={draft.state} />}
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
      <FileTarget onFiles={(files) => void attachments.add(files)} className="grid items-start gap-x-8 gap-y-5 lg:grid-cols-[minmax(0,42rem)_minmax(20rem,26rem)]">
        <div className={phone && side === 'preview' ? 'hidden' : 'grid gap-4'}>
          {restored ? (
            <Banner tone="info" title="Your last words were kept in this browser." onDismiss={() => setRestored(false)}>
              They had not reached the server. They are here again.
            </Banner>
          ) : null}
          {draft.state.kind === 'refused' ? (
            <Banner tone="bad" live title="This draft can no longer be saved.">
              {draft.state.reason} What you wrote is still here: copy it, or publish it.
            </Banner>
          ) : null}
          <Composer
            ids={ids}
            channels={session.editing ? chosen : channels}
            composer={composer}
            locked={session.editing}
            now={now}
            channelError={sending.channelError}
            scheduleError={sending.scheduleError}
            cap={sending.cap}
            errors={sending.errors}
            trouble={sending.trouble}
            onSubmit={() => void sending.submit()}
            textRef={textField}
            hasPictures={attachments.list.length > 0}
            pick={<PickFiles onFiles={(files) => void attachments.add(files)} />}
            tray={
              <>
                {notTaken.length > 0 ? (
                  <Banner tone="wait" live title={notTaken.length === 1 ? 'A file was not attached.' : `${notTaken.length} files were not attached.`} onDismiss={() => setNotTaken([])}>
                    <ul>
                      {notTaken.map((sentence) => (
                        <li key={sentence}>{sentence}</li>
                      ))}
                    </ul>
                  </Banner>
                ) : null}
                <AttachmentTray
                  attachments={attachments}
                  check={check}
                  fitFor={fitFor ? { platform: fitFor.platformName, postType: postTypeFor(fitFor), bytes: rulesOf(fitFor)?.images.bytes ?? MEDIA_FALLBACK.imageBytes } : undefined}
                  altMost={Math.min(5000, ...(chosen.length > 0 ? chosen : channels.slice(0, 1)).map((channel) => rulesOf(channel)?.images.altText?.max ?? 2000))}
                />
              </>
            }
            footer={<SubmitBar mode={doc.mode} when={doc.when} editing={session.editing} mayPublish={mayPublish} pending={sending.pending} capped={doc.mode === 'once' && sending.cap !== undefined} onSubmit={() => void sending.submit()} />}
          />
        </div>
        <div className={phone && side === 'write' ? 'hidden' : 'lg:sticky lg:top-4'}>
          <Previews
            channels={chosen}
            render={(channel) => (
              <PostPreview
                post={{
                  platform: channel?.platformName ?? fitFor?.platformName ?? 'bluesky',
                  name: channel?.channelName ?? 'Choose a channel',
                  handle: channel?.handle ?? '',
                  avatarUrl: channel?.profileUrl ?? null,
                  text: doc.text.trim(),
                  when: 'now',
                  images: attachments.list.filter((one) => one.state !== 'failed' || one.assetId).map(({ key, url, altText, width, height }) => ({ key, url, altText, width, height })),
                  card: composer.card.card ? { ...composer.card.card, imageUrl: composer.card.card.imageAssetId ? addressOf(readAsset, { params: { ...ids, assetId: composer.card.card.imageAssetId } }) : null } : null,
                }}
              />
            )}
          />
        </div>
      </FileTarget>

      {conflict ? (
        <ConflictDialog
          ids={ids}
          postId={session.id}
          mine={doc.text}
          onKeepMine={(theirVersion) => (session.editing ? void sending.submit(theirVersion) : void draft.saver.overwrite(theirVersion, current))}
          onTakeTheirs={(theirVersion, savedAt) => {
            draft.saver.accept(theirVersion, savedAt)
            keepCopy(place, session.editing ? `edit-${session.id}` : session.id, undefined)
            onReload()
          }}
        />
      ) : null}
      <ConfirmDialog open={leaving.status === 'blocked'} onOpenChange={(open) => (open ? undefined : leaving.reset?.())} title="Leave while pictures are uploading?" action="Leave" danger={false} onConfirm={() => leaving.proceed?.()}>
        The draft keeps its words. Pictures that have not arrived yet have to be attached again.
      </ConfirmDialog>
    </Page>
  )
}
