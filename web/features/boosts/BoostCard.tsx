import { useEffect, useRef, useState } from 'react'
import { canStop, postBoosts, stopBoost, type Boost, type BoostState } from '#contract/boosts.ts'
import { count, dayAndTimeOf } from '#web/lib/format.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Progress } from '#web/ui/Progress.tsx'
import { toast } from '#web/ui/toast.ts'
import { boostLook } from './boostLook.ts'
import { moneyText } from './money.ts'

type Props = {
  boost: Boost
  zone: string
  platform: string
  mayStop: boolean
  /** It was just started here: its button is gone, so the focus moves here. */ fresh: boolean
}

/** One boost: its status, its results and cost so far, and the button to end it. */
export function BoostCard({ boost, zone, platform, mayStop, fresh }: Props) {
  const card = useRef<HTMLElement>(null)
  const { status } = boost
  // what had the focus goes with the state in which it could be pressed: that state, where the focus has to come here next
  const pressedIn = useRef<BoostState | 'nothing' | null>(fresh ? 'nothing' : null)
  useEffect(() => {
    if (pressedIn.current === null || pressedIn.current === status) return
    pressedIn.current = null
    card.current?.focus()
  }, [status])
  const { word, tone, icon: Icon } = boostLook[boost.status]
  const hasBegun = boost.spent !== null || boost.impressions !== null
  const isOver = boost.status === 'ENDED' || boost.status === 'STOPPED'
  return (
    <article
      ref={card}
      tabIndex={-1}
      className="grid gap-3 rounded-lg border border-line bg-surface p-3.5"
      aria-label={`Promotion by ${boost.adAccount.name}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <Badge tone={tone} icon={<Icon size={13} aria-hidden />}>
          {word}
        </Badge>
        <span className="tnum text-sm text-ink-muted">{`${moneyText(boost.budget, boost)} for ${count(boost.days, 'day')}`}</span>
      </div>
      {boost.problem ? (
        <Banner
          tone={boost.status === 'REJECTED' || boost.status === 'FAILED' ? 'bad' : 'wait'}
          title={boost.problem.text}
        >
          {boost.problem.advice || null}
        </Banner>
      ) : null}
      {hasBegun ? (
        <Progress
          label="Spent"
          value={boost.spent ?? 0}
          max={boost.budget}
          note={`${moneyText(boost.spent ?? 0, boost)} of ${moneyText(boost.budget, boost)}`}
        />
      ) : null}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        {hasBegun ? (
          <>
            <Fact name="Reach">
              {boost.reach === null ? 'Not available yet' : count(boost.reach, 'person', 'people')}
            </Fact>
            <Fact name="Impressions">
              {boost.impressions === null ? 'Not available yet' : count(boost.impressions, 'time')}
            </Fact>
          </>
        ) : null}
        <Fact name="Audience">{boost.audience.name}</Fact>
        <Fact name="Ad account">{boost.adAccount.name}</Fact>
        {boost.endsAt && boost.status !== 'FAILED' && boost.status !== 'STOPPED' ? (
          <Fact name={isOver ? 'Ended' : 'Ends'}>{dayAndTimeOf(boost.endsAt, zone)}</Fact>
        ) : null}
        {boost.startedBy ? <Fact name="Started by">{boost.startedBy.name}</Fact> : null}
      </dl>
      {mayStop && canStop(boost.status) ? (
        <Stop boost={boost} platform={platform} onAsked={() => (pressedIn.current = status)} />
      ) : null}
    </article>
  )
}

function Stop({ boost, platform, onAsked }: Pick<Props, 'boost' | 'platform'> & { onAsked: () => void }) {
  const ids = useProjectIds()
  const [asking, setAsking] = useState(false)
  const stop = useSend(stopBoost, {
    refreshes: [postBoosts],
    onSuccess: () => {
      setAsking(false)
      onAsked()
      toast.success('Stopping the promotion')
    },
    onError: () => setAsking(false),
  })
  return (
    <>
      <Button size="s" className="justify-self-start" onClick={() => setAsking(true)}>
        Stop promotion
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Stop this promotion?"
        action="Stop promotion"
        loading={stop.isPending}
        onConfirm={() => stop.mutate({ params: { ...ids, boostId: boost.boostId } })}
      >
        {`${platform} will stop promoting this post and spending your budget. You won't get back what was already spent. You can't resume this promotion, but you can start a new one.`}
      </ConfirmDialog>
    </>
  )
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <>
      <dt className="text-ink-muted">{name}</dt>
      <dd className="tnum min-w-0 break-words">{children}</dd>
    </>
  )
}
