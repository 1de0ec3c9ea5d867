import type { PlatformApp } from '#contract/apps.ts'
import type { AppSetup } from '#contract/platforms/rules.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { OutsideLink } from '#web/ui/Link.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { CopyField } from './CopyField.tsx'

/** Without them, comments and messages are read all the same, only later. */
function Notifications({ app }: { app: PlatformApp }) {
  if (app.webhooks.length === 0) return null
  const several = app.webhooks.length > 1
  return (
    <section className="grid gap-2">
      <h3 className="font-bold">Notifications for the inbox</h3>
      <p className="text-pretty text-ink-muted">
        Without them, comments and messages still arrive, but minutes to hours later. In the webhook settings of your
        app, enter {several ? 'these callback URLs' : 'this callback URL'} and subscribe to comments, mentions and
        messages.
      </p>
      {app.webhooks.map(({ platform, url }) => (
        <CopyField
          key={platform}
          label={several ? `Callback URL for ${platformName(platform)}` : 'Callback URL'}
          hint="Needs a public https address."
          text={url}
        />
      ))}
      {app.verifyToken ? (
        <CopyField label="Verify token" hint="The platform sends it when it checks the URL." text={app.verifyToken} />
      ) : null}
      {app.deletionUrl ? (
        <CopyField
          label="Data deletion request URL"
          hint="For people who ask the platform to have their data deleted."
          text={app.deletionUrl}
        />
      ) : null}
    </section>
  )
}

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
      <Notifications app={app} />
      <details className="group rounded-md border border-line">
        <summary className="cursor-pointer px-3 py-2 text-sm font-semibold">Permissions Rookery asks for</summary>
        <dl className="grid gap-2 border-t border-line px-3 py-2.5 text-sm">
          {setup.scopes.map((scope) => (
            <div key={scope} className="grid">
              <dt dir="auto" className="font-mono text-xs wrap-anywhere">
                {scope}
              </dt>
              {setup.rights?.[scope] ? <dd className="text-ink-muted">{`To ${setup.rights[scope]}`}</dd> : null}
            </div>
          ))}
        </dl>
      </details>
    </div>
  )
}
