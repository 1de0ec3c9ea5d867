import { Link } from '@tanstack/react-router'
import Download from 'lucide-react/icons/download'
import { useForm } from 'react-hook-form'
import { codecName } from '#contract/codecNames.ts'
import { postStates } from '#contract/postStates.ts'
import {
  assetUses,
  editAsset,
  getLibraryAsset,
  listAssets,
  listFolders,
  type Folder,
  type LibraryAsset,
} from '#contract/library.ts'
import { bytes, lengthOf, momentOf } from '#web/lib/format.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { buttonClass } from '#web/ui/buttonClass.ts'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Select } from '#web/ui/Select.tsx'
import { Sheet } from '#web/ui/Sheet.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { StatusBadge } from '#web/ui/StatusBadge.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'
import type { LibraryRights } from './asked.ts'
import { AssetPicture } from './AssetPicture.tsx'
import { typeOf } from './facts.ts'
import { folderOptions, inOrder } from './folders.ts'

type Props = {
  assetId: string
  folders: readonly Folder[]
  may: LibraryRights
  onClose: () => void
  onDelete: (asset: LibraryAsset) => void
}

/** The open file next to the library: its facts, its texts, and the posts that use it. */
export function AssetSheet({ assetId, folders, may, onClose, onDelete }: Props) {
  const ids = useProjectIds()
  const query = useCall(getLibraryAsset, { params: { ...ids, assetId } }, { handles: true })
  const asset = query.data
  return (
    <Sheet
      open
      beside
      title={asset?.displayName ?? 'File'}
      onOpenChange={(open) => (open ? undefined : onClose())}
      footer={
        asset ? (
          <>
            <a href={asset.url} download={asset.displayName} className={buttonClass({})}>
              <Download size={14} aria-hidden />
              Download
            </a>
            {may.remove ? (
              <Button tone="quiet" className="ml-auto" onClick={() => onDelete(asset)}>
                Delete
              </Button>
            ) : null}
          </>
        ) : null
      }
    >
      <Loaded query={query} skeleton={<SkeletonLines lines={6} label="Loading the file" />}>
        {(loaded) => (
          <>
            <AssetPicture asset={loaded} whole className="h-60 w-full rounded-md" />
            <Words key={loaded.assetId} asset={loaded} folders={folders} mayEdit={may.edit} />
            <Facts asset={loaded} />
            <Uses assetId={loaded.assetId} />
          </>
        )}
      </Loaded>
    </Sheet>
  )
}

const ALT_MOST = 5_000
type Values = { fileName: string; altText: string; folderId: string }

function Words({ asset, folders, mayEdit }: { asset: LibraryAsset; folders: readonly Folder[]; mayEdit: boolean }) {
  const ids = useProjectIds()
  // others' changes come in, except where someone is typing
  const form = useForm<Values>({
    values: { fileName: asset.fileName, altText: asset.altText, folderId: asset.folderId ?? '' },
    resetOptions: { keepDirtyValues: true },
  })
  const { errors, dirtyFields } = form.formState
  // isDirty forgets what is being typed when the rest comes in
  const changed = Object.keys(dirtyFields).length > 0
  const save = useFormSend(editAsset, form, {
    refreshes: [listAssets, listFolders, getLibraryAsset],
    onSuccess: ({ message }) => {
      form.reset(form.getValues(), { keepDirtyValues: false })
      toast.success(message ?? 'File updated successfully')
    },
  })
  const submit = form.handleSubmit(({ fileName, altText, folderId }) =>
    save.mutate({
      params: { ...ids, assetId: asset.assetId },
      body: {
        ...(dirtyFields.fileName && { fileName }),
        ...(dirtyFields.altText && { altText }),
        ...(dirtyFields.folderId && { folderId: folderId || null }),
      },
    }),
  )
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-3.5">
      <FormError errors={errors} />
      <Field label="File name" error={errors.fileName?.message}>
        <TextInput
          {...form.register('fileName', { required: 'A name is required' })}
          readOnly={!mayEdit}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <Field
        label="Alt text"
        hint="For people who can't see it. Posts that use this file start with this text."
        error={errors.altText?.message}
      >
        <TextArea {...form.register('altText')} rows={3} maxLength={ALT_MOST} readOnly={!mayEdit} />
      </Field>
      <Field label="Folder" error={errors.folderId?.message}>
        <Select
          {...form.register('folderId')}
          disabled={!mayEdit}
          options={[{ value: '', label: 'Not in a folder' }, ...folderOptions(inOrder(folders))]}
        />
      </Field>
      {changed && mayEdit ? (
        <div className="flex gap-2">
          <Button type="submit" tone="primary" loading={save.isPending}>
            Save
          </Button>
          <Button tone="quiet" onClick={() => form.reset(undefined, { keepDirtyValues: false })}>
            Discard changes
          </Button>
        </div>
      ) : null}
    </form>
  )
}

function Facts({ asset }: { asset: LibraryAsset }) {
  const zone = useProjectZone()
  const facts = [
    ['Type', typeOf(asset)],
    ['Size', bytes(asset.bytes)],
    ['Dimensions', asset.width && asset.height ? `${asset.width} × ${asset.height}` : undefined],
    ['Length', asset.seconds === null ? undefined : lengthOf(asset.seconds)],
    ['Frames', asset.frames?.toLocaleString('en')],
    ['Video', asset.videoCodec === null ? undefined : codecName(asset.videoCodec)],
    ['Audio', asset.audioCodec === null ? undefined : codecName(asset.audioCodec)],
    ['Frame rate', asset.frameRate === null ? undefined : `${asset.frameRate} fps`],
    ['Added', momentOf(asset.createdAt, zone)],
    ['By', asset.createdBy ?? undefined],
  ].flatMap(([name, value]) => (name && value ? [{ name, value }] : []))
  return (
    <dl className="grid grid-cols-[5rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 border-t border-line pt-3.5">
      {facts.map(({ name, value }) => (
        <div key={name} className="contents">
          <dt className="text-ink-muted">{name}</dt>
          <dd className="tnum wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Uses({ assetId }: { assetId: string }) {
  const query = useCall(assetUses, { params: { ...useProjectIds(), assetId } }, { handles: true })
  return (
    <section aria-labelledby="uses" className="grid gap-2 border-t border-line pt-3.5">
      <h3 id="uses" className="font-bold">
        Used in
      </h3>
      <Loaded
        query={query}
        skeleton={<SkeletonLines lines={2} label="Loading the posts" />}
        isEmpty={({ posts }) => posts.length === 0}
        empty={<p className="text-ink-muted">Not used in any post.</p>}
      >
        {({ posts, more }) => (
          <>
            <ul className="grid gap-1">
              {posts.map(({ postId, excerpt, status }) => {
                const state = postStates.find((one) => one === status)
                return (
                  <li key={postId}>
                    <Link
                      to="."
                      search={(before) => ({ ...before, file: undefined, post: postId })}
                      className="-mx-2 flex min-h-8 items-center gap-2 rounded-md px-2 py-1 hover:bg-hover"
                    >
                      <span dir="auto" className="min-w-0 grow truncate">
                        {excerpt || 'A post without text'}
                      </span>
                      {state ? <StatusBadge status={state} /> : null}
                    </Link>
                  </li>
                )
              })}
            </ul>
            {more > 0 ? <p className="text-sm text-ink-muted">{`And ${more} more.`}</p> : null}
          </>
        )}
      </Loaded>
    </section>
  )
}
