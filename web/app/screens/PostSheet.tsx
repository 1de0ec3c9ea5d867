import { Sheet } from '#web/ui/Sheet.tsx'

/** The open post over calendar and lists: the search parameter `post`. */
export default function PostSheet({ postId, onClose }: { postId: string; onClose: () => void }) {
  return (
    <Sheet open beside title="Post" onOpenChange={(open) => (open ? undefined : onClose())}>
      <p className="text-ink-muted">The detail of post {postId} is not here yet.</p>
    </Sheet>
  )
}
