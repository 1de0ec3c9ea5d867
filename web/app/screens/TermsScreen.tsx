import { LegalPage } from './LegalPage.tsx'

export default function TermsScreen() {
  return (
    <LegalPage
      page="terms"
      title="Terms and conditions"
      lead="Rookery is free software under the Apache License 2.0. Whoever runs this installation is its operator and answers for it."
      parts={[
        {
          id: 'operator',
          title: 'Who you deal with',
          text: [
            'Rookery is a program that anybody may run. The operator of this installation provides it to you, keeps your data and names themselves to the people they invite. The authors of the software are not party to what you agree with the operator.',
            'The operator may add terms of their own. Where those say more than this page, those count.',
          ],
        },
        {
          id: 'account',
          title: 'Your account',
          text: [
            'An account belongs to one person and one email address, which has to be confirmed. Keep your password, recovery codes and passkeys to yourself: anyone who has them acts in your name. You can see and end your sessions in your profile at any time.',
          ],
        },
        {
          id: 'expect',
          title: 'What you may expect',
          text: [
            'Rookery publishes what you tell it to, to the accounts that you connect, at the time that you choose, and shows what happened to each post. It cannot promise that a platform accepts a post, shows it or keeps it.',
            'The software is provided as it is, without warranty of any kind, as sections 7 and 8 of the Apache License 2.0 say.',
          ],
        },
        {
          id: 'yours',
          title: 'What is expected of you',
          text: ['What you publish stays yours, and you answer for it.'],
          list: [
            'You connect only accounts that you may act for.',
            'You publish only what you have the right to publish.',
            'You keep to the rules of each platform, for everything that you publish there through Rookery.',
            'You do not try to get at what belongs to others, nor to make the installation unusable for them.',
          ],
        },
        {
          id: 'team',
          title: 'Working in a team',
          text: [
            'The admins of an organization decide who belongs to it and what each person may do. What members make in an organization belongs to that organization and stays with it when they leave; posts that they scheduled go on.',
          ],
        },
        {
          id: 'plans',
          title: 'Plans and payments',
          text: [
            'A new organization has a 14-day trial of the premium plan that needs no card. When it ends, everything can still be read, and nothing is published until a plan is chosen.',
            'What a plan costs and includes is shown before anything is charged.',
          ],
        },
        {
          id: 'ending',
          title: 'Ending it',
          text: [
            'You can disconnect a channel or leave an organization at any time. Posts that are already published stay on their platforms unless you delete them there.',
          ],
        },
      ]}
    />
  )
}
