import { clsx } from 'clsx'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import X from 'lucide-react/icons/x'
import { useState, type ReactNode } from 'react'
import { plan } from '#contract/organisations.ts'
import { useIsOrgAdmin } from '#web/lib/permissions.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { recall, remember } from '#web/lib/remember.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Link } from '#web/ui/Link.tsx'
import { planNews, type PlanNews } from './planNews.ts'

const looks = { bad: { Icon: CircleAlert, ground: 'bg-bad-soft', ink: 'text-bad' }, wait: { Icon: TriangleAlert, ground: 'bg-wait-soft', ink: 'text-wait' }, info: { Icon: Info, ground: 'bg-info-soft', ink: 'text-info' } }

/** A line over the page: the plan has expired, a payment is overdue, there are too many channels, a trial runs. */
export function PlanBanners() {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const isAdmin = useIsOrgAdmin(ids)
  const facts = useCall(plan, { params: { orgId: ids.orgId } }, { handles: true }).data
  const news = facts && planNews(facts, zone)
  const memory = `planNews.${ids.orgId}`
  const [, setDismissed] = useState(0)
  if (!news || (news.dismissable && recall(memory) === news.key)) return null
  const dismiss = () => {
    remember(memory, news.key)
    setDismissed((times) => times + 1)
  }
  return (
    <Strip news={news} onDismiss={news.dismissable ? dismiss : undefined}>
      {isAdmin ? (
        <Link to="/$orgId/project/$projectId/org-settings" params={ids} search={{ tab: 'billing', ...(news.key === 'channels' ? { excess: 'choose' as const } : {}) }} className="shrink-0 font-semibold!">
          {news.action}
        </Link>
      ) : (
        <span className="text-ink-muted">Contact the admin of the organization.</span>
      )}
    </Strip>
  )
}

function Strip({ news: { tone, title, text }, onDismiss, children }: { news: PlanNews; onDismiss: (() => void) | undefined; children: ReactNode }) {
  const { Icon, ground, ink } = looks[tone]
  return (
    <section aria-label="Plan" className={clsx('flex shrink-0 items-start gap-2.5 border-b border-line px-3.5 py-1.5 text-sm md:px-5', ground)}>
      <Icon size={15} aria-hidden className={clsx('mt-0.5 shrink-0', ink)} />
      <p className="flex min-w-0 grow flex-wrap items-baseline gap-x-2 text-pretty">
        <b className="font-bold">{title}</b>
        <span>{text}</span>
        {children}
      </p>
      {onDismiss ? <IconButton size="s" label="Hide until the trial ends" icon={<X size={14} />} onClick={onDismiss} className="-my-1 -mr-1.5" /> : null}
    </section>
  )
}
