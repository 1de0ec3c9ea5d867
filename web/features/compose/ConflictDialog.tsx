import { draftContents } from '#contract/drafts.ts'
import { getPost } from '#contract/posts.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Field } from '#web/ui/Field.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { useCommands, useComposer, useComposerState, useOtherEditors } from './ComposerContext.ts'

const names: Partial<Record<string, string>> = {
  text: 'text',
  thread: 'text',
  contents: 'text or images',
  title: 'title',
  media: 'images',
  unfinished: 'images',
  channelIds: 'channels',
  variants: 'channel versions',
  schedule: 'time',
  firstComment: 'first comment',
  labelIds: 'labels',
  campaignIds: 'campaigns',
  workflowId: 'workflow',
  additionalDetails: 'options',
}

/**
 * Two people, or two tabs, edited the same post. Nothing is discarded silently: both versions are shown side by side.
 */
export function ConflictDialog() {
  const fields = useComposerState(({ saving, sending }) =>
    saving.kind === 'changedElsewhere' ? saving.fields : sending.conflict,
  )
  return fields ? <OpenConflict fields={fields} /> : null
}

function OpenConflict({ fields }: { /** What differs, by its name in the API. */ fields: readonly string[] }) {
  const { ids, postId } = useComposer()
  const { keepMine, takeTheirs } = useCommands()
  const [editor, ...others] = useOtherEditors()
  /** Who else has it open, if it's one person. */
  const who = others.length === 0 ? editor?.name : undefined
  const mine = useComposerState(({ doc }) => doc.items.map(({ text }) => text).join('\n\n'))
  const theirs = useCall(getPost, { params: { ...ids, postId } }, { staleTime: 0, handles: ['NOT_FOUND'] })
  const differing = [...new Set(fields.flatMap((field) => names[field] ?? []))]
  const read = theirs.data && !theirs.isFetching ? theirs.data : undefined
  if (theirs.error?.code === 'NOT_FOUND') return <GoneDialog ids={ids} mine={mine} />
  return (
    <Dialog
      open
      mustAnswer
      onOpenChange={() => undefined}
      title="This post was changed elsewhere"
      description={
        <>
          Someone else, or another tab of yours, saved this post while you were writing.{' '}
          {who ? `${who} has it open too. ` : null}Which version do you want to keep?{' '}
          {differing.length > 0 ? `Differences: ${differing.join(', ')}.` : null}
        </>
      }
      size="m"
      footer={
        <>
          <Button disabled={!read} onClick={() => (read ? takeTheirs(read.version, read.updatedAt) : undefined)}>
            Use the other version
          </Button>
          <Button tone="primary" disabled={!read} onClick={() => (read ? keepMine(read.version) : undefined)}>
            Keep mine
          </Button>
        </>
      }
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Version name="My version" text={mine} />
        <Loaded query={theirs} skeleton={<SkeletonLines lines={4} />}>
          {(post) => (
            <Version
              name="Other version"
              text={(post.draft ? draftContents(post.draft) : post.contents).map(({ text }) => text).join('\n\n')}
            />
          )}
        </Loaded>
      </div>
    </Dialog>
  )
}

/** There's nothing left to choose from: the text written here can still be copied. */
function GoneDialog({ ids, mine }: { ids: ProjectIds; mine: string }) {
  return (
    <Dialog
      open
      mustAnswer
      onOpenChange={() => undefined}
      title="This post was deleted elsewhere"
      description="Someone else, or another tab of yours, deleted this post while you were writing. Copy anything you want to keep."
      size="m"
      footer={
        <ButtonLink to="/$orgId/project/$projectId/compose" params={ids} tone="primary" reloadDocument>
          Start a new post
        </ButtonLink>
      }
    >
      <Version name="My version" text={mine} />
    </Dialog>
  )
}

/** Read-only, but it can be scrolled, selected and copied with the keyboard. */
function Version({ name, text }: { name: string; text: string }) {
  return (
    <Field label={name}>
      <TextArea readOnly rows={6} value={text} className="max-h-60" />
    </Field>
  )
}
