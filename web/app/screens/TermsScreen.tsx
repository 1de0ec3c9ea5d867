import { LegalPage } from './LegalPage.tsx'

export default function TermsScreen() {
  return (
    <LegalPage
      title="Terms and conditions"
      lead="Rookery is free software under the Apache License 2.0. Whoever runs this installation is its operator and answers for it."
      parts={[
        {
          title: 'What you may expect',
          text: [
            'The software is provided as it is, without warranty of any kind, as sections 7 and 8 of the Apache License 2.0 say.',
            'Rookery publishes what you tell it to, to the accounts that you connect, at the time that you choose. It shows what happened to each post. It cannot promise that a platform accepts a post or keeps it.',
          ],
        },
        {
          title: 'What is expected of you',
          text: [
            'You connect only accounts that you may act for, and publish only what you have the right to publish.',
            'The rules of each platform hold for everything that you publish there through Rookery.',
          ],
        },
        {
          title: 'Plans and payments',
          text: ['A new organization has a 14-day trial that needs no card. What a plan costs and includes is shown before anything is charged. A subscription can be cancelled at any time and runs to the end of the paid period.'],
        },
        { title: 'Ending it', text: ['You can disconnect a channel, delete a project or delete your organization at any time. Posts that are already published stay on their platforms unless you delete them there.'] },
        { title: 'The operator', text: ['This text describes the software. The operator of this installation may add terms of their own, and names themselves to the people they invite.'] },
      ]}
    />
  )
}
