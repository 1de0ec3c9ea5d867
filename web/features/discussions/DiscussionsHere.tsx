import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import MessagesSquare from 'lucide-react/icons/messages-square'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { Contained } from '#web/ui/Contained.tsx'
import { toast } from '#web/ui/toast.ts'
import { DiscussionsLink, useDiscussionCount, type DiscussionsAbout } from './DiscussionsLink.tsx'

const DiscussionDialog = lazy(() => import('./DiscussionDialog.tsx'))

/** As DiscussionsLink, but the first discussion is started without leaving the page. */
export function DiscussionsHere({ about }: { about: DiscussionsAbout }) {
  const ids = useProjectIds()
  const navigate = useNavigate()
  const [starting, setStarting] = useState(false)
  const mayWrite = useMay([['note', 'create']]) === 'yes'
  const n = useDiscussionCount(about)
  if (n !== 0 || !mayWrite) return <DiscussionsLink about={about} />
  return (
    <>
      <Button
        size="s"
        tone="quiet"
        className="justify-self-start"
        icon={<MessagesSquare size={14} aria-hidden />}
        onClick={() => setStarting(true)}
      >
        Start a discussion
      </Button>
      {starting ? (
        <Contained>
          <Suspense fallback={null}>
            <DiscussionDialog
              about={about}
              onClose={() => setStarting(false)}
              onStarted={(discussionId) => {
                setStarting(false)
                const open = () =>
                  void navigate({
                    to: '/$orgId/project/$projectId/discussions',
                    params: ids,
                    search: { ...about, d: discussionId },
                  })
                toast.success('Discussion started', { action: { label: 'Open', onClick: open } })
              }}
            />
          </Suspense>
        </Contained>
      ) : null}
    </>
  )
}
