import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import {
  createFolder,
  deleteFolder,
  editFolder,
  FolderName,
  type Folder,
  type LibraryAsset,
} from '#contract/library.ts'
import { count } from '#web/lib/format.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'
import { folderOptions, inOrder, placesFor } from './folders.ts'
import { folderRefreshes, useLibrary } from './useLibrary.ts'

const Fields = z.object({ name: FolderName })

/** A new folder's name, or a new name for a folder. */
export function FolderNameDialog({
  folder,
  parent,
  onClose,
  onCreated,
}: {
  /** Absent for a new one. */ folder?: Folder
  /** A new one's parent folder. */ parent?: Folder | undefined
  onClose: () => void
  onCreated: (folderId: string) => void
}) {
  const ids = useProjectIds()
  const form = useForm({ resolver: zodResolver(Fields), defaultValues: { name: folder?.name ?? '' } })
  const { errors } = form.formState
  const options = { handles: ['NAME_TAKEN'] as const, refreshes: folderRefreshes }
  const create = useFormSend(createFolder, form, {
    ...options,
    onSuccess: ({ message, folderId }) => {
      toast.success(message ?? 'Folder created successfully')
      onClose()
      onCreated(folderId)
    },
  })
  const rename = useFormSend(editFolder, form, {
    ...options,
    onSuccess: ({ message }) => {
      toast.success(message ?? 'Folder updated successfully')
      onClose()
    },
  })
  const submit = form.handleSubmit(({ name }) =>
    folder
      ? rename.mutate({ params: { ...ids, folderId: folder.folderId }, body: { name } })
      : create.mutate({ params: ids, body: { name, parentId: parent?.folderId ?? null } }),
  )
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={folder ? 'Rename folder' : 'New folder'}
      description={parent ? `In the folder ${parent.name}.` : undefined}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="folder" tone="primary" loading={create.isPending || rename.isPending}>
            {folder ? 'Save' : 'Create folder'}
          </Button>
        </>
      }
    >
      <form id="folder" noValidate onSubmit={(event) => void submit(event)} className="grid gap-3">
        <FormError errors={errors} />
        <Field label="Name" error={errors.name?.message}>
          <TextInput {...form.register('name')} autoComplete="off" />
        </Field>
      </form>
    </Dialog>
  )
}

const TOP = 'top'

/** Another folder for files or for a folder. */
export function PlaceDialog({
  moved,
  folders,
  onClose,
  onMoved,
}: {
  moved: { files: readonly LibraryAsset[] } | { folder: Folder }
  folders: readonly Folder[]
  onClose: () => void
  onMoved: () => void
}) {
  const library = useLibrary()
  const isFolder = 'folder' in moved
  const places = isFolder ? placesFor(folders, moved.folder) : inOrder(folders)
  const before = isFolder ? moved.folder.parentId : (moved.files[0]?.folderId ?? null)
  const [place, setPlace] = useState(before ?? TOP)
  const top = isFolder ? 'Not in any folder' : 'Not in a folder'
  const submit = () => {
    const to = place === TOP ? null : place
    const where =
      to === null ? 'out of the folder' : `to ${folders.find(({ folderId }) => folderId === to)?.name ?? 'the folder'}`
    onClose()
    onMoved()
    void (isFolder ? library.moveFolder(moved.folder, to, where) : library.move(moved.files, to, where))
  }
  const title = isFolder
    ? `Move the folder ${moved.folder.name}`
    : moved.files.length === 1
      ? `Move ${moved.files[0]?.displayName ?? 'the file'}`
      : `Move ${count(moved.files.length, 'file')}`
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" onClick={submit}>
            Move
          </Button>
        </>
      }
    >
      <Field
        label="Folder"
        hint={places.length === 0 && !isFolder ? 'There are no folders yet. Create one first.' : undefined}
      >
        <Select
          value={place}
          onChange={({ target }) => setPlace(target.value)}
          options={[{ value: TOP, label: top }, ...folderOptions(places)]}
        />
      </Field>
    </Dialog>
  )
}

/** Asks first, because a folder can't be restored; its contents stay. */
export function DeleteFolderDialog({
  folder,
  folders,
  onClose,
  onGone,
}: {
  folder: Folder
  folders: readonly Folder[]
  onClose: () => void
  onGone: () => void
}) {
  const ids = useProjectIds()
  const remove = useSend(deleteFolder, {
    refreshes: folderRefreshes,
    onSuccess: ({ message }) => {
      toast.success(message ?? 'Folder deleted successfully')
      onClose()
      onGone()
    },
  })
  const inside = folders.filter(({ parentId }) => parentId === folder.folderId).length
  const parts = [
    folder.assets > 0 ? count(folder.assets, 'file') : '',
    inside > 0 ? count(inside, 'folder') : '',
  ].filter(Boolean)
  const above = folders.find(({ folderId }) => folderId === folder.parentId)?.name
  const one = folder.assets + inside === 1
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete the folder ${folder.name}?`}
      action="Delete folder"
      loading={remove.isPending}
      onConfirm={() => remove.mutate({ params: { ...ids, folderId: folder.folderId } })}
    >
      {parts.length === 0
        ? "It's empty. "
        : `Its ${parts.join(' and ')} ${one ? "isn't" : "aren't"} deleted: ${one ? 'it moves' : 'they move'} ${above ? `to ${above}` : 'out of it'}. `}
      You can't restore the folder.
    </ConfirmDialog>
  )
}
