import { LegalPage } from './LegalPage.tsx'

export default function TermsScreen() {
  return (
    <LegalPage
      page="terms"
      title="Terms and conditions"
      lead="Rookery is free software under the Apache License 2.0. The person or company that runs this installation is its operator and is responsible for it."
      parts={[
        {
          id: 'operator',
          title: 'Who provides this service',
          text: [
            "Anyone can run Rookery. The operator of this installation provides it to you, stores your data, and makes their identity known to the people they invite. The authors of the software aren't a party to your agreement with the operator.",
            "The operator may add their own terms. Where those terms go beyond this page, the operator's terms apply.",
          ],
        },
        {
          id: 'account',
          title: 'Your account',
          text: [
            'An account belongs to one person and one email address, which you need to confirm. Keep your password, recovery codes and passkeys to yourself, because anyone who has them can act in your name. You can view and end your sessions in your profile at any time.',
          ],
        },
        {
          id: 'expect',
          title: 'What you can expect from us',
          text: [
            "Rookery publishes your content to the accounts you connect, at the time you choose, and shows you what happened to each post. We can't promise that a platform will accept, show or keep a post.",
            'The software is provided "as is", without warranties of any kind, as described in sections 7 and 8 of the Apache License 2.0.',
          ],
        },
        {
          id: 'yours',
          title: 'What we expect from you',
          text: ["What you publish remains yours, and you're responsible for it. You agree to:"],
          list: [
            "Only connect accounts that you're authorized to use.",
            'Only publish content that you have the right to publish.',
            "Follow each platform's rules for everything you publish there through Rookery.",
            "Not try to access other people's data or disrupt the service for them.",
          ],
        },
        {
          id: 'team',
          title: 'Working in a team',
          text: [
            'The admins of an organization decide who belongs to it and what each person can do. What members create in an organization belongs to that organization and stays with it when they leave. Posts they scheduled will still be published.',
          ],
        },
        {
          id: 'plans',
          title: 'Plans and payments',
          text: [
            'Every new organization starts with a 14-day trial of the premium plan. No card is required. When the trial ends, you can still view everything, but nothing is published until you choose a plan.',
            'We show you what a plan costs and includes before we charge you.',
          ],
        },
        {
          id: 'ending',
          title: 'Leaving Rookery',
          text: [
            'You can disconnect a channel or leave an organization at any time. Posts that are already published stay on their platforms unless you delete them there.',
          ],
        },
      ]}
    />
  )
}
