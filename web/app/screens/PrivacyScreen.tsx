import { LegalPage } from './LegalPage.tsx'

export default function PrivacyScreen() {
  return (
    <LegalPage
      page="privacy"
      title="Privacy policy"
      lead="What this installation stores about you, why, and for how long. It runs on its operator's machine and reports nothing to the authors of the software."
      parts={[
        {
          id: 'stored',
          title: 'What is stored about you',
          text: [
            'All of it is kept in the database and the files of this installation, where its operator keeps them.',
          ],
          list: [
            'Your name, your email address, your picture if you choose one, and a hash of your password. Nobody can read the password from it.',
            'If you set them up: the secret of your authenticator app, encrypted; hashes of your recovery codes; the public part of your passkeys. Your fingerprint or face never leaves your device.',
            'Your sessions: when they began, when they were last used, and which browser on which system it was.',
            'Your notification settings, and the notifications that were sent to you.',
          ],
        },
        {
          id: 'work',
          title: 'What is stored of your work',
          text: [],
          list: [
            'The organizations, projects, posts, pictures and videos that you and your team create.',
            'Who did what and when, for the members of the organization to look up. The network address that it came from is kept apart and can be erased.',
            'For each connected channel: its name and picture, and the access that the platform granted, encrypted with a key that is not in the database.',
            'Invitations: the address that they went to, until they are accepted, withdrawn or forgotten with their organization.',
          ],
        },
        {
          id: 'cookies',
          title: 'Cookies',
          text: [
            'There is one cookie. It keeps you logged in, for 30 days after your last visit, and is gone when you log out. Nobody is tracked and nothing is advertised.',
            'Your choice of theme and text that could not be saved yet are kept in your browser itself; logging out removes such text.',
          ],
        },
        {
          id: 'others',
          title: 'Who else sees it',
          text: ['Colleagues in your organization see your name, address and picture. Beyond that:'],
          list: [
            'The platforms that you connect receive what you publish to them.',
            'Where the operator has set up a mail server or text generation, their providers receive what their service needs: addresses and mails; the recent posts of a channel that drafts are written for.',
            'The human check at sign-up is computed in your browser and calls no third party, unless the operator has chosen Turnstile by Cloudflare, which then sees your visit to that page.',
          ],
        },
        {
          id: 'limits',
          title: 'Protection against guessing',
          text: [
            'Attempts to log in and to enter codes are counted under a hash of your address and of your network, so that nobody can try passwords at will. The counts are forgotten when their time is over.',
          ],
        },
        {
          id: 'how-long',
          title: 'How long it is kept',
          text: [],
          list: [
            'An account that is never confirmed: 30 days.',
            'Codes: 15 minutes. Links for a new password: 1 hour. Invitations can be accepted for 7 days.',
            'Sessions: 30 days after their last use.',
            'Redacted logs of exchanges with platforms: 30 days. Notes of changes for open screens: 24 hours.',
            'Your content stays until you delete it. Backups are the operator’s and follow their own times.',
          ],
        },
        {
          id: 'rights',
          title: 'Your rights',
          text: [
            'You can see and change your profile, see and end your sessions, and leave organizations by yourself. For a copy of your data, or to have your account deleted, ask the operator of this installation.',
          ],
        },
      ]}
    />
  )
}
