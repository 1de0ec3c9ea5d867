import { LegalPage } from './LegalPage.tsx'

export default function PrivacyScreen() {
  return (
    <LegalPage
      title="Privacy policy"
      lead="What this installation stores about you, why, and for how long. It runs on its operator's machine, not on ours, and reports nothing home."
      parts={[
        {
          title: 'What is stored',
          text: [
            'Your name, email address and a hash of your password. Your sessions: when they began, when they were last used and a short description of the browser.',
            'The organizations, projects, posts, pictures and videos that you and your team create, and who did what and when.',
            'For each connected channel, the access that the platform granted, encrypted with a key that is not in the database.',
          ],
        },
        {
          title: 'Cookies',
          text: ['One cookie keeps you logged in, for 30 days after your last visit. Your choice of theme is kept in your browser. There is no tracking and no advertising.'],
        },
        {
          title: 'Who else sees it',
          text: [
            'The platforms that you connect receive what you publish to them. When mails, payments or text generation are set up, their providers receive what their service needs.',
            'The human check at sign-up is computed in your browser and calls no third party, unless the operator has chosen another check.',
          ],
        },
        {
          title: 'How long it is kept',
          text: [
            'Redacted logs of exchanges with platforms are kept for 30 days, notes of changes for open screens for 24 hours. Your content stays until you delete it; deleting an organization deletes what belongs to it.',
          ],
        },
        { title: 'Your rights', text: ['You can change your profile, see and end your sessions, and ask the operator of this installation for a copy of your data or for its deletion.'] },
      ]}
    />
  )
}
