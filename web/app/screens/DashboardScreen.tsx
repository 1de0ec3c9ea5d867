import { Page } from '#web/ui/Page.tsx'

export default function DashboardScreen() {
  return <Page title="Dashboard">This screen is not here yet.</Page>
}
