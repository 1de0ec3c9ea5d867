import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { PostRow } from '#contract/postLists.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { BulkBar } from './BulkBar.tsx'
import { asksBeforeDeleting, DeleteDialog } from './DeleteDialog.tsx'
import { Mend } from './FailureBox.tsx'
import { MoveDialog } from './MoveDialog.tsx'
import { PostTable } from './PostTable.tsx'
import { SendNowDialog } from './SendNowDialog.tsx'
import { usePostActions } from './usePostActions.ts'
import { useRightsOf } from './usePostRights.ts'
import { useSelection } from '#web/ui/useSelection.ts'

type Asked = { about: 'move' | 'delete' | 'send'; post: PostRow }

/** Posts as rows with everything that can be done to one of them or to many. Each opens beside the list, by the address. */
export function PostListing({
  label,
  posts,
  deleted = false,
  decides = false,
}: {
  label: string
  posts: readonly PostRow[]
  /** It is the deleted ones that are looked at. */ deleted?: boolean
  /** They all wait for the reader's approval. */ decides?: boolean
}) {
  const ids = useProjectIds()
  const { post: openId } = useSearch({ strict: false })
  const navigate = useNavigate()
  const actions = usePostActions()
  const rightsOf = useRightsOf()
  // what was just deleted leaves at once, before the list is read again
  const rows = deleted ? posts : posts.filter(({ status }) => status !== 'DELETED')
  const selection = useSelection(rows.map(({ postId }) => postId))
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  return (
    <>
      <PostTable
        label={label}
        rows={rows}
        rightsOf={rightsOf}
        selection={selection}
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
        onSend={(post) => setAsked({ about: 'send', post })}
        onRetry={(post) => void actions.retry(post)}
        mend={(post) => (
          <Mend
            row
            post={post}
            actions={actions}
            mayPublish={rightsOf(post).publish}
            mayEdit={rightsOf(post).edit}
            mayReconnect={rightsOf(post).reconnect}
            onMove={() => setAsked({ about: 'move', post })}
          />
        )}
        onDelete={(post) =>
          asksBeforeDeleting(post) ? setAsked({ about: 'delete', post }) : void actions.remove(post)
        }
      />
      <BulkBar
        posts={rows.filter(({ postId }) => selection.has(postId))}
        listed={rows.length}
        rightsOf={rightsOf}
        onAll={() => selection.all(true)}
        onClear={selection.clear}
        decides={decides}
      />
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
