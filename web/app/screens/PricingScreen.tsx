import { publicPricing } from '#contract/billing.ts'
import { PlanOfferCard } from '#web/features/billing/PlanOfferCard.tsx'
import { TestPayments } from '#web/features/billing/TestPayments.tsx'
import { per, percent } from '#web/features/billing/planWords.ts'
import { SCHEDULE, TRIAL_DAYS } from '#contract/constants.ts'
import { money } from '#contract/format.ts'
import { useVisitor } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { PRODUCT } from '#web/ui/Page.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { Brand } from '#web/ui/StandalonePage.tsx'

/** The plans and what they cost, for anyone. */
export default function PricingScreen() {
  const plans = useCall(publicPricing, {}, { handles: true })
  const visitor = useVisitor()
  const way = visitor.data ? (
    <ButtonLink to="/onboarding">Go to the dashboard</ButtonLink>
  ) : (
    <ButtonLink to="/login">Login</ButtonLink>
  )
  return (
    <div className="flex min-h-dvh flex-col">
      <title>{`Pricing · ${PRODUCT}`}</title>
      <header className="flex items-center justify-between gap-4 px-5 py-4">
        <a href="/" aria-label={`${PRODUCT} home`} className="rounded-md">
          <Brand />
        </a>
        {visitor.isPending ? null : way}
      </header>
      <main id="main" className="mx-auto w-full max-w-240 flex-1 px-4 pt-[max(1rem,6vh)] pb-12 max-md:pt-4">
        <h1 tabIndex={-1} className="text-2xl font-bold tracking-[-0.02em] text-balance">
          Pricing
        </h1>
        <p className="mt-1.5 text-lg text-pretty text-ink-muted">
          Every organization starts with a {TRIAL_DAYS}-day free trial of Team's features, with no card needed. During
          the trial, you can have up to {SCHEDULE.cap.limited} posts scheduled per channel.
        </p>
        <div className="mt-6 grid gap-4">
          <Loaded query={plans} skeleton={<SkeletonRows rows={3} />}>
            {({ plans: offers, currencyCode, taxRate, provider }) => (
              <>
                {provider === 'local' ? <TestPayments /> : null}
                <h2 className="sr-only">Plans</h2>
                <ul className="grid gap-4 md:grid-cols-3">
                  {offers.map((offer) => (
                    <PlanOfferCard
                      key={offer.planId}
                      offer={offer}
                      currencyCode={currencyCode}
                      shown={offer.features.length}
                      note={
                        offer.maxAddons > 0 ? (
                          <p className="tnum text-sm text-ink-muted">
                            Each extra channel:{' '}
                            {offer.prices
                              .map(
                                ({ billingInterval, addonPrice }) =>
                                  `${money(addonPrice, currencyCode)} / ${per[billingInterval]}`,
                              )
                              .join(' or ')}
                          </p>
                        ) : null
                      }
                      action={
                        visitor.data ? null : (
                          <ButtonLink
                            to="/signup"
                            tone={offer.planId === 'team' ? 'primary' : 'default'}
                            aria-label={`Start free with ${offer.planName}`}
                          >
                            Start free
                          </ButtonLink>
                        )
                      }
                    />
                  ))}
                </ul>
                <p className="text-ink-muted">
                  {taxRate === null
                    ? 'Tax is added at checkout.'
                    : taxRate > 0
                      ? `Prices don't include tax. We add ${percent(taxRate)} at checkout.`
                      : 'No tax is added.'}
                </p>
              </>
            )}
          </Loaded>
        </div>
      </main>
    </div>
  )
}
