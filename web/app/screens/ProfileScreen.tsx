import { userDetails } from '#contract/identity.ts'
import { NameForm } from '#web/features/profile/NameForm.tsx'
import { PasswordForm } from '#web/features/profile/PasswordForm.tsx'
import { Section } from '#web/features/profile/Section.tsx'
import { SessionList } from '#web/features/profile/SessionList.tsx'
import { ThemeChoice } from '#web/features/profile/ThemeChoice.tsx'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { useLogOut } from '../useLogOut.ts'

export default function ProfileScreen() {
  const user = useCall(userDetails, {}, { handles: true })
  const { logOut, leaving } = useLogOut()
  return (
    <Page
      title="Profile"
      controls={
        <Button size="s" loading={leaving} onClick={logOut}>
          Log out
        </Button>
      }
    >
      <div className="max-w-200">
        <Section title="About you">
          <Loaded query={user} skeleton={<SkeletonLines lines={4} />}>
            {(person) => <NameForm key={person.userId} user={person} />}
          </Loaded>
        </Section>
        <Section title="Password" lead="A new password ends your other sessions.">
          <PasswordForm />
        </Section>
        <Section title="Theme" lead="Kept in this browser.">
          <ThemeChoice />
        </Section>
        <Section title="Sessions" lead="Where you are logged in. End what you do not recognize, then change your password.">
          <SessionList />
        </Section>
      </div>
    </Page>
  )
}
