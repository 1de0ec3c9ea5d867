import { useQueryClient, type QueryKey } from '@tanstack/react-query'
import { listNotices, readAllNotices, readNotice, type Notice } from '#contract/notices.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'

type Listed = ReplyOf<typeof listNotices>
type Before = [QueryKey, Listed | undefined][]

/** Marks notifications as read: shown at once, reverted with a message if it is refused. */
export function useNoticeActions() {
  const params = useProjectIds()
  const queries = useQueryClient()
  const mark = async (isMarked: (notice: Notice) => boolean, unread: (before: Listed) => number): Promise<Before> => {
    const queryKey = [listNotices.path]
    await queries.cancelQueries({ queryKey })
    const before = queries.getQueriesData<Listed>({ queryKey })
    queries.setQueriesData<Listed>(
      { queryKey },
      (known) =>
        known && {
          ...known,
          unread: unread(known),
          notices: known.notices.map((notice) => (isMarked(notice) ? { ...notice, read: true } : notice)),
        },
    )
    return before
  }
  const putBack = (before: Before | undefined) => {
    for (const [key, known] of before ?? []) queries.setQueryData(key, known)
  }

  const one = useSend(readNotice, {
    // it belongs to another project by now, or to nobody: the list shows that
    handles: ['NOT_FOUND'],
    onMutate: ({ params: { noticeId } }) =>
      mark(
        (notice) => notice.noticeId === noticeId,
        (known) => known.unread - known.notices.filter((notice) => notice.noticeId === noticeId && !notice.read).length,
      ),
    onError: (_failure, _sent, before) => putBack(before),
  })
  const all = useSend(readAllNotices, {
    onMutate: () =>
      mark(
        () => true,
        () => 0,
      ),
    onError: (_failure, _sent, before) => putBack(before),
  })
  return {
    read: (noticeId: string) => one.mutate({ params: { ...params, noticeId } }),
    readAll: () => all.mutate({ params }),
  }
}
