import { LegalPage } from './LegalPage.tsx'

export default function PrivacyScreen() {
  return (
    <LegalPage
      page="privacy"
      title="Privacy policy"
      lead="What this Rookery installation stores about you, why, and for how long. It runs on its operator's servers and sends nothing to the authors of the software."
      parts={[
        {
          id: 'stored',
          title: 'Information about you',
          text: [
            "We store the following in this installation's database and file storage, which its operator controls:",
          ],
          list: [
            "Your name, your email address, your picture if you add one, and a hash of your password. The password can't be read from the hash.",
            'If you set them up: the encrypted secret of your authenticator app, hashes of your recovery codes, and the public part of your passkeys. Your fingerprint or face data never leaves your device.',
            'Your sessions: when each one started, when it was last used, and the browser and operating system.',
            'Your notification settings and the notifications we sent you.',
          ],
        },
        {
          id: 'work',
          title: 'Your content and activity',
          text: [],
          list: [
            'The organizations, projects, posts, pictures and videos that you and your team create.',
            'A record of who did what and when, which members of the organization can look up. The IP address behind each entry is stored separately and can be erased.',
            "For each connected channel: its name and picture, and the access the platform granted, encrypted with a key that isn't stored in the database.",
            'Invitations: the email address each one was sent to, until it is accepted, revoked or deleted with its organization.',
          ],
        },
        {
          id: 'cookies',
          title: 'Cookies',
          text: [
            "We use one cookie. It keeps you logged in for 30 days after your last visit, and it's deleted when you log out. We don't track you or show you ads.",
            "Your theme setting and any text that hasn't been saved yet are stored in your browser. Logging out removes that text.",
          ],
        },
        {
          id: 'others',
          title: 'Who else can see it',
          text: ['Other members of your organization can see your name, email address and picture. In addition:'],
          list: [
            'The platforms you connect receive what you publish to them.',
            'If the operator has set up a mail server or AI text generation, those providers receive what they need: email addresses and messages, and the recent posts of a channel that drafts are written for.',
            "The human check at sign-up runs in your browser and doesn't contact a third party, unless the operator has chosen Cloudflare Turnstile. In that case, Cloudflare sees your visit to the sign-up page.",
          ],
        },
        {
          id: 'limits',
          title: 'Protection against guessing',
          text: [
            "To stop people from guessing passwords and codes, we count attempts to log in and enter codes. The counts are stored under a hash of your email address and of your network, and they're deleted when they expire.",
          ],
        },
        {
          id: 'how-long',
          title: 'How long we keep it',
          text: [],
          list: [
            "Accounts that aren't confirmed: 30 days.",
            'Verification codes: 15 minutes. Password reset links: 1 hour. Invitations can be accepted for 7 days.',
            'Sessions: 30 days after they were last used.',
            'Redacted logs of requests to platforms: 30 days. Records that keep open screens up to date: 24 hours.',
            "Your content stays until you delete it. The operator's backups follow the operator's own schedule.",
          ],
        },
        {
          id: 'rights',
          title: 'Your rights',
          text: [
            'You can view and change your profile, view and end your sessions, and leave organizations at any time. To request a copy of your data or have your account deleted, contact the operator of this installation.',
          ],
        },
      ]}
    />
  )
}
