import type { PlatformApp } from '#contract/apps.ts'
import type { AppSetup } from '#contract/platforms/rules.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { OutsideLink } from '#web/ui/Link.tsx'
import { CopyField } from './CopyField.tsx'

/** What to do at the platform, in order, with the redirect URL to allow there. */
export function AppSteps({ app, setup }: { app: PlatformApp; setup: AppSetup }) {
  return (
    <div className="grid gap-4">
      {app.wantsHttps ? (
        <Banner tone="wait" title="This platform needs a public https address">
          Set PUBLIC_URL to the https address people use to reach Rookery. Until then, nobody can sign in with this
          platform.
        </Banner>
      ) : null}
      <section className="grid gap-2">
        <h3 className="font-bold">Steps</h3>
        <ol className="grid list-decimal gap-2 pl-5 marker:text-ink-muted">
          <li>
            Open <OutsideLink href={setup.register.url}>{setup.register.label}</OutsideLink>.
          </li>
          {setup.steps.map((step) => (
            <li key={step} className="text-pretty wrap-anywhere">
              {step.replaceAll('{redirect}', 'the redirect URL below')}
            </li>
          ))}
        </ol>
      </section>
      <CopyField label="Redirect URL" hint="Enter it exactly as shown." text={app.redirectUri} />
      <details className="group rounded-md border border-line">
        <summary className="cursor-pointer px-3 py-2 text-sm font-semibold">Permissions Rookery asks for</summary>
        <dl className="grid gap-2 border-t border-line px-3 py-2.5 text-sm">
          {setup.scopes.map((scope) => (
            <div key={scope} className="grid">
              <dt className="font-mono text-xs wrap-anywhere">{scope}</dt>
              {setup.rights?.[scope] ? <dd className="text-ink-muted">{`To ${setup.rights[scope]}`}</dd> : null}
            </div>
          ))}
        </dl>
      </details>
    </div>
  )
}
