import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { PostRow } from '#contract/postLists.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { Contained } from '#web/ui/Contained.tsx'
import { BulkBar } from './BulkBar.tsx'
import { asksBeforeDeleting, DeleteDialog } from './DeleteDialog.tsx'
import { FixPost, SettleInRow } from './FailureBox.tsx'
import { MoveDialog } from './MoveDialog.tsx'
import { PostTable } from './PostTable.tsx'
import { RefusedDialog } from './RefusedDialog.tsx'
import { RejectDialog } from './RejectDialog.tsx'
import { SendNowDialog } from './SendNowDialog.tsx'
import type { Refused } from './useBulk.ts'
import { useDecideMany, type Decision } from './useDecideMany.ts'
import { usePostActions } from './usePostActions.ts'
import { useRightsOf } from './usePostRights.ts'
import { useSelection } from '#web/ui/useSelection.ts'

// after the list: the words of figures aren't part of what the calendar loads
const FiguresLine = lazy(() => import('./FiguresLine.tsx'))

type Asked = { about: 'move' | 'delete' | 'send'; post: PostRow } | { about: 'reject'; posts: readonly PostRow[] }

/** Posts as rows with all actions for one or many. Each opens next to the list, by the URL. */
export function PostListing({
  label,
  posts,
  deleted = false,
  decides = false,
}: {
  label: string
  posts: readonly PostRow[]
  /** The list of deleted posts. */ deleted?: boolean
  /** All of them wait for the reader's approval. */ decides?: boolean
}) {
  const ids = useProjectIds()
  const { post: openId } = useSearch({ strict: false })
  const navigate = useNavigate()
  const actions = usePostActions()
  const rightsOf = useRightsOf()
  // what was just deleted disappears immediately, before the list is read again
  const rows = deleted ? posts : posts.filter(({ status }) => status !== 'DELETED')
  const selection = useSelection(rows.map(({ postId }) => postId))
  const published = rows.filter(({ status }) => status === 'PUBLISHED').map(({ postId }) => postId)
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const deciding = useDecideMany()
  const [refused, setRefused] = useState<readonly Refused[]>([])
  const decide = async (decided: readonly PostRow[], decision: Decision) => {
    setRefused(await deciding.run(decided, decision))
    close()
    selection.clear()
  }
  const approve = (approved: readonly PostRow[]) => void decide(approved, { verdict: 'approved' })
  const selected = rows.filter(({ postId }) => selection.has(postId))
  return (
    <>
      <PostTable
        label={label}
        rows={rows}
        rightsOf={rightsOf}
        selection={selection}
        figuresOf={(post) =>
          post.status === 'PUBLISHED' ? (
            <Contained fallback={null}>
              <Suspense>
                <FiguresLine postIds={published} postId={post.postId} platform={post.channel?.platformName} />
              </Suspense>
            </Contained>
          ) : null
        }
        openId={openId}
        onOpen={(post) => void navigate({ to: '.', search: (before) => ({ ...before, post }) })}
        onEdit={(post) =>
          void navigate({
            to: '/$orgId/project/$projectId/compose',
            params: ids,
            search: post.status === 'DRAFTS' ? { draft: post.postId } : { edit: post.postId },
          })
        }
        onMove={(post) => setAsked({ about: 'move', post })}
        onApprove={decides ? (post) => approve([post]) : undefined}
        onReject={decides ? (post) => setAsked({ about: 'reject', posts: [post] }) : undefined}
        onSend={(post) => setAsked({ about: 'send', post })}
        onRetry={(post) => void actions.retry(post)}
        fix={(post) =>
          post.status === 'UNCONFIRMED' ? (
            rightsOf(post).publish ? (
              <SettleInRow post={post} actions={actions} />
            ) : null
          ) : (
            <FixPost
              row
              post={post}
              actions={actions}
              mayPublish={rightsOf(post).publish}
              mayEdit={rightsOf(post).edit}
              mayReconnect={rightsOf(post).reconnect}
              onMove={() => setAsked({ about: 'move', post })}
            />
          )
        }
        onDelete={(post) =>
          asksBeforeDeleting(post) ? setAsked({ about: 'delete', post }) : void actions.remove(post)
        }
      />
      <BulkBar
        posts={selected}
        listed={rows.length}
        rightsOf={rightsOf}
        onAll={() => selection.all(true)}
        onClear={selection.clear}
        deciding={
          decides
            ? {
                onApprove: () => approve(selected),
                onReject: () => setAsked({ about: 'reject', posts: selected }),
                at: deciding.at,
              }
            : undefined
        }
      />
      <RefusedDialog refused={refused} onClose={() => setRefused([])} />
      {asked?.about === 'reject' ? (
        <RejectDialog
          posts={asked.posts.length}
          busy={deciding.at !== undefined}
          onClose={close}
          onReject={(reason) => void decide(asked.posts, { verdict: 'rejected', reason })}
        />
      ) : null}
      {asked?.about === 'move' ? <MoveDialog post={asked.post} onClose={close} /> : null}
      {asked?.about === 'send' ? (
        <SendNowDialog onClose={close} onSend={() => void actions.sendNow(asked.post)} />
      ) : null}
      {asked?.about === 'delete' ? (
        <DeleteDialog post={asked.post} onClose={close} onDelete={(how) => void actions.remove(asked.post, how)} />
      ) : null}
    </>
  )
}
