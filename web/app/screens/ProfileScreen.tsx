import { Page } from '#web/ui/Page.tsx'

export default function ProfileScreen() {
  return <Page title="Profile">This screen is not here yet.</Page>
}
