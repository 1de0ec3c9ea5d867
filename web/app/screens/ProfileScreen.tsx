import { userDetails } from '#contract/identity.ts'
import { mySecurity } from '#contract/secondFactor.ts'
import { DeleteAccount } from '#web/features/dataRights/DeleteAccount.tsx'
import { NoticePreferences } from '#web/features/notices/NoticePreferences.tsx'
import { EmailForm } from '#web/features/profile/EmailForm.tsx'
import { NameForm } from '#web/features/profile/NameForm.tsx'
import { OrganizationList } from '#web/features/profile/OrganizationList.tsx'
import { Passkeys } from '#web/features/profile/Passkeys.tsx'
import { PasswordForm } from '#web/features/profile/PasswordForm.tsx'
import { PictureForm } from '#web/features/profile/PictureForm.tsx'
import { SecondFactor } from '#web/features/profile/SecondFactor.tsx'
import { Section } from '#web/features/profile/Section.tsx'
import { SessionList } from '#web/features/profile/SessionList.tsx'
import { ThemeChoice } from '#web/features/profile/ThemeChoice.tsx'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { SkeletonLines, SkeletonRows } from '#web/ui/Skeleton.tsx'
import { toast } from '#web/ui/toast.ts'
import { useLogOut } from '../useLogOut.ts'

export default function ProfileScreen() {
  const user = useCall(userDetails, {}, { staleTime: 0, handles: true })
  const security = useCall(mySecurity, {}, { staleTime: 0, handles: true })
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
        <Section id="about" title="About you">
          <Loaded query={user} skeleton={<SkeletonLines lines={6} />}>
            {(person) => (
              <>
                <PictureForm user={person} />
                <NameForm key={person.userId} user={person} />
              </>
            )}
          </Loaded>
        </Section>
        <Section id="email" title="Email" lead="You use it to log in, and we send your emails there.">
          <Loaded query={user} skeleton={<SkeletonLines lines={1} />}>
            {(person) => <EmailForm user={person} />}
          </Loaded>
        </Section>
        <Section id="password" title="Password" lead="Changing your password ends your other sessions.">
          <PasswordForm email={user.data?.email ?? ''} />
        </Section>
        <Section
          id="security"
          title="Security"
          lead="Two-factor authentication keeps others out, even if they know your password."
        >
          <Loaded query={security} skeleton={<SkeletonRows rows={4} label="Loading security settings" />}>
            {(state) => (
              <div className="grid gap-4">
                <SecondFactor security={state} />
                <Passkeys passkeys={state.passkeys} />
              </div>
            )}
          </Loaded>
        </Section>
        <Section
          id="sessions"
          title="Sessions"
          lead="Where you're logged in. End any session you don't recognize, then change your password."
        >
          <SessionList />
        </Section>
        <Section id="notices" title="Notifications" lead="Choose what we notify you about, and how.">
          <NoticePreferences />
        </Section>
        <Section id="organizations" title="Organizations">
          <OrganizationList />
        </Section>
        <Section id="theme" title="Theme" lead="Saved in this browser.">
          <ThemeChoice />
        </Section>
        <Section id="delete-account" title="Delete account">
          <DeleteAccount
            email={user.data?.email ?? ''}
            onDeleted={() => {
              toast.success('Your account was deleted')
              logOut()
            }}
          />
        </Section>
      </div>
    </Page>
  )
}
