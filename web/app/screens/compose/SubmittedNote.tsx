import type { ReactNode } from 'react'
import type { PostState } from '#contract/postStates.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'

type Props = {
  ids: ProjectIds
  draftId: string
  /** What the draft's post is now, where that is known. */ status: PostState | undefined
  live?: boolean
  /** Undefined where this browser has no unsaved text. */ onKeepAsNew: (() => void) | undefined
  children?: ReactNode
}

const titles: Partial<Record<PostState, string>> = {
  SCHEDULED: 'This draft was scheduled.',
  QUEUED: 'This draft was added to the queue.',
  NEEDS_APPROVAL: 'This draft was sent for approval.',
  PROCESSING: 'This draft is being published.',
  PUBLISHED: 'This draft was published.',
  DELETED: 'This draft was submitted, and its post was deleted.',
}

/** The draft has become a post: where to find it, and how to keep what was typed here. */
export function SubmittedNote({ ids, draftId, status, live = false, onKeepAsNew, children }: Props) {
  return (
    <Banner
      tone="wait"
      live={live}
      title={(status && titles[status]) ?? 'This draft was submitted.'}
      actions={
        <>
          {status === 'DELETED' ? null : (
            <ButtonLink
              size="s"
              tone="primary"
              to="/$orgId/project/$projectId/calendar"
              params={ids}
              search={{ post: draftId }}
            >
              Open post
            </ButtonLink>
          )}
          {onKeepAsNew ? (
            <Button size="s" onClick={onKeepAsNew}>
              Keep my text as a new draft
            </Button>
          ) : null}
        </>
      }
    >
      {children}
    </Banner>
  )
}
