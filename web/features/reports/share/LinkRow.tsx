import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useState } from 'react'
import { revokeReportLink, type ReportLink } from '#contract/reports/links.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { ZoneNote } from '#web/ui/ZoneNote.tsx'
import { expiryText, linkTroubleText, openedText } from './linkWords.ts'

/** An open link: whom it's for, until when, whether it was opened, and its end. */
export function LinkRow({ link, reportId, mayEdit }: { link: ReportLink; reportId: string; mayEdit: boolean }) {
  const params = { ...useProjectIds(), reportId, linkId: link.linkId }
  const zone = useProjectZone()
  const now = useNow()
  const [isEnding, setEnding] = useState(false)
  const revoke = useSend(revokeReportLink, {
    onSuccess: () => {
      setEnding(false)
      toast.success('Link ended')
    },
  })
  const { name, isYou } = link.createdBy
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1.5 px-3.5 py-3">
      <div className="grid min-w-0 grow basis-56 gap-0.5">
        <p dir="auto" className="font-semibold wrap-anywhere">
          {link.linkName}
        </p>
        <p className="tnum text-sm text-ink-muted">
          {expiryText(link.expiresAt, zone)} <ZoneNote zone={zone} at={new Date(link.expiresAt)} />
        </p>
        <p className="tnum text-sm text-ink-muted">
          {openedText(link, now, zone)} · Shows what {isYou ? 'your role' : `${name}'s role`} may see
        </p>
        {link.trouble ? (
          <p className="flex items-start gap-1.5 text-sm text-bad">
            <TriangleAlert size={14} aria-hidden className="mt-0.5 shrink-0" />
            {linkTroubleText(isYou ? 'your role' : name, link.trouble)}
          </p>
        ) : null}
      </div>
      {mayEdit ? (
        <Button size="s" aria-label={`End link for ${link.linkName}`} onClick={() => setEnding(true)}>
          End link
        </Button>
      ) : null}
      <ConfirmDialog
        open={isEnding}
        onOpenChange={setEnding}
        title="End this link?"
        action="End link"
        loading={revoke.isPending}
        onConfirm={() => revoke.mutate({ params })}
      >
        The link for {link.linkName} stops working at once. People who need the report then need a new one.
      </ConfirmDialog>
    </li>
  )
}
