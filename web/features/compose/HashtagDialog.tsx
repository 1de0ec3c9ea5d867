import { useState } from 'react'
import Hash from 'lucide-react/icons/hash'
import Pencil from 'lucide-react/icons/pencil'
import Plus from 'lucide-react/icons/plus'
import Trash from 'lucide-react/icons/trash'
import { HASHTAG_GROUP_MOST } from '#contract/constants.ts'
import {
  createHashtagGroup,
  deleteHashtagGroup,
  editHashtagGroup,
  listHashtagGroups,
  type HashtagGroup,
} from '#contract/labels.ts'
import { useMay } from '#web/lib/permissions.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'
import { hashTagsError, hashTagsIn } from './hashtags.ts'

type Props = { ids: ProjectIds; onInsert: (hashTags: readonly string[]) => void; onClose: () => void }

/** Groups of hashtags: one click inserts a group into the text. */
export default function HashtagDialog({ ids, onInsert, onClose }: Props) {
  const groups = useCall(listHashtagGroups, { params: ids }, { handles: true })
  const mayCreate = useMay([['hash_tags', 'create']]) === 'yes'
  const mayEdit = useMay([['hash_tags', 'edit']]) === 'yes'
  const mayDelete = useMay([['hash_tags', 'delete']]) === 'yes'
  const [edited, setEdited] = useState<HashtagGroup | 'new'>()
  const [leaving, setLeaving] = useState<HashtagGroup>()
  const remove = useSend(deleteHashtagGroup, {
    refreshes: [listHashtagGroups],
    onSuccess: ({ message }) => (message ? toast.success(message) : undefined),
  })
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())} title="Hashtag groups" size="m">
      {edited ? (
        <GroupForm ids={ids} group={edited === 'new' ? undefined : edited} onDone={() => setEdited(undefined)} />
      ) : (
        <div className="grid gap-3">
          <Loaded
            query={groups}
            isEmpty={(found) => found.groups.length === 0}
            empty={
              <EmptyState icon={<Hash size={20} />} title="No hashtag groups yet">
                Add a group's hashtags to a post with one click.
              </EmptyState>
            }
          >
            {(found) => (
              <ul aria-label="Hashtag groups" className="grid gap-2">
                {found.groups.map((group) => (
                  <li
                    key={group.hashtagGroupId}
                    className="flex items-start gap-2 rounded-md border border-line px-3 py-2"
                  >
                    <div className="min-w-0 grow">
                      <p dir="auto" className="truncate font-semibold">
                        {group.name}{' '}
                        <span className="tnum text-sm font-normal text-ink-muted">{group.hashTags.length}</span>
                      </p>
                      <p dir="auto" className="line-clamp-2 text-sm [overflow-wrap:anywhere] text-ink-muted">
                        {group.hashTags.map((tag) => `#${tag}`).join(' ')}
                      </p>
                    </div>
                    {mayEdit ? (
                      <IconButton
                        label={`Edit ${group.name}`}
                        size="s"
                        icon={<Pencil size={13} />}
                        onClick={() => setEdited(group)}
                      />
                    ) : null}
                    {mayDelete ? (
                      <IconButton
                        label={`Delete ${group.name}`}
                        size="s"
                        tone="danger"
                        icon={<Trash size={13} />}
                        onClick={() => setLeaving(group)}
                      />
                    ) : null}
                    <Button size="s" aria-label={`Insert ${group.name}`} onClick={() => onInsert(group.hashTags)}>
                      Insert
                    </Button>
                  </li>
                ))}
              </ul>
            )}
          </Loaded>
          {mayCreate ? (
            <Button
              className="justify-self-start"
              icon={<Plus size={14} aria-hidden />}
              onClick={() => setEdited('new')}
            >
              New group
            </Button>
          ) : null}
        </div>
      )}
      <ConfirmDialog
        open={leaving !== undefined}
        onOpenChange={(open) => (open ? undefined : setLeaving(undefined))}
        title={`Delete ${leaving?.name ?? ''}?`}
        action="Delete"
        onConfirm={() => {
          if (leaving) remove.mutate({ params: { ...ids, hashtagGroupId: leaving.hashtagGroupId } })
          setLeaving(undefined)
        }}
      >
        Hashtags already added to posts stay there.
      </ConfirmDialog>
    </Dialog>
  )
}

function GroupForm({ ids, group, onDone }: { ids: ProjectIds; group: HashtagGroup | undefined; onDone: () => void }) {
  const [name, setName] = useState(group?.name ?? '')
  const [text, setText] = useState(group?.hashTags.join(', ') ?? '')
  const [tried, setTried] = useState(false)
  const options = {
    refreshes: [listHashtagGroups],
    handles: ['BAD_INPUT', 'NAME_TAKEN'] as const,
    onSuccess: ({ message }: { message?: string | undefined }) => {
      if (message) toast.success(message)
      onDone()
    },
  }
  const create = useSend(createHashtagGroup, options)
  const edit = useSend(editHashtagGroup, options)
  const tags = hashTagsIn(text)
  const broken = hashTagsError(tags)
  const refused = create.error ?? edit.error
  const nameError =
    (tried && !name.trim() ? 'A name is required' : undefined) ??
    refused?.errors['name']?.[0] ??
    (refused?.code === 'NAME_TAKEN' ? (refused.detail ?? 'This name is taken.') : undefined)
  // too many is reported immediately, missing ones when someone tries to save
  const tagsError = tags.length > HASHTAG_GROUP_MOST || tried ? broken : undefined
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (!name.trim() || broken) return
        const body = { name, hashTags: tags }
        if (group) edit.mutate({ params: { ...ids, hashtagGroupId: group.hashtagGroupId }, body })
        else create.mutate({ params: ids, body })
      }}
    >
      <Field label="Name" error={nameError}>
        <TextInput value={name} maxLength={50} autoComplete="off" onChange={({ target }) => setName(target.value)} />
      </Field>
      <Field
        label="Hashtags"
        error={tagsError}
        hint="Separate hashtags with commas."
        aside={<span className="tnum">{`${tags.length} / ${HASHTAG_GROUP_MOST}`}</span>}
      >
        <TextArea
          rows={3}
          value={text}
          placeholder="coffee, roastery, barista"
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" tone="primary" loading={create.isPending || edit.isPending}>
          {group ? 'Save' : 'Create group'}
        </Button>
      </div>
    </form>
  )
}
